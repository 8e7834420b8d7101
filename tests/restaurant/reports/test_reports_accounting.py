"""Debit and credit by day and account, and the same for DATEV."""

import csv
import io
from collections import defaultdict
from datetime import timedelta
from decimal import Decimal

import pytest

from restaurant.models import Account, Accountant, CashDrawer, DrawerDay, OrderingRules
from tests.conftest import PAGE, SATURDAY, order_body

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]

NUMBERS = {
    "cash": "1600", "card": "1360", "open_bills": "1400", "tips": "1700", "revenue": "8400", "discounts": "8700",
    "differences": "2150",
}  # fmt: skip


def rows_of(
    client, first: str = "2026-03-07", last: str = "2026-03-07"
) -> dict[tuple[str, str], tuple[Decimal, Decimal]]:
    """Return debit and credit by day and name."""
    response = client.get("/reports/restaurant/accounting", {"from": first, "to": last})
    assert (response.status_code, response["Content-Type"]) == (200, "text/csv; charset=utf-8")
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert sum(Decimal(row["debit"]) for row in rows) == sum(Decimal(row["credit"]) for row in rows)
    return {(row["date"], row["name"]): (Decimal(row["debit"]), Decimal(row["credit"])) for row in rows}


@pytest.fixture
def evening(saturday, manager, session, soup, bread) -> list[str]:
    """46.00, of which 4.25 are cancelled and a tenth is taken off; paid in cash and by card."""
    drawer = CashDrawer.objects.create(name="Bar")
    manager.post(f"/drawers/{drawer.pk}/open", {"float": 100}, format="json")
    saturday(SATURDAY + timedelta(minutes=1))
    soup.vat_rate, bread.vat_rate = Decimal(7), Decimal(19)
    soup.save()
    bread.save()
    placed = manager.post("/table/7/order", order_body(session, (soup, 4), (bread, 2)), format="json").json()
    part = {"reason": "mistake", "items": [{"position": 1, "quantity": 1}]}
    manager.post(f"/orders/{placed['orderId']}/cancel", part, format="json")
    manager.post("/table/7/adjustments", {"kind": "discount", "percent": 10, "reason": "wait"}, format="json")
    return [
        manager.post("/table/7/payments", {"method": method, **values}, format="json").json()["id"]
        for method, values in (("cash", {"amount": 20, "tip": 2}), ("card", {}))
    ]


@pytest.fixture
def accounts(db) -> None:
    for kind, number in NUMBERS.items():
        Account.objects.create(kind=kind, number=number)
    Account.objects.create(kind="revenue", vat_rate=7, number="8300", name="Sales at 7%")
    Accountant.objects.create(consultant=29098, client=55003)


def test_an_evening_is_booked_and_equals_the_day(evening, manager, report):
    booked = {name: sides for (_day, name), sides in rows_of(manager).items()}
    day = report("/day?date=2026-03-07")
    sold = booked["Sales 7%"][1] - booked["Sales 7%"][0] + booked["Sales 19%"][1] - booked["Sales 19%"][0]
    off = booked["Discounts and what is on the house 7%"][0] + booked["Discounts and what is on the house 19%"][0]
    assert (sold, off) == (Decimal("42.25"), Decimal("4.23"))
    paid = {each["method"]: each["amount"] for each in day["payments"]}
    assert (float(booked["Cash"][0]), float(booked["Cards"][0])) == (paid["cash"] + day["tips"], paid["card"])
    assert booked["Tips"] == (0, 2)
    assert booked["Open bills"][0] == booked["Open bills"][1]  # all is paid


def close(manager, *, counted: int) -> DrawerDay:
    drawer = CashDrawer.objects.get()
    assert manager.post(f"/drawers/{drawer.pk}/close", {"amount": counted}, format="json").status_code == 200
    return drawer.days.get()


def test_it_equals_the_z(evening, manager):
    z = close(manager, counted=121)
    booked = {name: sides for (_day, name), sides in rows_of(manager).items()}
    gross = {f"{float(tax['rate']):g}": Decimal(tax["gross"]) for tax in z.figures["taxes"]}
    for rate, amount in gross.items():
        sold, off = booked[f"Sales {rate}%"], booked[f"Discounts and what is on the house {rate}%"]
        assert sold[1] - sold[0] - off[0] == amount
    paid = {row["method"]: Decimal(row["amount"]) + Decimal(row["tips"]) for row in z.figures["payments"]}
    assert (booked["Cash"], booked["Cards"][0]) == ((paid["cash"], 1), paid["card"])
    assert booked["Differences of drawers and rounding"] == (1, 0)


def test_what_happens_on_a_later_day_is_booked_there(evening, manager, clock):
    before = rows_of(manager)
    clock(SATURDAY + timedelta(days=2))
    cash, card = evening
    manager.post(f"/payments/{cash}/void", {}, format="json")
    manager.post(f"/payments/{card}/refund", {"amount": 3, "reason": "complaint"}, format="json")
    close(manager, counted=95)
    assert rows_of(manager) == before
    later = {name: sides for (_day, name), sides in rows_of(manager, "2026-03-09", "2026-03-09").items()}
    assert later == {
        "Cash": (0, 27), "Cards": (0, 3), "Open bills": (23, 0), "Tips": (2, 0),
        "Differences of drawers and rounding": (5, 0),
    }  # fmt: skip


def test_datev_gets_its_header_its_fields_and_the_same_sums(evening, accounts, manager):
    query = {"from": "2026-03-07", "to": "2026-03-07", "as": "datev"}
    response = manager.get("/reports/restaurant/accounting", query)
    assert 'filename="EXTF_Buchungsstapel-2026-03-07-2026-03-07.csv"' in response["Content-Disposition"]
    header, columns, *rows = response.content.decode("cp1252").split("\r\n")[:-1]
    assert header == (
        '"EXTF";700;21;"Buchungsstapel";13;20260307143100000;;"RE";"";"";29098;55003;20260101;4;20260307;20260307;'
        '"Kasse 07.03.2026";"";1;0;0;"EUR";;"";;;"";;;"";""'
    )
    names = columns.split(";")
    assert (len(names), len(header.split(";")), names[8], names[113]) == (125, 31, "BU-Schlüssel", "Festschreibung")
    # In this order, in whichever PostgreSQL groups them.
    assert [row.split(";")[13].strip('"') for row in rows] == [
        "Cards / Open bills", "Cash / Open bills", "Cash / Tips", "Discounts and what is on the house / Open bills 7%",
        "Discounts and what is on the house / Open bills 19%", "Open bills / Sales 7%", "Open bills / Sales 19%",
    ]  # fmt: skip
    assert rows[5].startswith('38,00;"S";"EUR";;;;1400;8300;;0703;"20260307";;;"Open bills / Sales 7%"')
    sums = defaultdict(Decimal)
    for row in rows:
        cells = row.split(";")
        assert len(cells) == 125
        sums[cells[6]] += Decimal(cells[0].replace(",", "."))
        sums[cells[7]] -= Decimal(cells[0].replace(",", "."))
    assert (sums["1600"], sums["1400"], sums["1700"]) == (22, 0, -2)


def test_datev_is_refused_until_all_it_needs_is_entered(evening, manager):
    query = {"from": "2026-03-07", "to": "2026-03-07", "as": "datev"}
    for sentence in ("accountant's numbers", "an account for cards"):
        response = manager.get("/reports/restaurant/accounting", query)
        assert response.status_code == 400
        assert sentence in response.json()["error"]
        Accountant(consultant=29098, client=55003).save()


def test_managers_have_a_page_with_the_files_and_cashiers_have_not(evening, accounts, manager, cashier):
    Account.objects.filter(kind="tips").delete()
    page = manager.get("/reports/restaurant/accounting", headers={"accept": PAGE}).content.decode()
    for words in ("Sales at 7%", "8300", "For DATEV", "Journal (JSON Lines)", "Some of these have no account yet"):
        assert words in page
    assert cashier.get("/reports/restaurant/accounting").status_code == 403


def test_the_admin_refuses_two_accounts_for_one_thing_and_rates_of_money(accounts, managers_browser):
    for values, sentence in (
        ({"kind": "cash", "number": "1000"}, "There is an account for this already."),
        ({"kind": "card", "vat_rate": "7", "number": "1000"}, "Only sales, discounts and service have rates."),
        ({"kind": "other", "number": "12a"}, "Digits alone."),
    ):
        page = managers_browser.post("/admin/restaurant/account/add/", {"vat_rate": "", "name": "", **values})
        assert sentence in page.content.decode()
    new = {"kind": "other", "number": "1000", "vat_rate": "", "name": ""}
    assert managers_browser.post("/admin/restaurant/account/add/", new).status_code == 302


def test_an_order_counts_when_it_is_approved_without_what_was_refused_before(manager, api, session, soup, clock):
    OrderingRules.objects.create(approval_above=5)
    placed = api.post("/table/7/order", order_body(session, (soup, 3)), format="json").json()["orderId"]
    part = {"reason": "sold_out", "items": [{"position": 0, "quantity": 1}]}
    assert manager.post(f"/orders/{placed}/cancel", part, format="json").status_code == 200
    clock(SATURDAY + timedelta(hours=10))
    assert rows_of(manager) == {}
    assert manager.post(f"/orders/{placed}/approve", {}, format="json").status_code == 200
    assert rows_of(manager, last="2026-03-08") == {
        ("2026-03-08", "Open bills"): (19, 0), ("2026-03-08", "Sales"): (0, 19),
    }  # fmt: skip
