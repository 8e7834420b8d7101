"""What a station is done with is carried before the rest of its order."""

import pytest

from restaurant.models import Category, Order, Station
from tests.conftest import make_item, order_body
from tests.reading import read
from tests.restaurant.floor.floors import floor_of, items
from tests.restaurant.ordering.forms import submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def order(api, session) -> Order:
    """Two beers from the bar, and from the grill a steak and a burger."""
    dishes = [make_item("Pils", "4.50", category="Drinks")]
    dishes += [make_item("Steak", "24.00", category="Grill"), make_item("Burger", "14.00", category="Grill")]
    for category, name, slug in (("Grill", "Grill", "grill"), ("Drinks", "Bar", "bar")):
        Category.objects.filter(name=category).update(station=Station.objects.create(name=name, slug=slug))
    api.post("/table/7/order", order_body(session, (dishes[0], 2), (dishes[1], 1), (dishes[2], 1)), format="json")
    return Order.objects.get()


def done(client, order: Order, *positions: int, is_done: bool = True) -> None:
    for position in positions:
        body = {"done": is_done}
        assert client.post(f"/orders/{order.pk}/items/{position}/done", body, format="json").status_code == 200


def served(client, order: Order, *positions: int):
    return client.post(f"/orders/{order.pk}/items/served", {"positions": list(positions)}, format="json")


def parts(client) -> list[tuple]:
    state = client.get("/floor").json()
    return [
        (part["tableNumber"], part["station"], [(item["name"], item["position"]) for item in part["items"]])
        for part in state.get("readyParts", [])
    ]


def test_drinks_are_to_be_carried_while_the_grill_works(floor, order):
    assert "readyParts" not in floor.get("/floor").json()
    done(floor, order, 0)
    assert parts(floor) == [(7, "bar", [("Pils", 0)])]
    done(floor, order, 1)
    assert parts(floor) == [(7, "bar", [("Pils", 0)])]  # the burger is not done
    response = served(floor, order, 0)
    assert response.status_code == 200
    assert [item.get("served") for item in response.json()["items"]] == [True, None, None]
    assert response.json()["status"] == "pending"
    assert parts(floor) == []
    done(floor, order, 2)
    state = floor.get("/floor").json()
    assert "readyParts" not in state
    assert [ticket["orderId"] for ticket in state["ready"]] == [str(order.pk)]


def test_it_needs_attention_until_it_is_carried(floor, order):
    def needs() -> list[tuple]:
        found = floor.get("/attention").json()["needs"]
        return [(need["count"], need["text"], need["url"]) for need in found if need["kind"] == "ready_parts"]

    done(floor, order, 1)
    assert needs() == []  # the burger of the same station is not done
    done(floor, order, 0, 2)
    assert needs() == []  # the order is ready
    done(floor, order, 1, is_done=False)
    assert needs() == [(1, "A part of 1 order to carry: table 7", "/floor#ready")]
    served(floor, order, 0)
    assert needs() == []


def test_the_last_that_is_carried_makes_the_order_served_once(floor, order):
    done(floor, order, 0)
    for positions, status in (([0], "pending"), ([1], "pending"), ([1, 2], "served"), ([1, 2], "served")):
        assert served(floor, order, *positions).json()["status"] == status
    order.refresh_from_db()
    assert order.served_at
    assert order.ready_at
    # Back in the kitchen, everything is to be carried again.
    floor.post(f"/orders/{order.pk}/status", {"status": "ready"}, format="json")
    assert not order.items.exclude(served_at=None).exists()


def test_what_is_left_of_a_cancellation_is_served_when_it_was_carried(floor, order):
    served(floor, order, 0, 1)
    body = {"reason": "sold_out", "items": [{"position": 2}]}
    assert floor.post(f"/orders/{order.pk}/cancel", body, format="json").status_code == 200
    order.refresh_from_db()
    assert order.status == "served"


def test_only_staff_carry_what_is_there(floor, cashier, api, order):
    assert served(floor, order, 7).status_code == 404
    assert served(floor, order).status_code == 400
    assert served(cashier, order, 0).status_code == 403
    assert served(api, order, 0).status_code == 401
    body = {"reason": "sold_out", "items": [{"position": 0}]}
    assert floor.post(f"/orders/{order.pk}/cancel", body, format="json").status_code == 200
    assert served(floor, order, 0).status_code == 409
    assert floor.post(f"/orders/{order.pk}/cancel", {"reason": "mistake"}, format="json").status_code == 200
    assert served(floor, order, 1).status_code == 409


def test_the_floors_page_rings_for_it_and_says_that_it_is_carried(floor, waiter, api, order):
    done(floor, order, 0)
    page = floor_of(waiter)
    [part] = items(page, "Ready to carry")
    assert part["data-sounds"] == "ready"
    assert part["data-announce"] == "Ready to carry: table 7, Bar: 2 Pils"
    assert "Ready to carry: Bar" in part
    assert "Steak" not in part
    response = submit(waiter, page, f"/orders/{order.pk}/items/served")
    assert (response.status_code, response["Location"]) == (303, "/floor")
    assert "Ready to carry" not in floor_of(waiter)
    guest = read(api.get(f"/orders/{order.pk}", headers={"accept": "text/html"}))
    assert "2 of 4 served. We're working on the rest." in guest
    assert "Pils Served" in guest
