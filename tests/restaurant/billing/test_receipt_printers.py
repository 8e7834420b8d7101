"""Bills, receipts, X and Z on receipt printers, and the pulse that opens a drawer."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone, translation

from restaurant.kitchen.printing.layout import docket
from restaurant.models import CashDrawer, Printer, PrintJob
from tests.conftest import make_user, order_body
from tests.reading import read
from tests.restaurant.kitchen.fake_printer import FakePrinter
from tests.restaurant.kitchen.printing import printing, state, wait_until_printed
from tests.restaurant.ordering.forms import submit


@pytest.fixture
def printer(db) -> Printer:
    return Printer.objects.create(name="Till", kind="receipt", host="10.0.0.9", opens_drawer=True)


@pytest.fixture
def device() -> Iterator[FakePrinter]:
    made = FakePrinter()
    yield made
    made.off()


@pytest.fixture
def drawer(db) -> CashDrawer:
    return CashDrawer.objects.create(name="Bar")


@pytest.fixture
def ordered(api, session, soup) -> None:
    """Two soups at table 7: 19.00."""
    assert api.post("/table/7/order", order_body(session, (soup, 2)), format="json").status_code == 200


def paper(kind: str) -> list[str]:
    """What the latest job of this kind prints."""
    job = PrintJob.objects.filter(kind=kind).select_related("printer").latest("pk")
    return [line.text.strip() for line in docket(job, is_copy=False)]


def print_bill(client, **body):
    response = client.post("/table/7/bill/print", body, format="json")
    assert response.status_code == 200
    return response.json()


@pytest.mark.django_db
def test_a_bill_is_printed_once_and_then_as_a_copy_until_it_changes(floor, api, session, bread, printer, ordered):
    assert print_bill(floor) == {"number": 1, "printer": "Till"}
    first = paper("bill")
    assert "COPY" not in first
    assert {"Bill 1", "Table 7", "Thank you for your visit."} <= set(first)
    assert any(line.startswith("2 x Ribollita") and line.endswith("€19.00") for line in first)
    print_bill(floor)
    assert paper("bill")[0] == "COPY"
    api.post("/table/7/order", order_body(session, (bread, 1)), format="json")
    print_bill(floor)
    assert "COPY" not in paper("bill")


@pytest.mark.django_db
def test_what_is_paid_is_a_receipt_with_payments_and_change(floor, printer, ordered):
    floor.post("/table/7/payments", {"method": "cash", "tip": 1, "tendered": 50}, format="json")
    print_bill(floor)
    lines = [line.split() for line in paper("receipt")]
    assert ["Receipt", "1"] in lines
    assert [line for line in lines if line and line[0] in ("Cash", "of", "given", "change")] == [
        ["Cash", "€20.00"],
        ["of", "it", "a", "tip", "€1.00"],
        ["given", "€50.00"],
        ["change", "€30.00"],
    ]


@pytest.mark.django_db
def test_a_part_has_a_receipt_of_its_own(floor, printer, ordered):
    divided = floor.post("/table/7/parts", {"by": "people", "count": 2}, format="json").json()
    floor.post("/table/7/payments", {"method": "card", "partId": divided["parts"][1]["id"]}, format="json")
    print_bill(floor, partId=divided["parts"][1]["id"])
    lines = paper("receipt")
    assert "Receipt 1-2" in lines
    assert any(line.startswith("Total") and line.endswith("€9.50") for line in lines)


@pytest.mark.django_db
def test_of_several_printers_the_page_asks_which_and_programs_name_one(floor, waiter, session, printer, ordered):
    bar = Printer.objects.create(name="Bar", kind="receipt", host="10.0.0.8")
    assert print_bill(floor) == {"number": 1}
    assert print_bill(floor, printerId=bar.pk)["printer"] == "Bar"
    page = read(waiter.get("/table/7/bill", {"sessionId": str(session.pk)}))
    assert [page.one("button", f"Print: {name}").get("value") for name in ("Bar", "Till")] == [
        str(bar.pk), str(printer.pk)]  # fmt: skip
    sent = submit(waiter, page, "/table/7/bill/print", printerId=str(printer.pk))
    assert "Sent to the printer" in read(waiter.get(sent["Location"])).text


@pytest.mark.django_db
def test_without_a_receipt_printer_the_browser_prints(floor, ordered):
    Printer.objects.create(name="Grill", host="10.0.0.7")
    assert print_bill(floor) == {"number": 1}
    assert not PrintJob.objects.filter(order=None).exists()


@pytest.mark.django_db
def test_the_kitchen_prints_nothing_at_a_receipt_printer(floor, api, session, soup, printer):
    placed = api.post("/table/7/order", order_body(session, (soup, 2)), format="json").json()["orderId"]
    floor.post(f"/orders/{placed}/cancel", {"reason": "mistake"}, format="json")
    assert not PrintJob.objects.exists()


@pytest.mark.django_db
def test_a_z_is_printed_and_later_a_copy_for_good(cashier, drawer, printer):
    cashier.post(f"/drawers/{drawer.pk}/open", {"float": 100}, format="json")
    assert cashier.post(f"/drawers/{drawer.pk}/print").json() == {"printer": "Till"}
    assert {"X, interim · Bar"} <= set(paper("x"))
    number = cashier.post(f"/drawers/{drawer.pk}/close", {"amount": 90}, format="json").json()["number"]
    for is_copy in (False, True):
        cashier.post(f"/drawers/{drawer.pk}/z/{number}/print")
        lines = paper("z")
        assert (lines[0] == "COPY", "Z 1 · Bar" in lines) == (is_copy, True)
    assert any(line.startswith("Difference") and line.endswith("-€10.00") for line in lines)


@pytest.mark.django_db
def test_cash_and_a_kick_open_the_drawer_that_the_cash_lies_in(cashier, drawer, printer, ordered):
    other = Printer.objects.create(name="Bar", kind="receipt", host="10.0.0.8", opens_drawer=True)
    drawer.printer = other
    drawer.save()
    cashier.post(f"/drawers/{drawer.pk}/open", {"float": 0}, format="json")
    cashier.post("/table/7/payments", {"method": "card", "amount": 5}, format="json")
    cashier.post("/table/7/payments", {"method": "cash", "amount": 5}, format="json")
    cashier.post(f"/drawers/{drawer.pk}/kick", {"reason": "change"}, format="json")
    assert [job.printer.name for job in PrintJob.objects.filter(kind="pulse")] == ["Bar", "Bar"]
    assert cashier.post(f"/drawers/{drawer.pk}/kick", {}, format="json").status_code == 400


@pytest.mark.django_db
def test_pages_print_on_the_receipt_printer_too(browser_client, cashier, drawer, printer):
    browser_client.force_login(make_user("Cashiers", "carl"))
    cashier.post(f"/drawers/{drawer.pk}/open", {"float": 100}, format="json")
    sent = submit(browser_client, browser_client.get(f"/drawers/{drawer.pk}"), f"/drawers/{drawer.pk}/print")
    assert "Sent to the printer “Till”." in read(browser_client.get(sent["Location"])).text


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_printer_gets_the_pulse_and_the_paper_and_no_pulse_that_is_old(device):
    printer = Printer.objects.create(name="Till", kind="receipt", host="127.0.0.1", port=device.port)
    long_ago = timezone.now() - timedelta(minutes=1)
    old = PrintJob.objects.create(printer=printer, kind="pulse", created_at=long_ago)
    pulse = PrintJob.objects.create(printer=printer, kind="pulse")
    bill = PrintJob.objects.create(printer=printer, kind="bill", lines=[["Bill 1", 2, 2, True, False]])
    with printing():
        wait_until_printed(pulse, bill)
    assert (device.pulses, [text.strip() for text in device.texts()]) == (1, ["Bill 1"])
    assert (state(old)[:2], state(pulse)[:2]) == (("dropped", 0), ("printed", 1))


@pytest.mark.django_db
def test_paper_is_in_the_language_of_the_venue_whoever_prints(ordered, printer, german, settings):
    german({"Bill %(number)s": "Rechnung %(number)s", "COPY": "KOPIE"})
    waiter = Client(headers={"origin": "http://testserver"})
    waiter.force_login(make_user("Floor"))
    waiter.post("/language", {"language": "de"})
    for _time in range(2):
        waiter.post("/table/7/bill/print")
    with translation.override("de"):  # as the process that prints may be
        assert {"COPY", "Bill 1"} <= set(paper("bill"))
    settings.LANGUAGE_CODE = "de-ch"
    for _time in range(2):
        waiter.post("/table/7/bill/print")
    assert {"KOPIE", "Rechnung 1"} <= set(paper("bill"))
