import csv
import io
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from restaurant.models import SESSION_WINDOW, Order, OrderItem, TableSession
from restaurant.ordering.services import order_steps, orders
from restaurant.ordering.services.cart import Entry
from tests.conftest import make_item, make_table, unknown_id
from tests.reading import read
from tests.restaurant.admin.pages import MENU, ORDERS, SESSIONS, TABLES, found, page_of, text_of, words_of
from web.templatetags.moments import short_day

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _noon(clock):
    clock(NOON)


def place(session: TableSession, *entries: tuple) -> Order:
    lines = [Entry(str(item.pk), quantity, note) for item, quantity, note in entries]
    number = session.table.table_number
    return orders.place(table_number=number, session_id=str(session.pk), entries=lines).order


@pytest.fixture
def order(session, soup, bread):
    return place(session, (soup, 2, "No celery, please"), (bread, 1, ""))


@pytest.fixture
def other(bread):
    return place(TableSession.objects.create(table=make_table(70, "Bar")), (bread, 1, ""))


def test_the_list_says_table_status_items_and_total(managers_browser, order):
    assert "Table 7 · Window received 3 €23.25" in words_of(managers_browser.get(ORDERS))


def test_the_list_writes_short_times(managers_browser, order, other):
    placed = NOON.replace(hour=0, minute=5)
    Order.objects.filter(pk=order.pk).update(
        status="completed", created_at=placed, completed_at=placed + timedelta(minutes=18)
    )
    earlier = datetime(2026, 3, 2, 23, 50, tzinfo=UTC)
    Order.objects.filter(pk=other.pk).update(created_at=earlier, completed_at=earlier + timedelta(minutes=20))
    page = words_of(managers_browser.get(ORDERS))
    assert f"{order.called} Today, 00:05 Table 7 · Window completed 3 €23.25 00:23 · 18 min " in page
    assert f"{other.called} 2 Mar, 23:50 Table 70 · Bar received 1 €4.25 3 Mar, 00:10 · 20 min" in page


def test_sessions_and_what_was_paid_of_them_write_short_times_too(managers_browser, session):
    paid = timezone.now() - timedelta(hours=1)
    TableSession.objects.update(started_at=paid - timedelta(days=1), ended_at=paid)
    session.payments.create(method="cash", amount=3, created_at=paid)
    time = f"{timezone.localtime(paid):%H:%M}"
    page = words_of(managers_browser.get(SESSIONS))
    assert f"Yesterday, {time} Table 7 · Window Today, {time}" in page
    assert f"Today, {time} Table 7 · Window cash €3.00" in words_of(managers_browser.get("/admin/restaurant/payment/"))


def test_an_orders_page_shows_what_was_ordered_as_it_was_then(managers_browser, order, soup):
    type(soup).objects.filter(pk=soup.pk).update(name="Zuppa", price="99")
    page = words_of(managers_browser.get(page_of(order)))
    assert "2 Ribollita No celery, please €9.50 €19.00" in page
    assert "1 Sourdough & olive oil €4.25 €4.25" in page
    assert "Total €23.25" in page


def test_an_order_is_named_as_on_its_docket_and_found_so(managers_browser, order, other):
    called = f"#{str(order.pk)[:6].upper()}"
    page = read(managers_browser.get(page_of(order)))
    assert page.one("main").names("heading")[0] == f"{called} · Table 7 · Window"
    assert page.element.findtext("head/title").strip().startswith(f"{called} · Table 7 · Window · ")
    assert page.text.count("Table 7 · Window") == 1
    assert found(managers_browser, ORDERS, q=called) == [order]


def test_an_orders_page_writes_its_total_once(managers_browser, order):
    assert words_of(managers_browser.get(page_of(order))).count("€23.25") == 2  # of its items, and of its bill


def way_of(client, order) -> list[tuple[str, str]]:
    return [(step.label, step.state) for step in client.get(page_of(order)).context["steps"]]


def test_an_orders_page_shows_how_far_it_is_and_when_each_step_was(managers_browser, order):
    ahead = [("Ready", "ahead"), ("Served", "ahead")]
    assert way_of(managers_browser, order) == [("Placed", "now"), ("Preparing", "ahead"), *ahead]
    order_steps.set_status(order_id=str(order.pk), status="preparing")
    assert way_of(managers_browser, order) == [("Placed", "done"), ("Preparing", "now"), *ahead]
    order_steps.set_status(order_id=str(order.pk), status="ready")
    assert way_of(managers_browser, order) == [("Placed", "done"), ("Ready", "now"), ("Served", "ahead")]
    order_steps.set_status(order_id=str(order.pk), status="served")
    order_steps.set_status(order_id=str(order.pk), status="completed")
    placed = datetime(2026, 3, 2, 19, 5, tzinfo=timezone.get_current_timezone())
    times = {"ready_at": 11, "served_at": 14, "completed_at": 45}
    Order.objects.filter(pk=order.pk).update(
        created_at=placed + timedelta(seconds=50),  # and yet the minutes are those between the times that are shown
        **{name: placed + timedelta(minutes=minutes) for name, minutes in times.items()},
    )
    page = words_of(managers_browser.get(page_of(order)))
    assert f"Placed {short_day(placed)}, 19:05 Ready 19:16 after 11 min Served 19:19 after 14 min" in page
    assert "Completed 19:50 after 45 min" in page
    assert "19:50 · 45 min" in words_of(managers_browser.get(ORDERS))
    Order.objects.filter(pk=order.pk).update(completed_at=placed - timedelta(days=1))  # can't be, and is not drawn
    listed = words_of(managers_browser.get(ORDERS))
    assert listed.endswith(f"{short_day(placed - timedelta(days=1))}, 19:05")
    assert "19:05 after" not in words_of(managers_browser.get(page_of(order)))


def test_an_order_that_waits_or_is_cancelled_says_so_on_its_way(managers_browser, order):
    Order.objects.filter(pk=order.pk).update(status="held")
    ahead = [("Preparing", "ahead"), ("Ready", "ahead"), ("Served", "ahead")]
    assert way_of(managers_browser, order) == [("Placed", "done"), ("Waits for approval", "now"), *ahead]
    Order.objects.filter(pk=order.pk).update(status="cancelled", cancelled_at=timezone.now())
    assert way_of(managers_browser, order) == [("Placed", "done"), ("Cancelled", "now")]


def test_an_orders_page_says_who_ordered(managers_browser, order):
    assert "Ordered by Guest Session" in words_of(managers_browser.get(page_of(order)))
    Order.objects.filter(pk=order.pk).update(phone_key="x")
    assert "Ordered by Guest, on their phone " in words_of(managers_browser.get(page_of(order)))
    Order.objects.filter(pk=order.pk).update(placed_by="anna")
    assert "Ordered by anna " in words_of(managers_browser.get(page_of(order)))


def test_a_sessions_page_shows_its_orders(managers_browser, session, order, other):
    page = text_of(managers_browser.get(page_of(session)))
    assert page_of(order) in page
    assert page_of(other) not in page
    assert "Table 7 · Window" in page


def test_scans_and_orders_of_a_session_are_grouped_by_thousands(managers_browser, session):
    TableSession.objects.filter(pk=session.pk).update(total_scans=12_345, total_orders=6_789)
    assert "12,345 6,789" in words_of(managers_browser.get(SESSIONS))
    assert re.search("Scans 12,345 .*Orders 6,789 ", words_of(managers_browser.get(page_of(session))))


def test_a_long_sessions_page_leads_to_the_rest_of_its_orders(managers_browser, session, order, other):
    Order.objects.bulk_create(Order(session=session, table=session.table, total=1) for _ in range(60))
    page = text_of(managers_browser.get(page_of(session)))
    assert f'href="{ORDERS}?session={session.pk}"' in page
    assert len(found(managers_browser, ORDERS, session=session.pk, all="")) == 61


def test_orders_are_found_by_table_id_and_how_it_begins(managers_browser, order, other):
    assert found(managers_browser, ORDERS, q="7") == [order]
    assert found(managers_browser, ORDERS, q="70") == [other]
    assert found(managers_browser, ORDERS, q=str(other.pk).upper()) == [other]
    assert found(managers_browser, ORDERS, q=f" {str(order.pk)[:13]} ") == [order]
    assert found(managers_browser, ORDERS, q="nothing like it %") == []
    assert found(managers_browser, ORDERS, table="70") == [other]


def test_orders_are_filtered_by_status_and_date(managers_browser, order, other):
    order_steps.set_status(order_id=str(order.pk), status="ready")
    Order.objects.filter(pk=other.pk).update(created_at=timezone.now() - timedelta(days=40))
    assert found(managers_browser, ORDERS, status__exact="ready") == [order]
    assert found(managers_browser, ORDERS, created_at__gte=str(timezone.now() - timedelta(days=7))) == [order]


def test_a_filter_that_nothing_fits_shows_nothing(managers_browser, order):
    for query in ("table=x", "session=x", f"session={unknown_id()}", "table=99999999999"):
        assert found(managers_browser, f"{ORDERS}?{query}") == [], query


def test_sessions_are_filtered_by_whether_they_are_open(managers_browser, session, table):
    now = timezone.now()
    closed = TableSession.objects.create(table=table, ended_at=now)
    left = TableSession.objects.create(table=table, started_at=now - SESSION_WINDOW - timedelta(minutes=1))
    assert found(managers_browser, SESSIONS, state="open") == [session]
    assert found(managers_browser, SESSIONS, state="closed") == [closed]
    assert found(managers_browser, SESSIONS, state="left") == [left]
    assert len(found(managers_browser, SESSIONS, q="7")) == 3


def test_nobody_writes_here(owners_browser, order, session):
    for row, address in ((order, ORDERS), (session, SESSIONS)):
        before = type(row).objects.values().get(pk=row.pk)
        assert owners_browser.get(f"{address}add/").status_code == 403
        assert owners_browser.post(page_of(row), {"status": "completed", "total": "0"}).status_code == 403
        assert owners_browser.post(page_of(row).replace("change", "delete"), {"post": "yes"}).status_code == 403
        assert type(row).objects.values().get(pk=row.pk) == before


# --- the file -------------------------------------------------------------------------------------


def test_orders_can_be_had_as_a_file(managers_browser, order, other):
    assert f'href="{ORDERS}export/' in text_of(managers_browser.get(ORDERS))
    file = managers_browser.get(f"{ORDERS}export/", {"table": "7"}).getvalue().decode("utf-8-sig")
    heading, row = csv.reader(io.StringIO(file))
    assert heading == ["Order", "Placed", "Table", "Status", "Items", "Total", "Completed"]
    placed = timezone.localtime(order.created_at).strftime("%Y-%m-%d %H:%M:%S")
    assert row == [order.called, placed, "Table 7 · Window", "received", "3", "23.25", ""]


# --- as many questions for many rows as for one ---------------------------------------------------


def place_one_at_each_of(numbers: range) -> None:
    for number in numbers:
        item, table = make_item(f"Dish {number}", category=f"Category {number}"), make_table(number)
        session = TableSession.objects.create(table=table)
        order = Order.objects.create(table=table, session=session, total=item.price)
        order.items.create(menu_item=item, name=item.name, quantity=1, price=item.price)


def test_lists_pages_and_files_ask_as_many_questions_for_many_orders(managers_browser, django_assert_max_num_queries):
    def rows() -> int:
        return len(managers_browser.get(f"{ORDERS}export/").getvalue().splitlines()) - 1

    place_one_at_each_of(range(1, 2))
    with CaptureQueriesContext(connection) as for_one:
        assert rows() == 1
    place_one_at_each_of(range(2, 31))
    with django_assert_max_num_queries(len(for_one)):
        assert rows() == 30
    for address, most in ((MENU, 16), (TABLES, 14), (ORDERS, 14), (SESSIONS, 14)):
        with django_assert_max_num_queries(most):
            assert managers_browser.get(address).context["cl"].result_count >= 30
    order = Order.objects.latest("created_at")
    items = [make_item(f"Side {n}") for n in range(30)]
    OrderItem.objects.bulk_create(OrderItem(order=order, menu_item=item, price=1) for item in items)
    Order.objects.bulk_create(Order(session=order.session, table=order.table, total=1) for _ in range(30))
    for row, most in ((order, 17), (order.session, 17), (order.table, 16), (items[0], 20)):
        managers_browser.get(page_of(row))  # which remembers the types of content
        with django_assert_max_num_queries(most):
            managers_browser.get(page_of(row))
