"""What happened to an order, on its page in the admin."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from restaurant.floor.services import moves
from restaurant.models import Order, OrderingRules
from restaurant.ordering.services import order_changes, order_steps, orders
from restaurant.ordering.services.cart import Entry
from restaurant.ordering.services.order_changes import Part
from tests.conftest import make_table, make_user
from tests.reading import read
from tests.restaurant.admin.pages import page_of, with_permissions, words_of


@pytest.fixture
def waiter(db):
    return make_user("Floor", "anna")


def place(session, *entries, **more) -> Order:
    number = session.table.table_number
    return orders.place(table_number=number, session_id=str(session.pk), entries=entries, **more).order


@pytest.fixture
def order(session, soup, bread):
    return place(session, Entry(str(soup.pk), 3, ""), Entry(str(bread.pk), 1, ""))


def what_else_happened(client, order) -> list[str]:
    """Without the times."""
    page = read(client.get(page_of(order)))
    if "What else happened" not in page:
        return []
    items = page.region("What else happened").texts("item")
    return [re.sub(r"^(\w+, )?\d\d:\d\d ", "", item) for item in items]


def test_it_is_told_in_order_with_who_did_it(managers_browser, order, waiter):
    Order.objects.filter(pk=order.pk).update(phone_key="x")
    order_changes.cancel(order_id=str(order.pk), user=waiter, reason="sold_out", parts=[Part(0, 2), Part(1, 1)])
    for status in ("preparing", "ready", "served", "completed"):
        order_steps.set_status(order_id=str(order.pk), status=status)
    type(waiter).objects.update(first_name="Anna", last_name="Byrne")
    page = words_of(managers_browser.get(page_of(order)))
    assert re.search("How far it is Placed Today, .* Ready .* Served? .* Completed .*Guest, on their phone", page)
    assert what_else_happened(managers_browser, order) == [
        "Cancelled: 2 × Ribollita, 1 × Sourdough & olive oil Sold out · €23.25 Anna Byrne"
    ]


def test_times_of_another_day_than_the_orders_have_their_day(managers_browser, order, clock):
    clock(datetime(2026, 11, 22, 12, tzinfo=UTC))
    at = datetime(2026, 3, 2, 23, 50, tzinfo=UTC)
    Order.objects.filter(pk=order.pk).update(
        status="completed", created_at=at, ready_at=at + timedelta(minutes=5), completed_at=at + timedelta(minutes=20)
    )
    page = words_of(managers_browser.get(page_of(order)))
    assert "Placed 2 Mar, 23:50 Ready 23:55 after 5 min Completed 3 Mar, 00:10 after 20 min" in page
    assert "What else happened" not in page  # the steps have said it all


def test_what_was_kept_for_later_is_told_with_who_sent_it(managers_browser, session, soup, waiter):
    first, second = (place(session, Entry(str(soup.pk), 1, later=True), staff="anna") for _ in range(2))
    order_changes.approve(order_id=str(first.pk), user=waiter)
    assert what_else_happened(managers_browser, first) == ["Taken, and kept for later anna", "Sent to the kitchen anna"]
    assert "Kept for later" in words_of(managers_browser.get(page_of(second)))
    order_changes.cancel(order_id=str(second.pk), user=waiter, reason="guest_left")
    assert what_else_happened(managers_browser, second)[1:] == ["Order cancelled Guest has left · €9.50 anna"]


def test_who_approved_an_order_is_told(managers_browser, session, soup, waiter):
    OrderingRules.objects.create(gate="approved")
    order = place(session, Entry(str(soup.pk), 1, ""))
    order_changes.approve(order_id=str(order.pk), user=waiter)
    assert what_else_happened(managers_browser, order) == ["Approved anna"]


def test_an_order_that_was_refused_says_so(managers_browser, session, soup, waiter):
    OrderingRules.objects.create(gate="approved")
    order = place(session, Entry(str(soup.pk), 1, ""))
    order_changes.cancel(order_id=str(order.pk), user=waiter, reason="kitchen_closed")
    assert what_else_happened(managers_browser, order) == ["Order refused Kitchen closed · €9.50 anna"]


def test_the_last_of_several_cancellations_is_that_of_the_order(managers_browser, order, waiter):
    order_changes.cancel(order_id=str(order.pk), user=waiter, reason="sold_out", parts=[Part(1, 1)])
    order_changes.cancel(order_id=str(order.pk), user=waiter, reason="other", note="Came too late")
    assert what_else_happened(managers_browser, order) == [
        "Cancelled: 1 × Sourdough & olive oil Sold out · €4.25 anna",
        "Order cancelled Came too late · €28.50 anna",
    ]


def test_moves_are_told_also_those_of_the_party_that_it_joined(managers_browser, session, order, waiter):
    there, further, earlier = make_table(20), make_table(21), make_table(22)
    host = earlier.sessions.create()
    moves.move(table_number=22, session_id=str(host.pk), to=20, user=waiter)  # no move of this order
    moves.move(table_number=session.table.table_number, session_id=str(session.pk), to=20, user=waiter)
    moves.move(table_number=20, session_id=str(host.pk), to=21, user=waiter)
    order.refresh_from_db()
    assert order.table == further
    assert what_else_happened(managers_browser, order) == [
        f"Moved from Table 7 to {there} anna",
        f"Moved from {there} to {further} anna",
    ]


def test_who_may_not_see_payments_is_told_of_none(order, waiter):
    order.session.payments.create(method="cash", amount=5)
    assert what_else_happened(with_permissions("view_order"), order) == []


def test_points_that_were_collected_are_told(managers_browser, order):
    Order.objects.filter(pk=order.pk).update(points_collected=12, collected_at=order.created_at + timedelta(minutes=40))
    assert what_else_happened(managers_browser, order) == ["Points collected"]


def test_payments_of_the_tables_bill_are_told(managers_browser, order):
    order.session.payments.create(method="cash", amount=5, created_at=order.created_at - timedelta(minutes=1))
    payment = order.session.payments.create(
        method="card", amount=5, tip=1, taken_by_name="vera", voided_by_name="anna", void_note="Wrong table"
    )
    payment.voided_at = payment.created_at + timedelta(minutes=1)
    payment.save()
    assert what_else_happened(managers_browser, order) == [
        "€5.00 of the bill paid by card Tip €1.00 vera",
        "Payment of €5.00 voided Wrong table anna",
    ]


def test_what_a_guest_cancelled_is_told(managers_browser, order):
    order_changes.cancel(order_id=str(order.pk), user=None, reason="mistake")
    assert what_else_happened(managers_browser, order)[0].endswith("Ordered by mistake · €32.75 Guest")
