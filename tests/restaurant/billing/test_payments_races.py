"""Payments of one bill that arrive at the same moment as others, as a cancellation, a void, or the closing."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from restaurant.billing.services import closing, payments
from restaurant.models import Order, Payment, TableSession
from restaurant.ordering.services import order_changes, orders
from restaurant.ordering.services.cart import Entry
from tests.at_once import at_once, before_commit
from tests.conftest import make_item, make_table, make_user, signed_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]

TEN = Decimal("10.00")


@pytest.fixture
def user(transactional_db) -> User:
    return make_user("Managers")


@pytest.fixture
def session(transactional_db) -> TableSession:
    return TableSession.objects.create(table=make_table())


@pytest.fixture
def dish(transactional_db) -> str:
    return str(make_item("Pizza", "10.00").pk)


def order(session: TableSession, dish: str) -> str:
    return str(orders.place(table_number=7, session_id=str(session.pk), entries=[Entry(dish)]).order.pk)


def payer(user: User, session: TableSession, key: str = "") -> Callable[[], tuple[int, float | None]]:
    """A till that takes ten euros: the status, and what is due after it."""
    headers = {"Idempotency-Key": key} if key else {}
    body = {"sessionId": str(session.pk), "method": "card", "amount": 10}
    client = signed_in(user)

    def pay() -> tuple[int, float | None]:
        response = client.post("/table/7/payments", body, format="json", headers=headers)
        return response.status_code, response.json().get("due")

    return pay


def paid(session: TableSession) -> Decimal:
    return sum((each.amount for each in Payment.objects.filter(session=session, voided_at=None)), Decimal("0.00"))


def test_of_two_tills_one_takes_the_last_ten_euros(user, session, dish):
    for number in range(1, 9):
        order(session, dish)
        results = at_once([payer(user, session), payer(user, session)])
        assert sorted(results, key=str) == [(201, 0), (400, None)]
        assert paid(session) == TEN * number


def test_twenty_taps_with_one_key_are_one_payment(user, session, dish):
    for _ in range(3):
        order(session, dish)
    assert at_once([payer(user, session, "one tap")] * 20) == [(201, 20)] * 20
    assert paid(session) == TEN


def test_while_a_table_is_closed_its_last_ten_euros_are_taken_once(user, dish, session):
    for _ in range(6):
        party = TableSession.objects.create(table=session.table)
        order(party, dish)

        def close(party: TableSession = party) -> None:
            closing.close_session(table_number=7, session_id=str(party.pk))

        *results, _ = at_once([*[payer(user, party) for _ in range(4)], close])
        assert sorted(results, key=str) == [(201, 0), *[(400, None)] * 3]
        assert (paid(party), TableSession.objects.get(pk=party.pk).is_open) == (TEN, False)


def test_a_payment_voided_while_others_pay_leaves_no_more_than_the_bill(user, session, dish):
    for number in range(1, 9):
        order(session, dish)
        payer(user, session)()
        latest = Payment.objects.order_by("created_at").last()

        def void(payment: Payment = latest) -> None:
            payments.void(payment_id=str(payment.pk), user_name="boss")

        at_once([*[payer(user, session) for _ in range(4)], void])
        assert paid(session) <= TEN * number
        while paid(session) < TEN * number:
            assert payer(user, session)()[0] == 201


def test_a_dish_cancelled_while_others_pay_leaves_no_more_than_was_ordered(user, session, dish):
    for _ in range(6):
        party = TableSession.objects.create(table=session.table)
        kept, cancelled = order(party, dish), order(party, dish)

        def cancel(order_id: str = cancelled) -> None:
            order_changes.cancel(order_id=order_id, user=user, reason="mistake")

        *results, _ = at_once([*[payer(user, party) for _ in range(4)], cancel])
        assert {status for status, _ in results} == {201, 400}
        assert TEN <= paid(party) <= TEN * 2
        assert Order.objects.get(pk=kept).total == TEN


# --- one after the other, in an order that is certain -------------------------------------------------


def test_a_payment_waits_for_a_cancellation_that_leaves_nothing_due(user, session, dish):
    order_id = order(session, dish)

    def cancel() -> None:
        order_changes.cancel(order_id=order_id, user=user, reason="mistake")

    assert before_commit(cancel, payer(user, session)) == (400, None)
    assert not Payment.objects.exists()


def test_a_payment_waits_for_a_void_that_makes_it_due_again(user, session, dish):
    order(session, dish)
    payer(user, session)()
    latest = Payment.objects.get()

    def void() -> None:
        payments.void(payment_id=str(latest.pk), user_name="boss")

    assert before_commit(void, payer(user, session)) == (201, 0)
    assert paid(session) == TEN


def test_a_void_counts_the_payment_that_it_waited_for(user, session, dish):
    for _ in range(2):
        order(session, dish)
    payer(user, session)()
    first = Payment.objects.get()
    client = signed_in(user)

    def void() -> tuple[int, float | None]:
        response = client.post(f"/payments/{first.pk}/void")
        return response.status_code, response.json()["due"]

    def pay() -> None:
        payments.take(table_number=7, session_id=str(session.pk), method="cash", user=user)

    assert before_commit(pay, void) == (200, 10)
