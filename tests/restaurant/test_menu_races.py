"""Changes of the menu that arrive at the same moment."""

from decimal import Decimal

import pytest
from django.db.models import F

from restaurant import queries
from restaurant.models import MenuItem
from restaurant.services import menu
from tests.at_once import at_once
from tests.conftest import make_item

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def test_changes_of_several_items_in_any_order_take_turns(transactional_db):
    ids = [make_item(f"Dish {number}", "1.00").pk for number in range(6)]
    before = queries.menu_state().version

    def raise_prices(ids: list) -> None:
        with menu.changing():
            for pk in ids:
                MenuItem.objects.filter(pk=pk).update(price=F("price") + 1)

    at_once([lambda: raise_prices(ids), lambda: raise_prices(ids[::-1])] * 4)
    assert set(MenuItem.objects.values_list("price", flat=True)) == {Decimal("9.00")}
    assert queries.menu_state().version != before


def test_the_first_changes_of_an_empty_menu_all_succeed(transactional_db):
    at_once([lambda: make_item() and None] * 8)
    assert MenuItem.objects.count() == 8
    assert len(queries.menu_state().catalogue.sections[0].dishes) == 8
