"""`GET /reports/restaurant/day`. See "The day" in docs/behaviour.md."""

import csv
import io
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from restaurant.models import Order, OrderChange, OrderingRules, Payment, Table, TableSession
from restaurant.reports import lines
from tests.conftest import PAGE, make_item, make_table, own_queries
from tests.restaurant.reports.conftest import NOW, order, start_session
from web import venue

pytestmark = pytest.mark.django_db

DAY = "/reports/restaurant/day"
TICK = timedelta(microseconds=1)
MIDNIGHT = NOW.replace(hour=0, minute=0)
EMPTY = {
    "date": "2026-03-07", "sessions": 0, "orders": 0, "gross": 0, "taxes": [], "payments": [], "tips": 0,
    "cancelled": {"count": 0, "value": 0, "changes": []}, "openBills": [], "placedBy": [],
}  # fmt: skip


@pytest.fixture
def taxed(soup, bread):
    """The soup at 13.5 percent, the bread at 9."""
    OrderingRules(default_vat_rate=Decimal("13.5")).save()
    bread.vat_rate = Decimal("9")
    bread.save()


@pytest.fixture
def ordered(taxed, manager, session, soup, bread, clock):
    """A manager's order for the guests of table 7."""
    body = {"items": [{"menuItemId": str(soup.pk), "quantity": 2}, {"menuItemId": str(bread.pk), "quantity": 1}]}
    response = manager.post("/table/7/order", {**body, "sessionId": str(session.pk)}, format="json")
    assert response.status_code == 200, response.content
    return response.json()["orderId"]


@pytest.fixture
def session(table, clock):
    return start_session(table)


def pay(manager, session, **body) -> dict:
    response = manager.post("/table/7/payments", {"sessionId": str(session.pk), **body}, format="json")
    assert response.status_code == 201, response.content
    return response.json()


def cancel(manager, order_id, **body) -> None:
    response = manager.post(f"/orders/{order_id}/cancel", {"reason": "sold_out", **body}, format="json")
    assert response.status_code == 200, response.content


def test_a_day_without_anything(report, clock):
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


@pytest.mark.parametrize(
    "date",
    ["", "today", "2026-3-7", "2026-02-29", "07.03.2026", "2026-03-07T00:00", "0001-01-01", "9999-12-31", "٢٠٢٦-٠٣-٠٧"],
)
def test_a_bad_date_is_refused(manager, clock, date):
    response = manager.get(DAY, {"date": date})
    assert (response.status_code, list(response.json()["fields"])) == (400, ["date"])
    page = manager.get(DAY, {"date": date, "format": "csv"}, headers={"accept": PAGE})
    assert (page.status_code, page["Content-Type"]) == (400, "text/html; charset=utf-8")


@pytest.mark.parametrize("date", ["1970-01-01", "9998-12-31", "2026-03-29", "2024-02-29"])
def test_any_day_can_be_asked_for(report, settings, date):
    settings.TIME_ZONE = "Europe/Vienna"
    assert report(f"/day?date={date}") == EMPTY | {"date": date}


def test_only_managers_may(api, floor, cashier):
    for path in (DAY, "/reports/restaurant/lines"):
        assert (api.get(path).status_code, floor.get(path).status_code, cashier.get(path).status_code) == (
            401,
            403,
            403,
        )


def test_it_asks_as_often_for_much_as_for_little(manager, clock, soup):
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
    assert queries() == before == 7


# --- the page ---------------------------------------------------------------------------------------


@pytest.fixture
def page(manager, clock):
    def get(**query):
        response = manager.get(DAY, query, headers={"accept": PAGE})
        assert response.status_code == 200
        return response

    return get


def test_the_page_says_who_cancelled_what_and_why_and_leads_to_it(page, manager, ordered):
    cancel(manager, ordered, items=[{"position": 0}], note="<none left>")
    shown = page()
    assert shown.context["cancelled_table"]["rows"] == [
        ["14:30", 7, Decimal("19.00"), "managers", "sold out", "<none left>"]
    ]
    assert f'<a href="/orders/{ordered}">' in shown.content.decode()


def test_the_page_leads_to_open_bills_and_to_other_days(page, ordered, session):
    text = page().content.decode()
    assert f"/table/7/bill?sessionId={session.pk}" in text
    assert "?date=2026-03-06" in text
    assert "?date=2026-03-08" not in text
    assert "?date=2026-03-07" in page(date="2026-03-06").content.decode()


def test_tables_have_totals_where_there_is_more_than_one_row(page, manager, ordered, session):
    pay(manager, session, method="cash", amount=5, tip=1)
    pay(manager, session, method="card", tip=2)
    shown = page()
    assert [row[0] for row in shown.context["taxes_table"]["rows"]] == ["9%", "13.5%", "Total"]
    assert shown.context["taxes_table"]["rows"][-1] == ["Total", Decimal("20.64"), Decimal("2.61"), Decimal("23.25")]
    assert shown.context["payments_table"]["rows"][-1] == ["Total", 2, Decimal("23.25"), Decimal("3.00")]


def test_a_day_that_runs_is_compared_by_this_time(page, manager, ordered):
    running = page()
    assert running.context["tiles"][0]["period"] == "A week ago by this time"
    assert page(date="2026-03-06").context["tiles"][0]["period"] == "A week before"


def test_people_are_called_by_their_full_names_and_the_file_has_their_user_names(page, report, manager, ordered):
    cancel(manager, ordered)
    User.objects.filter(username="managers").update(first_name="Maeve", last_name="Delaney")
    order(Table.objects.get(), NOW, total="1")
    Order.objects.exclude(pk=ordered).update(placed_by="managers")
    shown = page()
    assert shown.context["takers_table"]["rows"] == [["Maeve Delaney", 1, 1]]
    assert [row[3] for row in shown.context["cancelled_table"]["rows"]] == ["Maeve Delaney"]
    text = shown.content.decode()
    assert "Printed 7 Mar 2026, 14:30 by Maeve Delaney" in text
    assert "managers" not in text.partition("<main")[2]
    assert report("/day")["placedBy"][0]["name"] == "managers"
    file = page(format="csv").content.decode()
    assert "managers,1,1" in file
    assert "Maeve" not in file


def test_average_order_and_table_sessions_stand_beside_a_week_before(page, table):
    for days, total in ((0, "30"), (7, "10"), (7, "20")):
        order(table, NOW - timedelta(days=days), total=total)
        start_session(table, NOW - timedelta(days=days))
    start_session(table, NOW - timedelta(days=7) + TICK)  # not yet by this time
    compared = {each["label"]: (each["value"], each.get("before")) for each in page().context["other_tiles"]}
    assert compared == {
        "Cancelled": (0, None), "Orders": (1, 2), "Average order": (30, 15), "Table sessions": (1, 2),
    }  # fmt: skip


def test_the_heading_fits_on_a_phone(page):
    assert "<h1>Sat, 7 Mar 2026</h1>" in page().content.decode()


def test_who_took_orders_has_a_total(page, table, soup, ordered):
    assert [row[0] for row in page().context["takers_table"]["rows"]] == ["managers"]
    order(table, NOW, (soup, 1))
    assert page().context["takers_table"]["rows"][-1] == ["Total", 2, Decimal("32.75")]


def test_what_is_due_leads_to_the_open_bills(page, manager, ordered, session):
    shown = page()
    assert [each["label"] for each in shown.context["main_tiles"]] == ["Sales", "Payments", "Still due", "Tips"]
    assert '<a href="#open-title">€23.25</a>' in shown.content.decode()
    assert shown.context["main_tiles"][2]["note"] == "1 open bill"
    assert "has left" not in shown.content.decode()
    TableSession.objects.update(ended_at=NOW)
    gone = page()
    assert gone.context["main_tiles"][2]["note"] == "1 open bill; 1 party has left"
    assert gone.context["open_table"]["asides"] == ["has left"]
    assert '<span class="chip chip-bad">has left</span>' in gone.content.decode()
    pay(manager, session, method="card")
    assert "#open-title" not in page().content.decode()


def test_the_printed_sheet_has_the_cash_to_count(page, manager, ordered, session):
    assert page().context["cash"] == 0
    pay(manager, session, method="cash", amount=5, tip=1)
    pay(manager, session, method="card", tip=2)
    shown = page()
    assert '<dd class="amount">€6.00</dd>' in shown.content.decode()
    assert "Printed 7 Mar 2026, 14:30 by managers" in shown.content.decode()


def test_the_printed_sheet_names_the_house_and_a_day_that_is_not_over(page, ordered):
    venue.remember(venue.Venue(name="Chez Nous", address="1 rue du <Port>\n13002 Marseille", vat_number="FR 123"))
    running, over = page().content.decode(), page(date="2026-03-06").content.decode()
    for text in (running, over):
        assert "<span>1 rue du &lt;Port&gt;, 13002 Marseille</span><span>VAT number FR 123</span>" in text
    assert "<strong>Interim, 14:30</strong>" in running
    assert "Interim" not in over


@pytest.mark.parametrize(
    ("day", "name"), [("2026-03-07", "Today"), ("2026-03-06", "Yesterday"), ("2026-03-05", "5 Mar 2026")]
)
def test_the_day_is_named_where_it_is_chosen(page, day, name):
    text = page(date=day).content.decode()
    assert f'<span class="visually-hidden">Day: </span>{name}</summary>' in text
    assert ('rel="next"' in text) == (name != "Today")


def test_what_was_sold_without_a_rate_is_in_the_total(page, table, ordered):
    order(table, NOW, (make_item("Water", "1"), 3))
    rows = page().context["taxes_table"]["rows"]
    assert rows[2:] == [
        ["No rate", None, None, 3], ["Total", Decimal("23.64"), Decimal("2.61"), Decimal("26.25")],
    ]  # fmt: skip


def test_an_empty_day_says_so(page):
    text = page().content.decode()
    for sentence in (
        "No payments on this day.",
        "Nothing was cancelled on this day.",
        "Every bill of this day is paid.",
    ):
        assert sentence in text
    assert "Cancelled and held orders are left out." in text


def test_the_csv_has_what_the_page_has(manager, ordered, session):
    response = manager.get(f"{DAY}?date=2026-03-07&format=csv")
    assert response["Content-Disposition"] == 'attachment; filename="day-2026-03-07.csv"'
    rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))
    for row in (
        ["Sales", "23.25", "0.00", "A week ago by this time"],
        ["13.5%", "16.74", "2.26", "19.00"],
        ["managers", "1", "23.25"],
    ):
        assert row in rows
    assert ["From", "2026-03-07T00:00:00+00:00"] in rows


# --- order lines ------------------------------------------------------------------------------------


def rows_of(manager, **query) -> list[dict[str, str]]:
    response = manager.get("/reports/restaurant/lines", query)
    assert (response.status_code, response["Content-Type"]) == (200, "text/csv; charset=utf-8")
    return list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode("utf-8-sig"))))


def test_every_line_is_in_it_with_its_status(manager, ordered, session, table, soup):
    cancel(manager, ordered, items=[{"position": 0, "quantity": 1}])
    held = order(table, NOW + timedelta(seconds=1), (soup, 3), status="held")
    first, second, third = rows_of(manager)
    common = {"date": "2026-03-07", "time": "14:30:00", "order": ordered, "table": "7", "session": str(session.pk)}
    assert first == common | {
        "item": "Ribollita", "options": "", "quantity": "2", "cancelled": "1", "unit_price": "9.50", "total": "9.50",
        "vat_rate": "13.50", "status": "pending", "placed_by": "managers",
    }  # fmt: skip
    assert (second["item"], second["vat_rate"], second["total"]) == ("Sourdough & olive oil", "9.00", "4.25")
    assert (third["order"], third["status"], third["vat_rate"], third["placed_by"]) == (str(held.pk), "held", "", "")


def test_both_days_are_in_it(manager, clock, table, soup):
    for days in range(5):
        order(table, MIDNIGHT - timedelta(days=days), (soup, 1))
    assert [row["date"] for row in rows_of(manager, **{"from": "2026-03-04", "to": "2026-03-06"})] == [
        "2026-03-04", "2026-03-05", "2026-03-06",
    ]  # fmt: skip
    assert len(rows_of(manager)) == 1


def test_cells_are_harmless_in_a_spreadsheet(manager, clock, table):
    placed = order(table, NOW, (make_item("=1+1", "1"), 1))
    type(placed).objects.update(placed_by="@cook")
    [row] = rows_of(manager)
    assert (row["item"], row["placed_by"]) == ("'=1+1", "'@cook")


@pytest.mark.parametrize(
    ("query", "field"),
    [({"from": "x"}, "from"), ({"to": "2026-02-30"}, "to"), ({"from": "2026-03-07", "to": "2026-03-06"}, "to")],
)
def test_bad_days_are_refused(manager, clock, query, field):
    response = manager.get("/reports/restaurant/lines", query)
    assert (response.status_code, list(response.json()["fields"])) == (400, [field])
    assert manager.get("/reports/restaurant/lines", query, headers={"accept": PAGE}).status_code == 400


def test_it_is_streamed_some_orders_at_a_time(manager, clock, table, soup, monkeypatch):
    for number in range(23):
        order(table, NOW + timedelta(seconds=number // 4), (soup, 1), (soup, 2))
    every = rows_of(manager)
    assert len(every) == 46
    monkeypatch.setattr(lines, "ORDERS", 5)
    with own_queries() as asked:
        rows = lines.rows(since=MIDNIGHT, until=MIDNIGHT + timedelta(days=1), zone=UTC)
        assert next(rows)
        first = len(asked)
        assert [str(row[2]) for row in rows] == [row["order"] for row in every[1:]]
    assert first == 2  # orders with tables, items with menu items
    assert len(asked) <= 5 * 2 + 1


def test_a_response_of_many_lines_comes_in_blocks(manager, clock, table, soup):
    order(table, NOW, *((soup, 1) for _ in range(2500)))
    response = manager.get("/reports/restaurant/lines")
    assert response.streaming
    sizes = [block.count(b"\n") for block in response.streaming_content]
    assert sizes == [0, 1000, 1000, 501]


def test_the_day_leads_to_its_lines(page):
    assert 'href="/reports/restaurant/lines?from=2026-03-07&amp;to=2026-03-07"' in page().content.decode()
