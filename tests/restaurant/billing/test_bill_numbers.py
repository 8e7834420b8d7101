"""Numbers of bills: given once, when staff print or close, rising by one, none left out or given twice."""

from datetime import timedelta
from importlib import import_module
from pkgutil import iter_modules

import pytest
from django.db import connection
from django.utils import timezone

from restaurant import migrations
from restaurant.billing.services import bills
from restaurant.models import BillCounter, TableSession
from tests.at_once import at_once
from tests.conftest import PAGE, make_item, make_table, order_body
from tests.reading import read
from tests.restaurant.ordering.forms import submit

pytestmark = pytest.mark.django_db


def party_at(floor, number: int, item=None) -> TableSession:
    """With an order of this item."""
    session = TableSession.objects.create(table=make_table(number))
    if item:
        placed = floor.post(f"/table/{number}/order", order_body(session, (item, 1)), format="json")
        assert placed.status_code == 200
    return session


def print_bill(floor, session: TableSession) -> int | None:
    body = {"sessionId": str(session.pk)}
    response = floor.post(f"/table/{session.table.table_number}/bill/print", body, format="json")
    assert response.status_code == 200
    return response.json()["number"]


def close(floor, session: TableSession) -> int | None:
    floor.post(f"/table/{session.table.table_number}/close", {"sessionId": str(session.pk)}, format="json")
    session.refresh_from_db()
    return session.bill_number


def test_a_bill_keeps_the_number_that_it_was_printed_with(floor, soup):
    first, second, third = (party_at(floor, number, soup) for number in (1, 2, 3))
    assert [print_bill(floor, second), print_bill(floor, second)] == [1, 1]
    assert [close(floor, first), close(floor, second), close(floor, first)] == [2, 1, 2]
    assert print_bill(floor, third) == 3


def test_the_page_has_the_number_once_there_is_one_and_json_has_none(floor, waiter, api, soup):
    session = party_at(floor, 7, soup)
    query = {"sessionId": str(session.pk)}
    page = read(waiter.get("/table/7/bill", query))
    assert page.one("heading", "Bill · Table 7")
    sent = submit(waiter, page, "/table/7/bill/print", paper="a4")
    assert sent.status_code == 303
    page = read(waiter.get(sent["Location"]))
    assert page.one("heading", "Bill 1 · Table 7")
    assert page.one("button", "Print").get("data-now") is not None
    assert "/table/7/bill/print" not in [form.get("action") for form in page.all("form")]
    assert read(api.get("/table/7/bill", query, headers={"accept": PAGE})).one("heading", "Bill 1 · Table 7")
    of_programs = {"table", "session", "items", "total", "taxes", "paid", "due"}
    assert set(api.get("/table/7/bill", query).json()) == of_programs


def test_what_has_nothing_on_it_gets_none(floor, soup):
    empty, cancelled = party_at(floor, 1), party_at(floor, 2, soup)
    floor.post(f"/orders/{cancelled.orders.get().pk}/cancel", {"reason": "mistake"}, format="json")
    assert [print_bill(floor, empty), print_bill(floor, cancelled), close(floor, empty)] == [None] * 3
    assert not BillCounter.objects.filter(last__gt=0).exists()


def test_a_party_that_joins_another_brings_its_number_where_that_has_none(floor, soup):
    mover, host = (party_at(floor, number, soup) for number in (1, 2))
    assert print_bill(floor, mover) == 1
    floor.post("/table/1/move", {"sessionId": str(mover.pk), "to": 2}, format="json")
    mover.refresh_from_db()
    assert (mover.bill_number, print_bill(floor, host)) == (None, 1)


def test_only_who_takes_payments_prints(api, floor, soup):
    session = party_at(floor, 7, soup)
    assert api.post("/table/7/bill/print", {"sessionId": str(session.pk)}, format="json").status_code == 401
    assert floor.post("/table/7/bill/print", {"paper": "a5"}, format="json").status_code == 400
    assert floor.post("/table/9/bill/print", {}, format="json").status_code == 404


def test_bills_of_the_past_are_numbered_in_the_order_of_their_ends(floor, soup):
    sessions = [party_at(floor, number, soup) for number in (1, 2)] + [party_at(floor, 3)]
    for hours, session in enumerate(sessions):
        TableSession.objects.filter(pk=session.pk).update(ended_at=timezone.now() - timedelta(hours=hours))
    [name] = [each.name for each in iter_modules(migrations.__path__) if each.name.endswith("_bill_numbers")]
    migration = import_module(f"restaurant.migrations.{name}")
    BillCounter.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute(migration.NUMBER_THE_PAST)
    given = [TableSession.objects.get(pk=session.pk).bill_number for session in sessions]
    assert given == [2, 1, None]
    assert print_bill(floor, party_at(floor, 4, soup)) == 3


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_of_bills_that_are_printed_at_once_none_shares_or_skips_a_number(floor):
    soup = make_item()
    sessions = [party_at(floor, number, soup) for number in range(1, 5)]
    given = at_once([lambda each=each: bills.give_number(each.pk) for each in sessions * 3])
    assert [given[place::4] for place in range(4)] == [[number] * 3 for number in given[:4]]
    assert sorted(given[:4]) == [1, 2, 3, 4]
