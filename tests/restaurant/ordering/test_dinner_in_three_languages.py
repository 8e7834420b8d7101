"""A guest from Japan with an allergy to nuts, in a house whose kitchen reads German and whose bills are English."""

from collections.abc import Iterator

import pytest
from django.core import mail
from django.test import Client

from config.models import Venue
from restaurant.models import Printer, PrintJob, TableSession
from tests.conftest import PAGE, make_item, make_user, signed_in
from tests.reading import read
from tests.restaurant.kitchen.fake_printer import FakePrinter
from tests.restaurant.kitchen.printing import printing, wait_until_printed
from tests.restaurant.menu.dishes import declared
from tests.restaurant.menu.menus import add_group
from web import venue

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
JAPANESE = {"accept": PAGE, "accept-language": "ja,en;q=0.5"}
NOTE = "玉ねぎ抜きでお願いします"


@pytest.fixture
def printers(table) -> Iterator[dict[str, FakePrinter]]:
    """Those of the kitchen and of bills."""
    Venue.objects.create(kitchen_language="de", menu_languages=["ja", "de"])
    venue.clear_cache()
    devices = {kind: FakePrinter() for kind in ("kitchen", "receipt")}
    for kind, device in devices.items():
        Printer.objects.create(name=kind, kind=kind, host="127.0.0.1", port=device.port)
    with printing():
        yield devices
    for device in devices.values():
        device.off()


def printed(device: FakePrinter) -> str:
    wait_until_printed(PrintJob.objects.latest("pk"))
    return device.texts()[-1]


def test_everybody_reads_what_concerns_them_in_their_own_words(printers, floor):
    steak = make_item(
        "Steak with walnut butter",
        "24.00",
        words={"ja": {"name": "くるみバターのステーキ"}, "de": {"name": "Steak mit Walnussbutter"}},
        allergens=declared(nuts="contains"),
    )
    (rare, _well) = add_group(steak, "How would you like it?", 1, 1, ("Rare", "0"), ("Well done", "0"))
    phone = Client(headers=JAPANESE)
    phone.get("/table/7")
    menu = read(phone.get("/table/7?without=nuts"))
    assert "くるみバターのステーキ" in menu
    assert "ナッツ類" in menu
    dish = read(phone.get(f"/table/7/dishes/{steak.pk}"))
    assert "レア" in dish
    entry = {"menuItemId": str(steak.pk), "quantity": 1, "options": [str(rare.pk)], "specialInstructions": NOTE}
    body = {"sessionId": str(TableSession.objects.get().pk), "items": [entry], "allergies": ["nuts"]}
    placed = phone.post("/table/7/order", body, content_type="application/json")
    order = read(phone.get(placed["Location"]))
    assert "くるみバターのステーキ" in order
    assert "レア" in order
    assert NOTE in order
    assert "Steak" not in order

    kitchen = read(signed_in(make_user("Kitchen")).get("/kitchen", headers={"accept": PAGE}))
    assert "Steak with walnut butter" in kitchen  # as the kitchen's own menu has it
    assert "Schalenfrüchte" in kitchen
    assert f"auf Japanisch: “{NOTE}”" in kitchen
    on_paper = printed(printers["kitchen"])
    assert "Tisch 7" in on_paper
    assert "SCHALENFR" in on_paper  # the Ü is in the code page of the printer
    assert "Rare" in on_paper
    assert 'auf Japanisch: "[siehe Anzeige]"' in on_paper  # no printer has the letters

    assert floor.post("/table/7/payments", {"method": "card"}, format="json").status_code == 201
    assert floor.post("/table/7/bill/print", {}, format="json").status_code == 200
    bill = printed(printers["receipt"])
    assert "1 x Steak with walnut butter" in bill
    assert "Thank you for your visit." in bill
    assert "くるみバターのステーキ" in read(phone.get("/table/7/bill"))
    assert floor.post("/table/7/receipt", {"email": "hana@example.com"}, format="json").status_code == 200
    (letter,) = mail.outbox
    assert "1 × くるみバターのステーキ" in letter.body
    assert letter.subject == "レシート 1"
