"""The kitchen's pages without JavaScript, the list of what is sold out, and what the floor is told."""

import re
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from restaurant.models import Category, MenuItem, OpeningHours, Order, Station
from tests.conftest import PAGE, make_item, make_user, order_body

pytestmark = pytest.mark.django_db

ZONE = ZoneInfo(settings.TIME_ZONE)
NOON = datetime(2026, 3, 9, 12, 0, tzinfo=ZONE)  # a Monday


@pytest.fixture
def cook(db) -> Client:
    """A browser without JavaScript."""
    client = Client(headers={"accept": PAGE})
    client.force_login(make_user("Floor", "anna"))
    return client


@pytest.fixture
def grill(db) -> Station:
    grill, bar = Station.objects.create(name="Grill", slug="grill"), Station.objects.create(name="Bar", slug="bar")
    for name, station in (("Soups", grill), ("Drinks", bar)):
        Category.objects.update_or_create(name=name, defaults={"station": station})
    return grill


@pytest.fixture
def spritz(grill) -> MenuItem:
    return make_item("Spritz", "9.00", category="Drinks")


def text(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return re.sub(r"\s+", " ", response.content.decode())


def without_script(page: str) -> str:
    """What is shown without JavaScript."""
    return page.partition('<div class="plain">')[2].partition("</noscript>")[0]


def order(api, session, *items) -> str:
    body = order_body(session, *((item, 1) for item in items))
    return api.post("/table/7/order", body, format="json").json()["orderId"]


# --- the display --------------------------------------------------------------------------------------


def test_the_header_leads_to_every_station(cook, grill):
    for path, current in (("/kitchen", "All"), ("/kitchen/grill", "Grill")):
        page = text(cook, path).partition("</nav>")[0]
        links = re.findall(r'<a href="(/kitchen[^"]*)"[^>]*?( aria-current="page")?>([^<]+)</a>', page)
        assert [(href, name) for href, _, name in links] == [
            ("/kitchen", "All"), ("/kitchen/bar", "Bar"), ("/kitchen/grill", "Grill"),
        ]  # fmt: skip
        assert [name for _, is_current, name in links if is_current] == [current]


def test_without_stations_there_is_no_way_to_one(cook):
    assert 'class="stations"' not in text(cook, "/kitchen")


def test_a_station_ticks_its_entries_off_by_forms(cook, api, table, session, soup, spritz):
    order_id = order(api, session, spritz, soup)
    page = without_script(text(cook, "/kitchen/grill"))
    assert "Ribollita" in page
    assert "Spritz" not in page
    assert re.search(r"also · Bar 0 of \d done", page)
    path = f"/orders/{order_id}/items/1/done"
    assert f'action="{path}"' in page  # its position in the order, not on the station's ticket
    response = cook.post(path, {"done": "true", "next": "/kitchen/grill"})
    assert (response.status_code, response["Location"]) == (303, "/kitchen/grill")
    page = without_script(text(cook, "/kitchen/grill"))
    assert "<s>1× Ribollita</s>" in page
    assert "Not done" in page
    cook.post(f"/orders/{order_id}/items/0/done", {"done": "true", "next": "/kitchen"})
    assert Order.objects.get().status == "ready"
    cook.post(path, {"done": "false", "next": "/kitchen"})
    assert Order.objects.get().status == "preparing"


def test_orders_are_served_and_brought_back_by_forms(cook, api, table, session, soup):
    order_id = order(api, session, soup)
    for label, status in (("Start", "preparing"), ("Mark ready", "ready"), ("Mark served", "served")):
        page = without_script(text(cook, "/kitchen"))
        assert f'name="status" value="{status}">{label}<' in page
        cook.post(f"/orders/{order_id}/status", {"status": status, "next": "/kitchen"})
    assert "All caught up" in without_script(text(cook, "/kitchen"))
    assert 'value="ready">Back to Ready<' in without_script(text(cook, "/kitchen?status=served"))


def test_allergies_and_alerts_are_in_words(cook, api, table, session):
    brownie = make_item("Brownie", allergens={"nuts": "contains"})
    body = order_body(session, (brownie, 1)) | {"allergies": ["nuts", "milk"]}
    api.post("/table/7/order", body, format="json")
    page = without_script(text(cook, "/kitchen"))
    assert "ALLERGY:</strong> milk, nuts" in page
    assert "Contains or may contain nuts" in page


def test_a_cook_pauses_and_resumes_by_forms(cook, floor):
    for minutes in (10, 20, 30, 60):
        assert f'name="minutes" value="{minutes}"' in without_script(text(cook, "/kitchen"))
    response = cook.post("/kitchen/pause", {"minutes": "20", "next": "/kitchen"})
    assert (response.status_code, response["Location"]) == (303, "/kitchen")
    for path in ("/kitchen", "/floor"):
        assert "can't order until" in text(cook, path).replace("&#x27;", "'")
    assert 'name="minutes" value="0"' in without_script(text(cook, "/kitchen"))
    assert "pausedUntil" in floor.get("/floor").json()
    cook.post("/kitchen/pause", {"minutes": "0", "next": "/floor"})
    assert "pausedUntil" not in floor.get("/floor").json()


def test_outside_the_opening_hours_displays_and_the_floor_say_when_it_opens(clock, cook, floor):
    clock(NOON)
    OpeningHours.objects.create(weekday=0, opens=time(18), closes=time(23))
    for path in ("/kitchen", "/floor"):
        shown = floor.get(path, headers={"accept": "application/json"}).json()
        assert datetime.fromisoformat(shown["closedUntil"]) == NOON.replace(hour=18)
        assert "pausedUntil" not in shown
        assert "Closed for guests until Monday, 18:00" in text(cook, path)
    clock(NOON.replace(hour=18))
    assert "closedUntil" not in floor.get("/kitchen").json()


# --- what is sold out ---------------------------------------------------------------------------------


def available(client) -> dict[str, dict]:
    found = client.get("/menu/availability", headers={"accept": "application/json"}).json()
    return {item["name"]: item for category in found["categories"] for item in category["items"]}


def test_every_item_is_listed_with_whether_it_is_available(floor, soup, bread):
    later = timezone.now() + timedelta(hours=2)
    MenuItem.objects.filter(pk=soup.pk).update(available=False, sold_out_until=later)
    make_item("Tart", portions=3)
    make_item("Pie", portions=0)
    make_item("Fool", available=False, sold_out_until=timezone.now() - timedelta(minutes=1))
    found = available(floor)
    assert [(name, item["available"], item["portions"]) for name, item in sorted(found.items())] == [
        ("Fool", True, None), ("Pie", False, 0), ("Ribollita", False, None),
        ("Sourdough & olive oil", True, None), ("Tart", True, 3),
    ]  # fmt: skip
    assert {name for name, item in found.items() if item["until"]} == {"Ribollita"}
    assert datetime.fromisoformat(found["Ribollita"]["until"]) == later


def test_who_may_read_it(floor, manager, cashier, api):
    clients = (floor, manager, cashier, api)
    assert [client.get("/menu/availability").status_code for client in clients] == [200, 200, 403, 401]


@pytest.mark.parametrize(
    ("lasts", "now", "until"),
    [
        ("hour", NOON, NOON + timedelta(hours=1)),
        ("today", NOON, NOON.replace(hour=5) + timedelta(days=1)),
        ("today", NOON.replace(hour=2), NOON.replace(hour=5)),  # the evening is not over
        ("today", NOON.replace(hour=5), NOON.replace(hour=5) + timedelta(days=1)),
        ("always", NOON, None),
    ],
)
def test_how_long_something_is_sold_out(clock, cook, soup, lasts, now, until):
    clock(now)
    form = {"available": "false", "lasts": lasts, "next": "/menu/availability"}
    response = cook.post(f"/menu/{soup.pk}/availability", form)
    assert (response.status_code, response["Location"]) == (303, "/menu/availability")
    soup.refresh_from_db()
    assert (soup.available, soup.sold_out_until) == (False, until)


def test_the_list_and_the_floor_make_it_available_again(cook, table, soup):
    cook.post(f"/menu/{soup.pk}/availability", {"available": "false", "lasts": "always"})
    for path, until in (("/menu/availability", "Sold out · until it is back"), ("/floor", "Until it is back")):
        page = text(cook, path)
        assert "Available again" in page
        assert until in page
    row = text(cook, "/menu/availability").partition('class="item item-off"')[2].partition("</li>")[0]
    assert f'action="/menu/{soup.pk}/availability"' in row
    assert "Available again" in row
    assert "Sold out (1)" in text(cook, "/floor")
    response = cook.post(f"/menu/{soup.pk}/availability", {"available": "true", "next": "/floor"})
    assert response["Location"] == "/floor"
    assert "Nothing is sold out" in text(cook, "/floor")
    assert "Everything is available." in text(cook, "/menu/availability")


def test_the_length_of_the_menu_does_not_change_the_number_of_queries(floor, soup, django_assert_num_queries):
    available(floor)
    for number in range(20):
        make_item(f"Dish {number}")
    available(floor)
    with django_assert_num_queries(5):
        available(floor)
