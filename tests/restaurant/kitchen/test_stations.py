"""Stations: what each has to do, what it has done, and when that makes an order ready."""

from datetime import datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from restaurant.models import Category, Order, OrderItem, Station
from tests.conftest import PAGE, make_item, order_body, unknown_id
from tests.reading import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def dishes(db) -> list:
    found = [
        make_item("Steak", "24.00", category="Grill"),
        make_item("Spritz", "9.00", category="Drinks"),
        make_item("Bread", "3.00", category="Sides"),
    ]
    for name, slug in (("Grill", "grill"), ("Drinks", "bar")):
        Category.objects.filter(name=name).update(station=Station.objects.create(name=f"The {slug}", slug=slug))
    return found


@pytest.fixture
def order_id(api, table, session, dishes) -> str:
    """A steak, two spritzes and bread, which belongs to no station."""
    body = order_body(session, (dishes[0], 1), (dishes[1], 2), (dishes[2], 1))
    return api.post("/table/7/order", body, format="json").json()["orderId"]


def done(client, order_id: str, position: int, is_done: object = True):
    return client.post(f"/orders/{order_id}/items/{position}/done", {"done": is_done}, format="json")


def shown(client, path: str) -> dict:
    return client.get(path, headers={"accept": "application/json"}).json()


def test_a_display_shows_its_own_entries_with_their_positions(floor, order_id):
    (ticket,) = shown(floor, "/kitchen/bar")["orders"]
    assert ticket["orderId"] == order_id
    items = [(item["name"], item["position"], item.get("station")) for item in ticket["items"]]
    assert items == [("Spritz", 1, "bar"), ("Bread", 2, None)]
    assert ticket["otherStations"] == ["The grill"]
    assert ticket["otherProgress"] == [{"name": "The grill", "done": 0, "count": 1}]
    (ticket,) = shown(floor, "/kitchen")["orders"]
    assert [item.get("station") for item in ticket["items"]] == ["grill", "bar", None]
    assert "otherStations" not in ticket


def test_a_display_shows_no_order_of_others_alone(floor, api, table, session, dishes):
    api.post("/table/7/order", order_body(session, (dishes[0], 1)), format="json")
    assert shown(floor, "/kitchen/bar") == {"orders": []}
    assert len(shown(floor, "/kitchen/grill")["orders"]) == 1


def test_what_belongs_to_no_station_is_marked_on_every_display(floor, api, manager, table, session, dishes):
    api.post("/table/7/order", order_body(session, (dishes[2], 1)), format="json")
    for slug in ("bar", "grill"):
        [ticket] = shown(floor, f"/kitchen/{slug}")["orders"]
        assert [(item["name"], item.get("station")) for item in ticket["items"]] == [("Bread", None)]
        assert "1× Bread No station" in read(floor.get(f"/kitchen/{slug}", headers={"accept": PAGE}))
    sentence = "1 dish belongs to no station"
    assert [need["text"] for need in manager.get("/attention").json()["needs"]][-1] == sentence
    assert sentence in next(step["fact"] for step in manager.get("/setup").json()["steps"] if step["name"] == "menu")
    assert "no_station" not in {need["kind"] for need in floor.get("/attention").json()["needs"]}
    dishes[2].station = Station.objects.get(slug="bar")  # its own, whatever its category says
    dishes[2].save()
    api.post("/table/7/order", order_body(session, (dishes[2], 1)), format="json")
    assert [len(shown(floor, f"/kitchen/{slug}")["orders"]) for slug in ("bar", "grill")] == [2, 1]
    assert "no_station" not in {need["kind"] for need in manager.get("/attention").json()["needs"]}


def test_only_stations_have_displays(floor, dishes):
    assert shown(floor, "/kitchen/bar") == {"orders": []}
    assert floor.get("/kitchen/oven", headers={"accept": "application/json"}).status_code == 404


def test_displays_are_for_the_kitchen(cashier, api, dishes):
    assert cashier.get("/kitchen/bar", headers={"accept": "application/json"}).status_code == 403
    assert api.get("/kitchen/bar", headers={"accept": "application/json"}).status_code == 401


def test_paths_of_the_kitchen_are_no_stations(subtests, db):
    for slug in ["pause", "Bar", "the bar", "bär"]:
        with subtests.test(slug=slug), pytest.raises(ValidationError):
            Station(name="Pause", slug=slug).full_clean()


def test_a_display_shows_how_far_the_other_stations_are(floor, order_id):
    done(floor, order_id, 2), done(floor, order_id, 0)
    (ticket,) = shown(floor, "/kitchen/bar")["orders"]
    assert ticket["otherProgress"] == [{"name": "The grill", "done": 1, "count": 1}]
    assert "doneAt" not in ticket
    (ticket,) = shown(floor, "/kitchen/grill")["orders"]
    assert datetime.fromisoformat(ticket["doneAt"]) == OrderItem.objects.get(position=0).done_at
    assert ticket["otherProgress"] == [{"name": "The bar", "done": 0, "count": 2}]  # two spritzes, one entry
    part = {"reason": "mistake", "items": [{"position": 1, "quantity": 1}]}
    assert floor.post(f"/orders/{order_id}/cancel", part, format="json").status_code == 200
    done(floor, order_id, 1)
    (ticket,) = shown(floor, "/kitchen/grill")["orders"]
    assert ticket["otherProgress"] == [{"name": "The bar", "done": 1, "count": 1}]
    assert "also · The grill 1 of 1 done" in read(floor.get("/kitchen/bar", headers={"accept": PAGE}))
    # What is cancelled counts no more.
    body = {"reason": "mistake", "items": [{"position": 0}]}
    assert floor.post(f"/orders/{order_id}/cancel", body, format="json").status_code == 200
    (ticket,) = shown(floor, "/kitchen/bar")["orders"]
    assert ticket["otherProgress"] == [{"name": "The grill", "done": 0, "count": 0}]


def test_the_last_entry_makes_the_order_ready(floor, order_id):
    for position, status in ((0, "pending"), (1, "pending"), (2, "ready")):
        response = done(floor, order_id, position)
        assert response.status_code == 200
        assert response.json()["status"] == status
        assert response.json()["items"][position]["done"] is True
    order = Order.objects.get()
    assert order.ready_at is not None
    assert shown(floor, "/kitchen?times=true")["orders"][0]["readyAt"]
    assert "readyAt" not in shown(floor, "/kitchen")["orders"][0]


def test_an_entry_that_is_not_done_after_all_takes_it_back(floor, order_id):
    for position in range(3):
        done(floor, order_id, position)
    response = done(floor, order_id, 1, False)
    assert response.json()["status"] == "preparing"
    assert [item.get("done") for item in response.json()["items"]] == [True, None, True]
    assert "readyAt" not in shown(floor, "/kitchen?times=true")["orders"][0]
    assert done(floor, order_id, 1).json()["status"] == "ready"


def test_saying_it_again_changes_nothing(floor, order_id):
    first = done(floor, order_id, 0).json()
    assert done(floor, order_id, 0).json() == first
    assert done(floor, order_id, 1, False).json() == first


def test_cancelling_the_last_open_entry_makes_it_ready(floor, order_id):
    done(floor, order_id, 0)
    done(floor, order_id, 1)
    part = {"reason": "sold_out", "items": [{"position": 2}]}
    assert floor.post(f"/orders/{order_id}/cancel", part, format="json").json()["status"] == "ready"


def test_a_cancelled_entry_need_not_be_done(floor, order_id):
    part = {"reason": "sold_out", "items": [{"position": 2}]}
    assert floor.post(f"/orders/{order_id}/cancel", part, format="json").json()["status"] == "pending"
    done(floor, order_id, 0)
    assert done(floor, order_id, 1).json()["status"] == "ready"
    assert done(floor, order_id, 2).status_code == 409


def test_bad_bodies(subtests, floor, order_id):
    for is_done in ["true", 1, None]:
        with subtests.test(is_done=is_done):
            assert done(floor, order_id, 0, is_done).status_code == 400


def test_what_is_not_there(floor, order_id):
    assert done(floor, order_id, 3).status_code == 404
    assert done(floor, unknown_id(), 0).status_code == 404
    assert floor.post(f"/orders/{order_id}/items/first/done", {"done": True}, format="json").status_code == 404


def test_what_has_left_the_kitchen_stays_as_it_is(subtests, floor, order_id):
    for status in ["served", "completed"]:
        with subtests.test(status=status):
            floor.post(f"/orders/{order_id}/status", {"status": status}, format="json")
            assert done(floor, order_id, 0).status_code == 409


def test_what_was_served_can_be_recalled(floor, order_id, time_machine):
    def served(query: str = "") -> list[str]:
        return [each["orderId"] for each in shown(floor, f"/kitchen?status=served{query}")["orders"]]

    assert served() == []
    floor.post(f"/orders/{order_id}/status", {"status": "served"}, format="json")
    assert served() == [order_id]
    assert shown(floor, "/kitchen?status=served")["orders"][0]["servedAt"]
    assert [each["orderId"] for each in shown(floor, "/kitchen/bar?status=served")["orders"]] == [order_id]
    floor.post(f"/orders/{order_id}/status", {"status": "completed"}, format="json")
    assert served() == [order_id]
    floor.post(f"/orders/{order_id}/status", {"status": "ready"}, format="json")
    assert served() == []
    floor.post(f"/orders/{order_id}/status", {"status": "served"}, format="json")
    time_machine.move_to(timezone.now() + timedelta(minutes=61))
    assert served() == []
    assert served("&minutes=90") == [order_id]


def test_other_queries_are_refused(subtests, floor):
    for query in ["status=gone", "status=served&minutes=0", "status=served&minutes=721", "minutes=x"]:
        with subtests.test(query=query):
            assert floor.get(f"/kitchen?{query}", headers={"accept": "application/json"}).status_code == 400
