"""A drawer that is closed while somebody pays, orders, moves cash or closes it too."""

from decimal import Decimal

import pytest

from restaurant.billing.services import drawers, payments
from restaurant.models import CashDrawer, DrawerDay, TableSession
from restaurant.ordering.services import orders
from restaurant.ordering.services.cart import Entry
from tests.at_once import at_once, before_commit
from tests.conftest import make_item, make_table, make_user
from web.models import JournalEntry

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


@pytest.fixture
def user(transactional_db):
    return make_user("Managers")


@pytest.fixture
def drawer(transactional_db) -> CashDrawer:
    return CashDrawer.objects.create(name="Bar")


@pytest.fixture
def order(transactional_db):
    session = TableSession.objects.create(table=make_table())
    dish = str(make_item("Pizza", "10.00").pk)

    def place() -> None:
        orders.place(table_number=7, session_id=str(session.pk), entries=[Entry(dish)])

    place()
    return place


def open_day(drawer, user) -> DrawerDay:
    return drawers.open_day(drawer_id=drawer.pk, float=Decimal(100), user_name=user.username)


def close_day(drawer, user) -> DrawerDay:
    return drawers.close_day(drawer_id=drawer.pk, counted=Decimal(0), user_name=user.username)


def pay(user, method: str = "cash"):
    return payments.take(table_number=7, session_id=None, method=method, amount=Decimal(1), user=user)


def test_a_z_waits_for_a_payment_and_counts_it(drawer, user, order):
    for method, expected in (("cash", 101), ("card", 100)):
        open_day(drawer, user)
        z = before_commit(lambda method=method: pay(user, method), lambda: close_day(drawer, user))
        assert (z.expected, [row["amount"] for row in z.figures["payments"]]) == (expected, [1])


def test_a_payment_waits_for_a_z_and_lies_in_no_closed_drawer(drawer, user, order):
    open_day(drawer, user)
    paid = before_commit(lambda: close_day(drawer, user), lambda: pay(user))
    assert paid.drawer_day is None
    open_day(drawer, user)
    assert close_day(drawer, user).figures["payments"][0]["count"] == 1


def test_a_z_waits_for_an_order_and_an_order_for_a_z(drawer, user, order):
    open_day(drawer, user)
    assert before_commit(order, lambda: close_day(drawer, user)).figures["gross"] == 10
    open_day(drawer, user)
    before_commit(lambda: close_day(drawer, user), order)
    open_day(drawer, user)
    assert [close_day(drawer, user).figures["gross"], DrawerDay.objects.get(number=2).figures["gross"]] == [10, 0]


def test_cash_that_is_put_in_while_a_drawer_is_closed_is_in_its_z_or_refused(drawer, user, order):
    open_day(drawer, user)

    def put_in() -> None:
        drawers.move(drawer_id=drawer.pk, kind="in", amount=Decimal(5), reason="change", user=user)

    assert before_commit(put_in, lambda: close_day(drawer, user)).expected == 105


def test_of_many_closings_at_once_one_is_the_z_and_numbers_have_no_gap(drawer, user, order):
    others = [CashDrawer.objects.create(name=f"Bar {number}") for number in range(3)]
    for each in (drawer, *others):
        open_day(each, user)
    at_once([lambda each=each: close_day(each, user) for each in (drawer, *others) for _ in range(2)])
    assert sorted(DrawerDay.objects.values_list("number", flat=True)) == [1, 2, 3, 4]
    assert JournalEntry.objects.filter(kind="drawer_closed").count() == 4
