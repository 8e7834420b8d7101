"""Displays and dockets are in the language of the kitchen, and say in which one a guest's note is."""

import pytest
from rest_framework.test import APIClient

from config.models import Venue
from restaurant.models import Order, Printer, PrintJob
from tests.conftest import PAGE, make_user, order_body, signed_in
from tests.reading import read
from tests.restaurant.kitchen.fake_printer import FakePrinter
from tests.restaurant.kitchen.printing import printing, wait_until_printed
from web import venue

GERMAN = {"accept-language": "de"}
WORDS = {
    "All caught up": "Alles erledigt",
    "Table %(number)s": "Tisch %(number)s",
    "in %(language)s:": "auf %(language)s:",
}


@pytest.fixture
def cook(db) -> APIClient:
    return signed_in(make_user("Kitchen"))


@pytest.fixture
def kitchen_speaks(db):
    def speak(language: str) -> None:
        Venue.objects.update_or_create(pk=1, defaults={"kitchen_language": language})
        venue.clear_cache()

    return speak


def order(session, dish, *, note: str = "", by: APIClient | None = None, **headers: str) -> str:
    body = order_body(session, (dish, 1))
    body["items"][0]["specialInstructions"] = note
    response = (by or APIClient()).post("/table/7/order", body, format="json", headers=headers)
    assert response.status_code == 200, response.content
    return response.json()["orderId"]


@pytest.mark.django_db
def test_displays_are_in_the_language_of_the_kitchen_whoever_is_signed_in(cook, kitchen_speaks, german):
    german(WORDS)
    assert cook.get("/kitchen", headers={"accept": PAGE})["Content-Language"] == "en-gb"
    kitchen_speaks("de")
    page = cook.get("/kitchen", headers={"accept": PAGE})
    assert page["Content-Language"] == "de"
    assert "Alles erledigt" in read(page)
    assert cook.get("/kitchen")["Content-Language"] == "de"
    assert cook.get("/menu/availability", headers={"accept": PAGE})["Content-Language"] == "en-gb"


@pytest.mark.django_db
def test_what_a_display_sends_is_answered_in_its_language_and_what_the_floor_sends_in_that_of_the_user(
    cook, session, soup, kitchen_speaks, german
):
    german(WORDS)
    kitchen_speaks("de")
    path = f"/orders/{order(session, soup)}/prioritise"
    for page, expected in (("kitchen/bar", "de"), ("floor", "en-gb")):
        answer = cook.post(path, {"on": True}, format="json", headers={"referer": f"http://testserver/{page}"})
        assert (answer.status_code, answer["Content-Language"]) == (200, expected)


@pytest.mark.django_db
def test_a_kitchen_whose_language_is_not_offered_any_more_reads_that_of_the_venue(cook, kitchen_speaks):
    kitchen_speaks("sv")
    assert cook.get("/kitchen")["Content-Language"] == "en-gb"


@pytest.mark.django_db
def test_a_ticket_names_the_language_of_its_notes_where_the_kitchen_reads_another(
    cook, floor, session, soup, kitchen_speaks, german
):
    german(WORDS)
    ids = {
        "english": order(session, soup, note="No salt"),
        "german": order(session, soup, note="Ohne Salz", **GERMAN),
        "staff": order(session, soup, note="Senza sale", by=floor, **GERMAN),
    }
    assert [str(pk) for pk in Order.objects.filter(language="de").values_list("pk", flat=True)] == [ids["german"]]

    def named() -> dict[str, str | None]:
        tickets = {ticket["orderId"]: ticket.get("language") for ticket in cook.get("/kitchen").json()["orders"]}
        return {whose: tickets[order_id] for whose, order_id in ids.items()}

    assert named() == {"english": None, "german": "de", "staff": None}
    assert "in German: “Ohne Salz”" in read(cook.get("/kitchen", headers={"accept": PAGE}))
    kitchen_speaks("de")
    assert named() == {"english": "en", "german": None, "staff": None}
    assert "auf Englisch: “No salt”" in read(cook.get("/kitchen", headers={"accept": PAGE}))
    assert "language" not in APIClient().get(f"/orders/{ids['german']}", headers=GERMAN).json()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_dockets_are_printed_in_the_language_of_the_kitchen(session, soup, kitchen_speaks, german):
    german(WORDS)
    kitchen_speaks("de")
    device = FakePrinter()
    try:
        Printer.objects.create(name="Pass", host="127.0.0.1", port=device.port)
        order(session, soup, note="No salt")
        with printing():
            wait_until_printed(PrintJob.objects.get())
    finally:
        device.off()
    [docket] = device.texts()
    assert "Tisch 7" in docket
    assert 'auf Englisch: "No salt"' in docket
