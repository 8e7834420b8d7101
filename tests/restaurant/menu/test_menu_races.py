"""Changes of the menu that arrive at the same moment, and orders that meet at the last portions of a dish."""

from decimal import Decimal

import pytest
from django.db.models import F
from rest_framework.test import APIClient

from restaurant.menu import queries as menu_queries
from restaurant.menu.services import menu
from restaurant.models import MenuItem, MenuVersion, Order, OrderItem, TableSession
from tests.at_once import at_once
from tests.conftest import make_item, make_table, make_user, order_body, signed_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]

ROUNDS = 4


@pytest.fixture
def sessions(transactional_db) -> list[TableSession]:
    return [TableSession.objects.create(table=make_table(number)) for number in range(1, 21)]


def guest(session: TableSession, *entries: tuple[MenuItem, int]):
    body = order_body(session, *entries)
    client = APIClient()
    number = session.table.table_number
    return lambda: client.post(f"/table/{number}/order", body, format="json").status_code


def test_of_twenty_guests_three_get_the_last_three(sessions):
    dish, bread = make_item(), make_item("Bread", "2.00")
    for number in range(1, ROUNDS + 1):
        MenuItem.objects.filter(pk=dish.pk).update(portions=3)
        statuses = at_once([guest(session, (bread, 1), (dish, 1)) for session in sessions])
        assert sorted(statuses) == [200] * 3 + [400] * 17
        dish.refresh_from_db()
        assert dish.portions == 0
        assert OrderItem.objects.filter(menu_item=dish).count() == 3 * number
        assert Order.objects.count() == 3 * number  # who gets no dish has ordered nothing


def test_two_dishes_in_any_order_are_never_waited_for_in_a_circle(sessions):
    one, other = make_item("Trout", "9.00", portions=60), make_item("Turbot", "9.00", portions=60)
    for _ in range(ROUNDS):
        guests = [guest(session, (one, 1), (other, 1)) for session in sessions[:4]]
        guests += [guest(session, (other, 1), (one, 1)) for session in sessions[4:8]]
        assert at_once(guests) == [200] * 8
    assert set(MenuItem.objects.values_list("portions", flat=True)) == {60 - 8 * ROUNDS}


def test_the_last_portion_goes_off_the_menu_also_when_a_manager_edits_the_dish(sessions):
    manager = signed_in(make_user("Managers"))
    dish = make_item(portions=1)

    def switch():
        return manager.post(f"/menu/{dish.pk}/availability", {"available": True}, format="json").status_code

    for _ in range(ROUNDS):
        MenuItem.objects.filter(pk=dish.pk).update(portions=1)
        before = MenuVersion.objects.get().number
        assert at_once([guest(sessions[0], (dish, 1)), switch]) == [200, 200]
        dish.refresh_from_db()
        assert dish.portions in (0, None)  # sold, or made unlimited once it was
        assert MenuVersion.objects.get().number == before + 3  # two by switching, one by selling out


def test_what_is_cancelled_twice_at_once_is_given_back_once(sessions):
    user = make_user("Floor")
    dish = make_item(portions=10)
    for _ in range(ROUNDS):
        assert guest(sessions[0], (dish, 2))() == 200
        path = f"/orders/{Order.objects.latest('created_at').pk}/cancel"

        def cancel(path=path) -> int:
            return signed_in(user).post(path, {"reason": "mistake"}, format="json").status_code

        assert at_once([cancel] * 4) == [200] * 4
        dish.refresh_from_db()
        assert dish.portions == 10


# --- changes of the menu ------------------------------------------------------------------------------


def test_changes_of_several_items_in_any_order_take_turns(transactional_db):
    ids = [make_item(f"Dish {number}", "1.00").pk for number in range(6)]
    before = menu_queries.menu_state().version

    def raise_prices(ids: list) -> None:
        with menu.changing():
            for pk in ids:
                MenuItem.objects.filter(pk=pk).update(price=F("price") + 1)

    at_once([lambda: raise_prices(ids), lambda: raise_prices(ids[::-1])] * 4)
    assert set(MenuItem.objects.values_list("price", flat=True)) == {Decimal("9.00")}
    assert menu_queries.menu_state().version != before


def test_the_first_changes_of_an_empty_menu_all_succeed(transactional_db):
    at_once([lambda: make_item() and None] * 8)
    assert MenuItem.objects.count() == 8
    assert len(menu_queries.menu_state().catalogue.sections[0].dishes) == 8
