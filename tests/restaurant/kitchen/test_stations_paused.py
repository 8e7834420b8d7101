"""A station that has paused: guests can't order what it makes, staff can; and options that are sold out."""

from datetime import UTC, datetime, timedelta

import pytest
from rest_framework.test import APIClient

from restaurant.models import Category, Option, OptionGroup, Station
from tests.conftest import PAGE, make_item, order_body, unknown_id
from tests.reading import read
from tests.restaurant.ordering.forms import submit

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 4, 18, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _evening(clock):
    clock(NOW)


@pytest.fixture
def steak(db):
    dish = make_item("Steak", "24.00", category="Grill")
    Category.objects.filter(name="Grill").update(station=Station.objects.create(name="Grill", slug="grill"))
    return dish


def pause(client, minutes: int, slug: str = "grill"):
    return client.post(f"/kitchen/{slug}/pause", {"minutes": minutes}, format="json")


def on_menu(client) -> list[str]:
    return [dish["name"] for dishes in client.get("/table/7").json()["menu"].values() for dish in dishes]


def test_its_dishes_are_off_the_menu_of_guests_for_so_long(floor, api, session, steak, soup, clock):
    guest = APIClient()
    until = pause(floor, 20).json()["until"]
    assert datetime.fromisoformat(until) == NOW + timedelta(minutes=20)
    assert on_menu(guest) == ["Ribollita"]
    assert guest.post("/table/7/order", order_body(session, (steak, 1)), format="json").status_code == 400
    assert floor.post("/table/7/order", order_body(session, (steak, 1)), format="json").status_code == 200
    assert "Steak" in read(floor.get("/floor/tables/7/order", headers={"accept": PAGE}))
    page = read(guest.get(f"/table/7/dishes/{steak.pk}", headers={"accept": PAGE}))
    assert "To be had again at 18:20" in page
    assert floor.get("/kitchen/grill").json()["stationPausedUntil"] == until
    assert "stationPausedUntil" not in floor.get("/kitchen").json()
    clock(NOW + timedelta(minutes=21))
    assert sorted(on_menu(guest)) == ["Ribollita", "Steak"]
    assert "stationPausedUntil" not in floor.get("/kitchen/grill").json()


def test_it_is_resumed_and_only_the_kitchen_pauses(floor, cashier, session, steak):
    pause(floor, 20)
    assert pause(floor, 0).json() == {"until": None}
    assert on_menu(APIClient()) == ["Steak"]
    assert pause(cashier, 20).status_code == 403
    assert pause(floor, 20, "bar").status_code == 404


def test_without_scripts_it_is_paused_on_the_floor_or_its_display_and_resumed(floor, waiter, session, steak):
    for page in ("/floor", "/kitchen/grill"):
        shown = waiter.get(page, headers={"accept": PAGE})
        assert submit(waiter, shown, "/kitchen/grill/pause", minutes="20")["Location"] == page
        assert [each["station"] for each in floor.get("/floor").json()["pausedStations"]] == ["grill"]
    assert "Guests can't order from Grill until 18:20." in read(waiter.get("/kitchen/grill", headers={"accept": PAGE}))
    page = waiter.get("/floor", headers={"accept": PAGE})
    assert "Guests can't order from Grill until 18:20." in read(page)
    submit(waiter, page, "/kitchen/grill/pause")
    assert "pausedStations" not in floor.get("/floor").json()
    assert on_menu(APIClient()) == ["Steak"]


def test_an_option_is_switched_off_for_all_dishes_that_have_it(floor, waiter, session, steak):
    group = OptionGroup.objects.create(name="How done", min_choices=1)
    rare, well = (Option.objects.create(group=group, name=name) for name in ("rare", "well done"))
    steak.item_groups.create(group=group)
    [shown] = floor.get("/menu/availability").json()["options"]
    assert [(choice["name"], choice["available"]) for choice in shown["choices"]] == [
        ("rare", True),
        ("well done", True),
    ]
    page = read(waiter.get("/menu/availability", headers={"accept": PAGE}))
    submit(waiter, page, f"/menu/options/{rare.pk}/availability", available="false")
    assert "rare Sold out" in read(waiter.get("/menu/availability", headers={"accept": PAGE}))
    [dish] = APIClient().get("/table/7").json()["menu"]["Grill"]
    assert [choice["name"] for choice in dish["options"][0]["choices"]] == ["well done"]
    path = f"/menu/options/{rare.pk}/availability"
    assert floor.post(path, {"available": True}, format="json").json()["available"] is True
    assert (
        floor.post(f"/menu/options/{unknown_id()}/availability", {"available": True}, format="json").status_code == 404
    )
    assert well.available


def test_each_category_is_late_in_its_own_time(floor, waiter, api, session, steak, clock):
    drink = make_item("Pils", "4.50", category="Drinks")
    Category.objects.filter(name="Grill").update(late_after=20)
    api.post("/table/7/order", order_body(session, (steak, 1), (drink, 1)), format="json")
    [order] = floor.get("/kitchen").json()["orders"]
    assert [entry.get("lateAfter") for entry in order["items"]] == [20, None]

    def late() -> bool:
        return "late" in {need["kind"] for need in floor.get("/attention").json()["needs"]}

    def is_late_on_page() -> bool:
        return "· late" in read(waiter.get("/floor/tables/7", headers={"accept": PAGE})).text

    clock(NOW + timedelta(minutes=6))
    assert (late(), is_late_on_page()) == (True, True)  # the drink, after the usual five minutes
    floor.post(f"/orders/{order['orderId']}/items/1/done", {"done": True}, format="json")
    assert (late(), is_late_on_page()) == (False, False)
    clock(NOW + timedelta(minutes=20))
    assert (late(), is_late_on_page()) == (True, True)
