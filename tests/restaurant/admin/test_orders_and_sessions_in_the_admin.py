import csv
import io
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from restaurant.models import SESSION_WINDOW, Order, OrderItem, TableSession
from restaurant.services import order_steps, orders
from restaurant.services.cart import Entry
from tests.conftest import make_item, make_table, unknown_id
from tests.restaurant.admin.pages import MENU, ORDERS, SESSIONS, TABLES, found, page_of, text_of, words_of
from web.moments import recent, short_day


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


def test_the_list_says_table_status_items_and_total(manager, order):
    assert "Table 7 · Window received 3 €23.25" in words_of(manager.get(ORDERS))


def test_the_list_writes_short_times(manager, order, other):
    now = timezone.localtime()
    placed = now.replace(hour=0, minute=5)
    Order.objects.filter(pk=order.pk).update(
        status="completed", created_at=placed, completed_at=placed + timedelta(minutes=18)
    )
    earlier = datetime(2026, 3, 2, 23, 50, tzinfo=timezone.get_current_timezone())
    Order.objects.filter(pk=other.pk).update(created_at=earlier, completed_at=earlier + timedelta(minutes=20))
    page = words_of(manager.get(ORDERS))
    assert f"{order.called} Today, 00:05 Table 7 · Window completed 3 €23.25 00:23 · 18 min " in page
    short = recent(earlier).partition(">")[2].partition("<")[0]
    assert short == ("2 Mar, 23:50" if now.year == 2026 else "2 Mar 2026, 23:50")
    next_day = short_day(earlier + timedelta(minutes=20))
    assert next_day == ("3 Mar" if now.year == 2026 else "3 Mar 2026")
    assert f"{other.called} {short} Table 70 · Bar received 1 €4.25 {next_day}, 00:10 · 20 min" in page


def test_sessions_and_what_was_paid_of_them_write_short_times_too(manager, session, clock):
    clock(datetime(2026, 11, 22, 12, tzinfo=UTC))
    paid = timezone.now() - timedelta(hours=1)
    TableSession.objects.update(started_at=paid - timedelta(days=1), ended_at=paid)
    session.payments.create(method="cash", amount=3, created_at=paid)
    time = f"{timezone.localtime(paid):%H:%M}"
    page = words_of(manager.get(SESSIONS))
    assert f"Yesterday, {time} Table 7 · Window Today, {time}" in page
    assert f"Today, {time} Table 7 · Window cash €3.00" in words_of(manager.get("/admin/restaurant/payment/"))


def test_an_orders_page_shows_what_was_ordered_as_it_was_then(manager, order, soup):
    type(soup).objects.filter(pk=soup.pk).update(name="Zuppa", price="99")
    page = words_of(manager.get(page_of(order)))
    assert "2 Ribollita No celery, please €9.50 €19.00" in page
    assert "1 Sourdough & olive oil €4.25 €4.25" in page
    assert "Total €23.25" in page


def test_an_order_is_named_as_on_its_docket_and_found_so(manager, order, other):
    called = f"#{str(order.pk)[:6].upper()}"
    page = text_of(manager.get(page_of(order)))
    heading = re.sub("<[^>]+>", "", page.partition("<h1>")[2].partition("</h1>")[0])
    assert heading.strip() == f"{called} · Table 7 · Window"
    assert f"<title>{called} · Table 7 · Window · " in page
    assert words_of(manager.get(page_of(order))).count("Table 7 · Window") == 2
    assert found(manager, ORDERS, q=called) == [order]


def test_an_orders_page_writes_its_total_once(manager, order):
    assert words_of(manager.get(page_of(order))).count("€23.25") == 2  # of its items, and of its bill


def way_of(client, order) -> list[tuple[str, str]]:
    return [(step.words, step.state) for step in client.get(page_of(order)).context["steps"]]


def test_an_orders_page_shows_how_far_it_is_and_when_each_step_was(manager, order):
    ahead = [("Ready", "ahead"), ("Served", "ahead")]
    assert way_of(manager, order) == [("Placed", "now"), ("Preparing", "ahead"), *ahead]
    order_steps.set_status(order_id=str(order.pk), status="preparing")
    assert way_of(manager, order) == [("Placed", "done"), ("Preparing", "now"), *ahead]
    order_steps.set_status(order_id=str(order.pk), status="ready")
    assert way_of(manager, order) == [("Placed", "done"), ("Ready", "now"), ("Served", "ahead")]
    order_steps.set_status(order_id=str(order.pk), status="served")
    order_steps.set_status(order_id=str(order.pk), status="completed")
    placed = datetime(2026, 3, 2, 19, 5, tzinfo=timezone.get_current_timezone())
    times = {"ready_at": 11, "served_at": 14, "completed_at": 45}
    Order.objects.filter(pk=order.pk).update(
        created_at=placed + timedelta(seconds=50),  # and yet the minutes are those between the times that are shown
        **{name: placed + timedelta(minutes=minutes) for name, minutes in times.items()},
    )
    page = words_of(manager.get(page_of(order)))
    assert f"Placed {short_day(placed)}, 19:05 Ready 19:16 after 11 min Served 19:19 after 14 min" in page
    assert "Completed 19:50 after 45 min" in page
    assert "19:50 · 45 min" in words_of(manager.get(ORDERS))
    Order.objects.filter(pk=order.pk).update(completed_at=placed - timedelta(days=1))  # can't be, and is not drawn
    listed = words_of(manager.get(ORDERS))
    assert listed.endswith(f"{short_day(placed - timedelta(days=1))}, 19:05")
    assert "19:05 after" not in words_of(manager.get(page_of(order)))


def test_an_order_that_waits_or_is_cancelled_says_so_on_its_way(manager, order):
    Order.objects.filter(pk=order.pk).update(status="held")
    ahead = [("Preparing", "ahead"), ("Ready", "ahead"), ("Served", "ahead")]
    assert way_of(manager, order) == [("Placed", "done"), ("Waits for approval", "now"), *ahead]
    Order.objects.filter(pk=order.pk).update(status="cancelled", cancelled_at=timezone.now())
    assert way_of(manager, order) == [("Placed", "done"), ("Cancelled", "now")]


def test_an_orders_page_says_who_ordered(manager, order):
    assert "Ordered by Guest Session" in words_of(manager.get(page_of(order)))
    Order.objects.filter(pk=order.pk).update(phone_key="x")
    assert "Ordered by Guest, on their phone " in words_of(manager.get(page_of(order)))
    Order.objects.filter(pk=order.pk).update(placed_by="anna")
    assert "Ordered by anna " in words_of(manager.get(page_of(order)))


def test_a_sessions_page_shows_its_orders(manager, session, order, other):
    page = text_of(manager.get(page_of(session)))
    assert page_of(order) in page
    assert page_of(other) not in page
    assert "Table 7 · Window" in page


def test_scans_and_orders_of_a_session_are_grouped_by_thousands(manager, session):
    TableSession.objects.filter(pk=session.pk).update(total_scans=12_345, total_orders=6_789)
    assert "12,345 6,789" in words_of(manager.get(SESSIONS))
    assert re.search("Scans 12,345 .*Orders 6,789 ", words_of(manager.get(page_of(session))))


def test_a_long_sessions_page_leads_to_the_rest_of_its_orders(manager, session, order, other):
    Order.objects.bulk_create(Order(session=session, table=session.table, total=1) for _ in range(60))
    page = text_of(manager.get(page_of(session)))
    assert f'href="{ORDERS}?session={session.pk}"' in page
    assert len(found(manager, ORDERS, session=session.pk, all="")) == 61


def test_orders_are_found_by_table_id_and_how_it_begins(manager, order, other):
    assert found(manager, ORDERS, q="7") == [order]
    assert found(manager, ORDERS, q="70") == [other]
    assert found(manager, ORDERS, q=str(other.pk).upper()) == [other]
    assert found(manager, ORDERS, q=f" {str(order.pk)[:13]} ") == [order]
    assert found(manager, ORDERS, q="nothing like it %") == []
    assert found(manager, ORDERS, table="70") == [other]


def test_orders_are_filtered_by_status_and_date(manager, order, other):
    order_steps.set_status(order_id=str(order.pk), status="ready")
    Order.objects.filter(pk=other.pk).update(created_at=timezone.now() - timedelta(days=40))
    assert found(manager, ORDERS, status__exact="ready") == [order]
    assert found(manager, ORDERS, created_at__gte=str(timezone.now() - timedelta(days=7))) == [order]


@pytest.mark.parametrize("query", ["table=x", "session=x", f"session={unknown_id()}", "table=99999999999"])
def test_a_filter_that_nothing_fits_shows_nothing(manager, order, query):
    assert found(manager, f"{ORDERS}?{query}") == []


def test_sessions_are_filtered_by_whether_they_are_open(manager, session, table):
    now = timezone.now()
    closed = TableSession.objects.create(table=table, ended_at=now)
    left = TableSession.objects.create(table=table, started_at=now - SESSION_WINDOW - timedelta(minutes=1))
    assert found(manager, SESSIONS, state="open") == [session]
    assert found(manager, SESSIONS, state="closed") == [closed]
    assert found(manager, SESSIONS, state="left") == [left]
    assert len(found(manager, SESSIONS, q="7")) == 3


def test_nobody_writes_here(owner, order, session):
    for row, address in ((order, ORDERS), (session, SESSIONS)):
        before = type(row).objects.values().get(pk=row.pk)
        assert owner.get(f"{address}add/").status_code == 403
        assert owner.post(page_of(row), {"status": "completed", "total": "0"}).status_code == 403
        assert owner.post(page_of(row).replace("change", "delete"), {"post": "yes"}).status_code == 403
        assert type(row).objects.values().get(pk=row.pk) == before


def test_cashiers_and_waiters_have_nothing_to_do_here(colleague, order):
    for address in (ORDERS, SESSIONS, page_of(order), page_of(order.session)):
        assert colleague.get(address).status_code == 403


# --- the file -------------------------------------------------------------------------------------


def test_orders_can_be_had_as_a_file(manager, order, other):
    assert f'href="{ORDERS}export/' in text_of(manager.get(ORDERS))
    file = manager.get(f"{ORDERS}export/", {"table": "7"}).getvalue().decode("utf-8-sig")
    heading, row = csv.reader(io.StringIO(file))
    assert heading == ["Order", "Placed", "Table", "Status", "Items", "Total", "Completed"]
    placed = timezone.localtime(order.created_at).strftime("%Y-%m-%d %H:%M:%S")
    assert row == [order.called, placed, "Table 7 · Window", "received", "3", "23.25", ""]


def test_a_file_asks_as_many_questions_for_many_orders_as_for_one(manager, django_assert_num_queries):
    def rows() -> int:
        return len(manager.get(f"{ORDERS}export/").getvalue().splitlines()) - 1

    place_one_at_each_of(range(1, 2))
    with CaptureQueriesContext(connection) as for_one:
        assert rows() == 1
    place_one_at_each_of(range(2, 31))
    with django_assert_num_queries(len(for_one)):
        assert rows() == 30


def test_who_may_not_see_orders_gets_no_file(colleague, order):
    assert colleague.get(f"{ORDERS}export/").status_code == 403


# --- as many questions for many rows as for one ---------------------------------------------------


def place_one_at_each_of(numbers: range) -> None:
    for number in numbers:
        item = make_item(f"Dish {number}", category=f"Category {number}")
        place(TableSession.objects.create(table=make_table(number)), (item, 1, ""))


@pytest.fixture
def thirty(db):
    place_one_at_each_of(range(1, 31))


@pytest.mark.parametrize(("address", "most"), [(MENU, 16), (TABLES, 14), (ORDERS, 14), (SESSIONS, 14)])
def test_a_list_asks_few_questions(manager, thirty, address, most, django_assert_max_num_queries):
    with django_assert_max_num_queries(most):
        assert manager.get(address).context["cl"].result_count >= 30


def test_a_page_asks_few_questions(manager, thirty, django_assert_max_num_queries):
    order = Order.objects.latest("created_at")
    items = [make_item(f"Side {n}") for n in range(30)]
    OrderItem.objects.bulk_create(OrderItem(order=order, menu_item=item, price=1) for item in items)
    Order.objects.bulk_create(Order(session=order.session, table=order.table, total=1) for _ in range(30))
    for row, most in ((order, 17), (order.session, 17), (order.table, 16), (items[0], 20)):
        with django_assert_max_num_queries(most):
            manager.get(page_of(row))
