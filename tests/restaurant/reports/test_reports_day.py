"""`GET /reports/restaurant/day`. See "Sales reports" in docs/behaviour/restaurant.md."""

from datetime import UTC, datetime, time, timedelta

import pytest

from config.models import Venue
from restaurant.models import Order, OrderChange, Payment
from tests.conftest import PAGE, make_table, own_queries
from tests.reading import read
from tests.restaurant.reports.making import NOW, cancel, make_ordered, order, pay, start_session
from web import venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]

DAY = "/reports/restaurant/day"
TICK = timedelta(microseconds=1)
MIDNIGHT = NOW.replace(hour=0, minute=0)
EMPTY = {
    "date": "2026-03-07", "sessions": 0, "orders": 0, "gross": 0, "taxes": [], "payments": [], "tips": 0,
    "cancelled": {"count": 0, "value": 0, "changes": []}, "openBills": [], "placedBy": [],
}  # fmt: skip


@pytest.fixture
def ordered(manager, session, soup, bread):
    return make_ordered(manager, session, soup, bread)


def test_a_day_without_anything(report):
    assert report("/day") == EMPTY


def test_what_a_program_gets(report, manager, ordered, session):
    cancel(manager, ordered, items=[{"position": 0, "quantity": 1}], note="none left")
    pay(manager, session, method="cash", amount=5, tip=1)
    pay(manager, session, method="card", amount=4.5, tip=0.5)
    pay(manager, session, method="cash", amount=1)
    body = report("/day")
    [change] = body["cancelled"].pop("changes")
    assert body == {
        "date": "2026-03-07",
        "sessions": 1,
        "orders": 1,
        "gross": 13.75,
        "taxes": [
            {"rate": 9, "net": 3.9, "tax": 0.35, "gross": 4.25},
            {"rate": 13.5, "net": 8.37, "tax": 1.13, "gross": 9.5},
        ],
        "payments": [{"method": "cash", "count": 2, "amount": 6}, {"method": "card", "count": 1, "amount": 4.5}],
        "tips": 1.5,
        "cancelled": {"count": 1, "value": 9.5},
        "openBills": [{"tableNumber": 7, "sessionId": str(session.pk), "due": 3.25}],
        "placedBy": [{"name": "managers", "orders": 1, "gross": 13.75}],
    }
    assert change == {
        "at": "2026-03-07T14:30:00Z", "orderId": ordered, "tableNumber": 7, "by": "managers", "reason": "sold_out",
        "note": "none left", "amount": 9.5,
    }  # fmt: skip


def test_voided_payments_are_left_out_and_due_again(report, manager, ordered, session):
    payment = pay(manager, session, method="card", tip=2)
    assert report("/day")["openBills"] == []
    assert manager.post(f"/payments/{payment['id']}/void").status_code == 200
    body = report("/day")
    assert (body["payments"], body["tips"], body["openBills"][0]["due"]) == ([], 0, 23.25)


def test_what_is_held_or_was_refused_is_in_no_figure(report, manager, table, session, soup):
    held = order(table, NOW, (soup, 3), status="held")
    assert report("/day") == EMPTY | {"sessions": 1}
    cancel(manager, held.pk)
    assert OrderChange.objects.get().kind == "refused"
    assert report("/day") == EMPTY | {"sessions": 1}


def test_a_guest_who_cancels_is_called_a_guest(report, table, session, soup):
    placed = order(table, NOW, (soup, 1))
    OrderChange.objects.create(order=placed, kind="cancelled", reason="mistake", amount=3, at=NOW)
    assert report("/day")["cancelled"]["changes"][0]["by"] == "guest"


def test_a_day_begins_at_midnight_and_ends_before_the_next(report, table, session, soup):
    tomorrow = MIDNIGHT + timedelta(days=1)
    for number, moment in enumerate((MIDNIGHT - TICK, MIDNIGHT, tomorrow - TICK, tomorrow)):
        start_session(make_table(100 + number), moment)
        order(table, moment, (soup, 1))
        Payment.objects.create(session=session, method="cash", amount=1, created_at=moment)
        placed = order(table, MIDNIGHT - timedelta(days=9), total="1")
        OrderChange.objects.create(order=placed, kind="cancelled", reason="other", amount=1, at=moment)
    body = report("/day?date=2026-03-07")
    assert (body["sessions"], body["orders"], body["gross"]) == (3, 2, 19)
    assert body["payments"] == [{"method": "cash", "count": 2, "amount": 2}]
    assert (body["cancelled"]["count"], body["cancelled"]["value"]) == (2, 2)


def test_a_day_is_one_of_the_venue(report, settings, table, soup):
    settings.TIME_ZONE = "Pacific/Auckland"  # 13 hours ahead: 8 March since 11:00 UTC
    order(table, NOW, (soup, 1))
    order(table, datetime(2026, 3, 7, 10, 59, tzinfo=UTC), (soup, 2))
    assert (report("/day")["date"], report("/day")["gross"]) == ("2026-03-08", 9.5)
    assert report("/day?date=2026-03-07")["gross"] == 19


def test_payments_and_cancellations_count_on_their_own_day(report, manager, clock, ordered, session):
    clock(NOW + timedelta(days=1))
    cancel(manager, ordered, items=[{"position": 1}])
    pay(manager, session, method="voucher")
    first, second = report("/day?date=2026-03-07"), report("/day")
    assert (first["gross"], first["payments"], first["cancelled"]["count"]) == (19, [], 0)
    assert (second["gross"], second["payments"][0]["amount"], second["cancelled"]["count"]) == (0, 19, 1)


def test_open_bills_are_of_sessions_begun_that_day_as_they_are_now(report, manager, clock, ordered, session):
    clock(NOW + timedelta(days=1))
    assert report("/day")["openBills"] == []
    assert report("/day?date=2026-03-07")["openBills"][0]["due"] == 23.25
    pay(manager, session, method="card")
    assert report("/day?date=2026-03-07")["openBills"] == []


def test_who_sold_most_is_first(report, table, session, soup):
    for name, quantity in (("zoe", 1), ("bea", 1), ("ann", 3), ("", 9)):
        placed = order(table, NOW, (soup, quantity))
        type(placed).objects.filter(pk=placed.pk).update(placed_by=name)
    assert [each["name"] for each in report("/day")["placedBy"]] == ["ann", "bea", "zoe"]


def test_a_bad_date_is_refused(manager):
    odd = ["", "today", "2026-3-7", "2026-02-29", "07.03.2026", "2026-03-07T00:00", "0001-01-01", "9999-12-31",
           "٢٠٢٦-٠٣-٠٧"]  # fmt: skip
    refused = {date: manager.get(DAY, {"date": date}) for date in odd}
    answers = {date: (each.status_code, list(each.json()["fields"])) for date, each in refused.items()}
    assert answers == dict.fromkeys(odd, (400, ["date"]))
    page = manager.get(DAY, {"date": "today", "format": "csv"}, headers={"accept": PAGE})
    assert (page.status_code, page["Content-Type"]) == (400, "text/html; charset=utf-8")


def test_any_day_can_be_asked_for(report, settings):
    settings.TIME_ZONE = "Europe/Vienna"
    for date in ("1970-01-01", "9998-12-31", "2026-03-29", "2024-02-29"):
        assert report(f"/day?date={date}") == EMPTY | {"date": date}


def test_it_asks_as_often_for_much_as_for_little(manager, soup):
    def queries() -> int:
        with own_queries() as asked:
            assert manager.get(DAY).status_code == 200
        return len(asked)

    before = queries()
    for number in range(5):
        place = make_table(number + 1)
        start_session(place, NOW)
        placed = order(place, NOW, (soup, 2))
        OrderChange.objects.create(order=placed, kind="cancelled", reason="other", amount=1, at=NOW)
        Payment.objects.create(session=placed.session, method="cash", amount=1, created_at=NOW)
    assert queries() == before == 12


def test_a_day_that_ends_after_midnight_keeps_its_evening_together(report, report_page, clock, session, soup):
    Venue.objects.create(day_ends_at=time(4))
    venue.clear_cache()
    for at, price in (("03-07 03:59", "1"), ("03-07 04:00", "2"), ("03-08 03:59", "4"), ("03-08 04:00", "8")):
        placed = datetime.fromisoformat(f"2026-{at}").replace(tzinfo=UTC)
        Order.objects.create(table=session.table, session=session, total=price, created_at=placed)
    clock(datetime(2026, 3, 8, 2, 0, tzinfo=UTC))
    assert (report("/day")["date"], report("/day")["gross"]) == ("2026-03-07", 6)
    assert report("/day?date=2026-03-06")["gross"] == 1
    assert "Days start at 04:00" in read(report_page("/day"))
