"""Approvals that arrive at the same moment as another approval, a refusal or the closing of the table."""

from decimal import Decimal
from functools import partial

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from restaurant.models import MenuItem, Order, OrderChange, OrderingRules, TableSession
from tests.at_once import at_once
from tests.conftest import make_item, make_table, make_user, order_body, signed_in
from tests.restaurant.kitchen.displays import announced

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


@pytest.fixture
def floor(transactional_db):
    return make_user("Floor")


@pytest.fixture
def held(transactional_db):
    """Place one order that is held, in a session of its own."""
    OrderingRules(gate="approved").save()
    table, soup = make_table(), make_item()

    def place() -> str:
        session = TableSession.objects.create(table=table)
        body = order_body(session, (soup, 2))
        return APIClient().post("/table/7/order", body, format="json").json()["orderId"]

    return place


@pytest.fixture
def kept(floor):
    """Have staff take one order that is sent later."""
    make_table(), make_item()
    waiter = signed_in(floor)

    def place() -> str:
        TableSession.objects.update(ended_at=timezone.now())
        items = [{"menuItemId": str(MenuItem.objects.get().pk), "quantity": 2}]
        return waiter.post("/table/7/order", {"items": items, "later": True}, format="json").json()["orderId"]

    return place


@pytest.mark.parametrize("by", ["held", "kept"])
def test_approved_twice_at_the_same_moment_the_kitchen_hears_of_it_once(floor, by, request):
    place = request.getfixturevalue(by)
    clients = [signed_in(floor) for _ in range(6)]
    for _ in range(4):
        order_id = place()
        approvals = [partial(client.post, f"/orders/{order_id}/approve") for client in clients]
        statuses: set[int] = set()
        heard = announced(lambda: statuses.update(each.status_code for each in at_once(approvals)))  # noqa: B023
        assert statuses == {200}
        assert [each["type"] for each in heard].count("new_order") == 1
        session = Order.objects.get(pk=order_id).session
        assert (session.total_orders, session.total_revenue) == (1, Decimal("19.00"))
        assert OrderChange.objects.filter(order=order_id).count() == 1


def test_approved_and_refused_at_the_same_moment_it_is_one_of_the_two(floor, held):
    approver, refuser = signed_in(floor), signed_in(floor)
    for _ in range(8):
        order_id = held()

        def refuse(order_id=order_id) -> int:
            return refuser.post(f"/orders/{order_id}/cancel", {"reason": "other"}, format="json").status_code

        approved, refused = at_once(
            [lambda order_id=order_id: approver.post(f"/orders/{order_id}/approve").status_code, refuse]
        )
        assert refused == 200
        assert approved in (200, 409)
        order = Order.objects.get(pk=order_id)
        kinds = list(order.changes.values_list("kind", flat=True))
        assert kinds == (["approved", "cancelled"] if approved == 200 else ["refused"])
        assert order.status == "cancelled"
        assert (order.session.total_orders, order.session.total_revenue) == (0, Decimal("0.00"))


def test_approved_while_its_table_is_closed_it_counts_before_or_is_refused(floor, held):
    approver, closer = signed_in(floor), signed_in(floor)
    for _ in range(8):
        order_id = held()
        session_id = str(Order.objects.get(pk=order_id).session_id)

        def close(session_id=session_id) -> int:
            return closer.post("/table/7/close", {"sessionId": session_id}, format="json").json()["totalOrders"]

        approved, closed = at_once(
            [lambda order_id=order_id: approver.post(f"/orders/{order_id}/approve").status_code, close]
        )
        assert (approved, closed) in ((200, 1), (409, 0))
