"""Discounts, parts and payments of one bill that arrive while another one is under way."""

from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from restaurant.billing.queries import bill_of
from restaurant.billing.queries.chosen import Chosen
from restaurant.billing.services import adjustments, closing, parts, payments
from restaurant.models import Adjustment, BillPart, Payment, TableSession
from restaurant.ordering.services import orders
from restaurant.ordering.services.cart import Entry
from tests.at_once import at_once, before_commit
from tests.conftest import make_item, make_table, make_user
from web.errors import DomainError

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


@pytest.fixture
def user(transactional_db) -> User:
    return make_user("Managers")


@pytest.fixture
def session(transactional_db) -> TableSession:
    return TableSession.objects.create(table=make_table())


@pytest.fixture
def dish(transactional_db) -> str:
    return str(make_item("Pizza", "10.00").pk)


@pytest.fixture
def order_id(session, dish) -> str:
    return str(orders.place(table_number=7, session_id=str(session.pk), entries=[Entry(dish, 2)]).order.pk)


def discount(session: TableSession, user: User, percent: int = 50) -> Adjustment:
    return adjustments.adjust(
        table_number=7, session_id=str(session.pk), kind="discount", percent=Decimal(percent), reason="other", user=user
    )


def pay(session: TableSession, user: User, **values) -> Decimal | str:
    """What was paid, or the name of the refusal."""
    try:
        return payments.take(table_number=7, session_id=str(session.pk), method="card", user=user, **values).amount
    except DomainError as error:
        return type(error).__name__


def test_a_payment_takes_what_a_discount_leaves(session, user, order_id):
    assert before_commit(lambda: discount(session, user), lambda: pay(session, user)) == 10


def test_an_order_is_discounted_that_a_discount_waits_for(session, user, order_id, dish):
    def order() -> None:
        orders.place(table_number=7, session_id=str(session.pk), entries=[Entry(dish)])

    assert before_commit(order, lambda: discount(session, user).value) == -15


def test_a_discount_follows_an_order_that_waits_for_it(session, user, order_id, dish):
    def order() -> None:
        orders.place(table_number=7, session_id=str(session.pk), entries=[Entry(dish)])

    before_commit(lambda: discount(session, user), order)
    assert TableSession.objects.get().adjusted == -15


def test_a_part_is_paid_as_an_order_leaves_it(session, user, order_id, dish):
    parts.divide(table_number=7, session_id=str(session.pk), by="people", count=2)
    part = str(BillPart.objects.first().pk)

    def order() -> None:
        orders.place(table_number=7, session_id=str(session.pk), entries=[Entry(dish, 2)])

    assert before_commit(order, lambda: pay(session, user, part_id=part)) == 20


def test_a_bill_is_not_divided_anew_while_a_part_of_it_is_paid(session, user, order_id):
    parts.divide(table_number=7, session_id=str(session.pk), by="people", count=2)
    part = str(BillPart.objects.first().pk)

    def divide() -> str:
        try:
            parts.divide(table_number=7, session_id=str(session.pk), by="people", count=3)
        except DomainError as error:
            return type(error).__name__
        return "divided"

    assert before_commit(lambda: pay(session, user, part_id=part), divide) == "PartsPaid"
    assert Payment.objects.get().part_id == BillPart.objects.first().pk


def test_of_two_phones_that_tick_one_dish_one_gets_it(session, user, order_id):
    def take(phone: str) -> str:
        try:
            wanted = [Chosen(order_id, 0, quantity=2)]
            parts.add(table_number=7, session_id=str(session.pk), phone=phone, name=phone, items=wanted)
        except DomainError as error:
            return str(error)
        return "taken"

    for _again in range(5):
        results = at_once([lambda: take("Anna"), lambda: take("Ben")])
        assert sorted(map(str, results))[1] == "taken"
        assert "part already" in sorted(map(str, results))[0]
        for phone in ("Anna", "Ben"):
            parts.add(table_number=7, session_id=str(session.pk), phone=phone, name="", items=[])


def test_a_table_is_closed_while_a_part_is_paid(session, user, order_id):
    parts.divide(table_number=7, session_id=str(session.pk), by="people", count=2)
    part = str(BillPart.objects.first().pk)

    def close() -> None:
        closing.close_session(table_number=7, session_id=str(session.pk))

    assert before_commit(close, lambda: pay(session, user, part_id=part)) == 10
    assert bill_of(TableSession.objects.get()).due == 10


def test_ten_discounts_of_a_waiter_at_once_stay_within_the_limit(session, order_id):
    waiter = make_user("Floor")
    adjustments.OrderingRules.objects.create(discount_up_to=10)

    def give() -> str:
        try:
            return str(discount(session, waiter, 10).value)
        except DomainError as error:
            return type(error).__name__

    assert sorted(map(str, at_once([give] * 6))) == ["-2.00", *["MoreThanAllowed"] * 5]
