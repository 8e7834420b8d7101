"""Points of a table's orders are awarded once, whoever closes, catches up, enrols and cancels at the same moment."""

from functools import partial

import pytest

from loyalty.models import Member, PointTransaction
from loyalty.rewards.queries.ledger import unbalanced_members
from restaurant.models import Order, TableSession
from restaurant.ordering.services import order_points
from tests.at_once import at_once
from tests.config.collecting import close, earned, open_venue, phone_with_card, phone_without_card, place
from tests.conftest import make_item, make_table, make_user, signed_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]

ROUNDS = 6


@pytest.fixture
def table(transactional_db):
    open_venue()
    return make_table()


@pytest.fixture
def dish(transactional_db):
    return make_item("Pizza", "10.00")


def collect_for(phone, order, **body):
    return lambda: phone.post(f"/orders/{order.pk}/collect", body, format="json").status_code


def test_eight_closings_and_catchings_up_award_each_order_once(table, dish):
    phone, member = phone_with_card()
    for number in range(1, ROUNDS + 1):
        session = TableSession.objects.create(table=table)
        for _ in range(3):
            place(phone, session, (dish, 1))
        at_once([partial(close, session)] * 5 + [order_points.collect_all] * 3)
        order_points.collect_all()
        assert earned(member) == [(10, "10.00")] * 3 * number
    assert not unbalanced_members().exists()


def test_whoever_enrols_while_the_table_is_closed_gets_the_points(table, dish):
    for number in range(ROUNDS * 2):
        session, phone = TableSession.objects.create(table=table), phone_without_card()
        order = place(phone, session, (dish, 1))
        enrol = collect_for(phone, order, name="Grace", email=f"grace-{number}@example.com")
        assert at_once([enrol, partial(close, session)])[0] == 200
        assert earned(Member.objects.get(email=f"grace-{number}@example.com")) == [(10, "10.00")]


def test_a_card_that_is_assigned_while_the_table_is_closed_gets_the_points(table, dish):
    phone, member = phone_with_card()
    for number in range(1, ROUNDS * 4 + 1):
        session = TableSession.objects.create(table=table)
        order = place(phone, session, (dish, 1), collect=False)
        assert at_once([collect_for(phone, order), partial(close, session)])[0] == 200
        assert len(earned(member)) == number


def test_of_two_cards_one_collects(table, dish):
    (ada, _), (bob, _) = phone_with_card(), phone_with_card("Bob", "bob@example.com")
    bob.cookies["sessionId"] = ada.cookies["sessionId"].value
    for number in range(1, ROUNDS + 1):
        session = TableSession.objects.create(table=table)
        order = place(ada, session, (dish, 1), collect=False)
        statuses = at_once([collect_for(ada, order), collect_for(bob, order)] * 3 + [partial(close, session)])[:6]
        assert sorted(statuses) == [200] * 3 + [409] * 3
        assert PointTransaction.objects.filter(order_total=10).count() == number


def test_an_order_that_is_cancelled_while_the_table_is_closed_earns_nothing(table, dish):
    phone, member = phone_with_card()
    staff = make_user("Floor")
    for _ in range(ROUNDS * 4):
        session = TableSession.objects.create(table=table)
        order = place(phone, session, (dish, 1))

        def cancel(order: Order = order) -> int:
            body = {"reason": "mistake"}
            return signed_in(staff).post(f"/orders/{order.pk}/cancel", body, format="json").status_code

        assert at_once([cancel, partial(close, session), order_points.collect_all])[0] == 200
        order_points.collect_all()
        member.refresh_from_db()
        assert member.points_balance == 100
    assert not unbalanced_members().exists()
