"""Stations that finish the entries of one order at the same moment."""

from collections import Counter

import pytest

from restaurant.models import Category, Order, Station, TableSession
from tests.at_once import at_once
from tests.conftest import make_item, make_table, make_user, order_body, signed_in
from tests.restaurant.kitchen.displays import announced

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]

ROUNDS = 5


@pytest.fixture
def session(transactional_db) -> TableSession:
    return TableSession.objects.create(table=make_table())


@pytest.fixture
def dishes(transactional_db) -> list:
    found = [make_item("Steak", "24.00", category="Grill"), make_item("Spritz", "9.00", category="Drinks")]
    for name, slug in (("Grill", "grill"), ("Drinks", "bar")):
        Category.objects.filter(name=name).update(station=Station.objects.create(name=name, slug=slug))
    return found


def place(session: TableSession, dishes: list) -> Order:
    floor = signed_in(make_user("Floor", f"floor-{Order.objects.count()}"))
    body = order_body(session, *((dish, 1) for dish in dishes))
    assert floor.post("/table/7/order", body, format="json").status_code == 200
    return Order.objects.latest("created_at")


def test_two_cooks_who_finish_the_last_two_entries_make_it_ready_once(session, dishes):
    cooks = [signed_in(make_user("Floor", f"cook-{number}")) for number in range(2)]
    for _ in range(ROUNDS):
        order = place(session, dishes)

        def finish(order=order) -> None:
            calls = [
                lambda cook=cook, position=position: (
                    cook.post(f"/orders/{order.pk}/items/{position}/done", {"done": True}, format="json").status_code
                )
                for position, cook in enumerate(cooks)
            ]
            assert at_once(calls) == [200, 200]

        assert Counter(event["type"] for event in announced(finish)) == {"order_update": 2, "status_update": 1}
        order.refresh_from_db()
        assert order.status == "ready"


def test_what_one_cook_finishes_while_another_cancels_the_rest_is_ready_or_was_finished_before(session, dishes):
    cook, floor = signed_in(make_user("Floor", "cook")), signed_in(make_user("Floor", "waiter"))
    body = {"reason": "sold_out", "items": [{"position": 1}]}
    for _ in range(ROUNDS):
        order = place(session, dishes)

        def finish(path=f"/orders/{order.pk}/items/0/done") -> int:
            return cook.post(path, {"done": True}, format="json").status_code

        def cancel(path=f"/orders/{order.pk}/cancel") -> int:
            return floor.post(path, body, format="json").status_code

        assert at_once([finish, cancel]) == [200, 200]
        order.refresh_from_db()
        assert order.status == "ready"
