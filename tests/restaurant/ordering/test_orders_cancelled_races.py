"""Cancellations that meet a second one, or the kitchen's next step, at the same moment."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from restaurant.kitchen.printing import jobs
from restaurant.models import Order, OrderChange, Printer, PrintJob, TableSession
from restaurant.ordering.services import orders
from restaurant.ordering.services.cart import Entry
from tests.at_once import at_once
from tests.conftest import make_item, make_table, make_user, order_body, signed_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]

ROUNDS = 6


@pytest.fixture
def user(transactional_db) -> User:
    return make_user("Floor")


@pytest.fixture
def session(transactional_db) -> TableSession:
    return TableSession.objects.create(table=make_table())


@pytest.fixture
def dish(transactional_db) -> str:
    return str(make_item("Pizza", "10.00").pk)


def place(session: TableSession, dish: str, quantity: int = 1) -> str:
    placed = orders.place(table_number=7, session_id=str(session.pk), entries=[Entry(dish, quantity)])
    return str(placed.order.pk)


def poster(user: User, order_id: str, action: str, body: dict):
    client = signed_in(user)
    return lambda: client.post(f"/orders/{order_id}/{action}", body, format="json").status_code


def figures(session: TableSession) -> tuple[int, Decimal]:
    session.refresh_from_db()
    return session.total_orders, session.total_revenue


def test_of_five_dishes_eight_waiters_cancel_five(user, session, dish):
    for number in range(1, ROUNDS + 1):
        order_id = place(session, dish, quantity=5)
        body = {"reason": "sold_out", "items": [{"position": 0, "quantity": 1}]}
        statuses = at_once([poster(user, order_id, "cancel", body) for _ in range(8)])
        assert sorted(statuses) == [200] * 5 + [400] * 3
        order = Order.objects.get(pk=order_id)
        assert (order.status, order.total) == ("cancelled", Decimal("0.00"))
        assert OrderChange.objects.count() == 5 * number
        assert figures(session) == (0, Decimal("0.00"))


def test_the_whole_is_cancelled_once(user, session, dish):
    kept = place(session, dish)
    for number in range(1, ROUNDS + 1):
        order_id = place(session, dish)
        assert at_once([poster(user, order_id, "cancel", {"reason": "mistake"})] * 8) == [200] * 8
        assert OrderChange.objects.count() == number
        assert figures(session) == (1, Decimal("10.00"))
    assert Order.objects.get(pk=kept).status == "pending"


def test_an_order_is_either_completed_or_cancelled(user, session, dish):
    completed = 0
    for _ in range(ROUNDS * 2):
        order_id = place(session, dish)
        cancelled, moved = at_once(
            [
                poster(user, order_id, "cancel", {"reason": "guest_left"}),
                poster(user, order_id, "status", {"status": "completed"}),
            ]
        )
        status = Order.objects.get(pk=order_id).status
        assert (cancelled, moved, status) in {(200, 409, "cancelled"), (409, 200, "completed")}
        completed += status == "completed"
        assert figures(session) == (completed, Decimal("10.00") * completed)


def test_an_order_is_either_paid_printed_or_cancelled_by_its_guest(user, session, dish):
    client = signed_in(user)
    phone = APIClient()
    phone.get("/table/7")
    printer = Printer.objects.create(name="Pass", host="127.0.0.1", active=False)
    for number in range(ROUNDS * 2):
        body = order_body(session, (dish, 1))
        order_id = phone.post("/table/7/order", body, format="json").json()["orderId"]
        docket = PrintJob.objects.create(order_id=order_id, printer=printer)
        pay, cancel = poster_of_payment(client, session), poster_of_cancellation(phone, order_id)
        happened, cancelled = at_once([pay if number % 2 else lambda: jobs.begin(jobs.Job(docket, [])), cancel])  # noqa: B023
        assert happened is not cancelled, number
        if not number % 2:  # nothing of it is to be paid in the next round
            client.post(f"/orders/{order_id}/cancel", {"reason": "mistake"}, format="json")


def poster_of_payment(client: APIClient, session: TableSession) -> Callable[[], bool]:
    body = {"sessionId": str(session.pk), "method": "card"}
    return lambda: client.post("/table/7/payments", body, format="json").status_code == 201


def poster_of_cancellation(phone: APIClient, order_id: str) -> Callable[[], bool]:
    return lambda: phone.post(f"/orders/{order_id}/cancel").status_code == 200
