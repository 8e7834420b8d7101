"""Two managers who sort the same list."""

import pytest

from restaurant.menu.services import menu_order
from restaurant.models import MenuItem
from tests.at_once import at_once
from tests.conftest import make_item

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def test_moves_at_the_same_time_all_count_and_no_number_is_given_twice(transactional_db):
    items = [make_item(f"Dish {n:02}") for n in range(12)]

    def mover(item: MenuItem):
        return lambda: menu_order.move(item, before=str(items[0].pk)).position

    at_once([mover(item) for item in items[1:]])
    rows = list(menu_order.neighbours(items[0]))
    assert [row.position for row in rows] == list(range(1, 13))
    assert rows[-1].pk == items[0].pk  # all of them came before it
