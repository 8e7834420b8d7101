"""Orders, sessions, payments and changes are looked up in the admin, and made elsewhere."""

import csv
import io
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from restaurant.billing.services import payments
from restaurant.models import SESSION_WINDOW, Order, OrderChange, OrderItem, Payment, TableSession
from restaurant.ordering.services import order_changes, order_steps, orders
from restaurant.ordering.services.cart import Entry
from restaurant.ordering.services.order_changes import Part
from tests.conftest import make_item, make_table, make_user
from tests.reading import read
from tests.restaurant.admin.pages import (
    MENU,
    ORDERS,
    SESSIONS,
    TABLES,
    found,
    page_of,
    text_of,
    with_permissions,
    words_of,
)

PAYMENTS = reverse("admin:restaurant_payment_changelist")
CHANGES = reverse("admin:restaurant_orderchange_changelist")
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _noon(clock):
    clock(NOON)


@pytest.fixture
def waiter(db):
    return make_user("Floor", "anna")


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


@pytest.fixture
def change(order, waiter):
    order_changes.cancel(
        order_id=str(order.pk), user=waiter, reason="sold_out", note="<b>last one</b>", parts=[Part(0, 1)]
    )
    return OrderChange.objects.get()


@pytest.fixture
def payment(order, waiter):
    return payments.take(
        table_number=7, session_id=None, method="card", amount=Decimal(10), tip=Decimal("1.5"), user=waiter
    )


# --- orders ---------------------------------------------------------------------------------------


def test_the_list_says_number_table_status_and_total(managers_browser, order):
    assert f"{order.called} 22 Nov 2026, 12:00 Table 7 · Window received €23.25" in words_of(
        managers_browser.get(ORDERS)
    )


def test_an_orders_page_shows_what_was_ordered_as_it_was_then(managers_browser, order, soup):
    type(soup).objects.filter(pk=soup.pk).update(name="Zuppa", price="99")
    page = words_of(managers_browser.get(page_of(order)))
    assert "2 Ribollita No celery, please 0 €9.50 €19.00" in page
    assert "1 Sourdough & olive oil 0 €4.25 €4.25" in page
    assert "Total: €23.25" in page
    assert f"{order.called} · Table 7 · Window" in page
    assert found(managers_browser, ORDERS, q=order.called) == [order]


def test_an_orders_page_says_who_ordered_and_who_changed_it(managers_browser, order, change):
    page = words_of(managers_browser.get(page_of(order)))
    assert "Ordered by: Guest" in page
    assert "cancelled anna sold out <b>last one</b> €9.50" in page
    Order.objects.filter(pk=order.pk).update(placed_by="anna")
    assert "Ordered by: anna " in words_of(managers_browser.get(page_of(order)))


def test_an_orders_page_leads_to_its_bill_for_who_may_see_payments(managers_browser, session, order, waiter):
    bill = f'href="/table/7/bill?sessionId={session.pk}"'
    page = managers_browser.get(page_of(order))
    assert "The table's bill: €23.25, €23.25 due" in words_of(page)
    assert bill in text_of(page)
    payments.take(table_number=7, session_id=None, method="card", amount=None, user=waiter)
    assert "The table's bill: €23.25, paid" in words_of(managers_browser.get(page_of(order)))
    assert "/bill?" not in text_of(with_permissions("view_order").get(page_of(order)))
    Order.objects.update(status="cancelled")
    assert "/bill?" not in text_of(managers_browser.get(page_of(order)))


def test_who_may_cancel_is_led_to_the_orders_own_page(managers_browser, order):
    cancel = f'href="/orders/{order.pk}/cancel"'
    assert cancel in text_of(managers_browser.get(page_of(order)))
    assert cancel not in text_of(with_permissions("view_order").get(page_of(order)))
    for status in ("completed", "cancelled"):
        Order.objects.update(status=status)
        assert cancel not in text_of(managers_browser.get(page_of(order))), status


def test_orders_are_found_by_table_id_and_how_it_begins(managers_browser, order, other):
    assert found(managers_browser, ORDERS, q="7") == [order]
    assert found(managers_browser, ORDERS, q="70") == [other]
    assert found(managers_browser, ORDERS, q=str(other.pk).upper()) == [other]
    assert found(managers_browser, ORDERS, q=f" {str(order.pk)[:13]} ") == [order]
    assert found(managers_browser, ORDERS, q="nothing like it %") == []


def test_orders_are_filtered_by_status_day_and_session(managers_browser, order, other):
    order_steps.set_status(order_id=str(order.pk), status="ready")
    yesterday = timezone.now() - timedelta(days=1)
    Order.objects.filter(pk=other.pk).update(created_at=yesterday)
    assert found(managers_browser, ORDERS, status__exact="ready") == [order]
    day = {f"created_at__{unit}": getattr(yesterday, unit) for unit in ("year", "month", "day")}
    assert found(managers_browser, ORDERS, **day) == [other]
    assert found(managers_browser, ORDERS, session__id__exact=order.session_id) == [order]
    assert managers_browser.get(ORDERS, {"session__id__exact": "x"})["Location"] == f"{ORDERS}?e=1"


def test_orders_can_be_had_as_a_file(managers_browser, order, other):
    assert f'href="{ORDERS}export/' in text_of(managers_browser.get(ORDERS))
    file = managers_browser.get(f"{ORDERS}export/", {"q": "7"}).getvalue().decode("utf-8-sig")
    heading, row = csv.reader(io.StringIO(file))
    assert heading == ["Number", "Placed", "Table", "Status", "Total", "Completed"]
    placed = timezone.localtime(order.created_at).strftime("%Y-%m-%d %H:%M:%S")
    assert row == [order.called, placed, "Table 7 · Window", "received", "23.25", ""]


# --- sessions, payments and changes ---------------------------------------------------------------


def test_a_sessions_page_shows_its_orders_and_its_bill(managers_browser, session, order, other, payment):
    page = managers_browser.get(page_of(session))
    assert page_of(order) in text_of(page)
    assert page_of(other) not in text_of(page)
    assert "Bill: €23.25, €13.25 due" in words_of(page)
    assert "card anna €1.50 €10.00" in words_of(page)
    assert "due" not in words_of(with_permissions("view_tablesession").get(page_of(session)))


def test_sessions_are_filtered_by_whether_they_are_open(managers_browser, session, table):
    now = timezone.now()
    closed = TableSession.objects.create(table=table, ended_at=now)
    left = TableSession.objects.create(table=table, started_at=now - SESSION_WINDOW - timedelta(minutes=1))
    assert found(managers_browser, SESSIONS, state="open") == [session]
    assert found(managers_browser, SESSIONS, state="closed") == [closed]
    assert found(managers_browser, SESSIONS, state="left") == [left]
    assert len(found(managers_browser, SESSIONS, q="7")) == 3


def test_payments_are_found_by_method_and_who_took_them(managers_browser, payment):
    elsewhere = make_table(70).sessions.create()
    other = Payment.objects.create(
        session=elsewhere, method="cash", amount=5, taken_by_name="ben", voided_at=timezone.now(), void_note="twice"
    )
    assert found(managers_browser, PAYMENTS, method__exact="card") == [payment]
    assert found(managers_browser, PAYMENTS, q="ben") == [other]
    assert found(managers_browser, PAYMENTS, voided_at__isempty="0") == [other]
    assert "Table 7 · Window card €10.00 €1.50 anna" in words_of(managers_browser.get(PAYMENTS))


def test_changes_are_found_by_kind_and_note(managers_browser, change):
    assert found(managers_browser, CHANGES, q="last one") == [change]
    assert found(managers_browser, CHANGES, kind__exact="refused") == []
    assert "Table 7 · Window cancelled €9.50 sold out anna" in words_of(managers_browser.get(CHANGES))
    assert page_of(change.order) in text_of(managers_browser.get(page_of(change)))


def test_nobody_writes_here(owners_browser, order, session, payment, change):
    pages = ((order, ORDERS), (session, SESSIONS), (payment, PAYMENTS), (change, CHANGES))
    for row, address in pages:
        before = type(row).objects.values().get(pk=row.pk)
        assert owners_browser.get(f"{address}add/").status_code == 403
        assert owners_browser.post(page_of(row), {"status": "completed", "total": "0"}).status_code == 403
        assert owners_browser.post(page_of(row).replace("/change/", "/delete/"), {"post": "yes"}).status_code == 403
        assert type(row).objects.values().get(pk=row.pk) == before


# --- as many questions for many rows as for one ---------------------------------------------------


def place_one_at_each_of(numbers: range) -> None:
    for number in numbers:
        item, table = make_item(f"Dish {number}", category=f"Category {number}"), make_table(number)
        session = TableSession.objects.create(table=table)
        order = Order.objects.create(table=table, session=session, total=item.price)
        order.items.create(menu_item=item, name=item.name, quantity=1, price=item.price)
        Payment.objects.create(session=session, method="cash", amount=1)
        OrderChange.objects.create(order=order, kind="cancelled", amount=1)


def test_lists_pages_and_files_ask_as_many_questions_for_many_orders(managers_browser, django_assert_max_num_queries):
    def rows() -> int:
        return len(managers_browser.get(f"{ORDERS}export/").getvalue().splitlines()) - 1

    place_one_at_each_of(range(1, 2))
    with CaptureQueriesContext(connection) as for_one:
        assert rows() == 1
    place_one_at_each_of(range(2, 31))
    with django_assert_max_num_queries(len(for_one)):
        assert rows() == 30
    for address, most in ((MENU, 16), (TABLES, 14), (ORDERS, 14), (SESSIONS, 14), (PAYMENTS, 14), (CHANGES, 14)):
        with django_assert_max_num_queries(most):
            assert managers_browser.get(address).context["cl"].result_count >= 30
    order = Order.objects.latest("created_at")
    items = [make_item(f"Side {n}") for n in range(30)]
    OrderItem.objects.bulk_create(OrderItem(order=order, menu_item=item, price=1) for item in items)
    Order.objects.bulk_create(Order(session=order.session, table=order.table, total=1) for _ in range(30))
    for row, most in ((order, 20), (order.session, 20), (order.table, 16), (items[0], 22)):
        managers_browser.get(page_of(row))  # which remembers the types of content
        with django_assert_max_num_queries(most):
            managers_browser.get(page_of(row))


def test_a_list_counts_its_rows_once_and_reads_one_page_of_them(managers_browser, session):
    Order.objects.bulk_create(Order(session=session, table=session.table, total=1) for _ in range(120))
    with CaptureQueriesContext(connection) as asked:
        assert len(managers_browser.get(ORDERS).context["cl"].result_list) == 50
    counts = [each["sql"] for each in asked if "COUNT(*)" in each["sql"] and 'FROM "restaurant_order"' in each["sql"]]
    assert len(counts) == 1


def test_orders_are_sorted_by_what_has_an_index(managers_browser, order):
    heads = read(managers_browser.get(ORDERS)).all("table")[-1].element.findall(".//thead//th")
    sortable = [each.get("class") for each in heads if "sortable" in each.get("class")]
    assert [name.split("column-")[1].split()[0] for name in sortable] == ["called", "created_at", "cost"]
