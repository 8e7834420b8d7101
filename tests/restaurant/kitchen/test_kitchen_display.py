"""The kitchen's pages without JavaScript, the list of what is sold out, and what the floor is told."""

import re
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from restaurant.models import Category, MenuItem, OpeningHours, Order, Station
from tests.conftest import PAGE, make_item, make_user, order_body
from tests.reading import Part, read
from tests.restaurant.ordering.forms import form_of, submit

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


def without_script(cook, path: str = "/kitchen") -> Part:
    """What is shown without JavaScript."""
    return Part(read(cook.get(path)).element.xpath("//body//noscript")[-1])


def order(api, session, *items) -> str:
    body = order_body(session, *((item, 1) for item in items))
    return api.post("/table/7/order", body, format="json").json()["orderId"]


# --- the display --------------------------------------------------------------------------------------


def test_the_header_leads_to_every_station(cook, grill):
    for path, current in (("/kitchen", "All"), ("/kitchen/grill", "Grill")):
        stations = read(cook.get(path)).one("navigation", "Stations")
        assert stations.links() == [("All", "/kitchen"), ("Bar", "/kitchen/bar"), ("Grill", "/kitchen/grill")]
        assert [link.name for link in stations.all("link") if link.get("aria-current") == "page"] == [current]


def test_without_stations_there_is_no_way_to_one(cook):
    assert "Stations" not in read(cook.get("/kitchen")).names("navigation")


def test_a_station_ticks_its_entries_off_by_forms(cook, api, table, session, soup, spritz):
    order_id = order(api, session, spritz, soup)
    page = without_script(cook, "/kitchen/grill")
    assert "Ribollita" in page
    assert "Spritz" not in page
    assert re.search(r"also · Bar 0 of \d done", page.text)
    path = f"/orders/{order_id}/items/1/done"  # its position in the order, not on the station's ticket
    response = submit(cook, page, path)
    assert (response.status_code, response["Location"]) == (303, "/kitchen/grill")
    page = without_script(cook, "/kitchen/grill")
    assert [done.text for done in page.element.iter("s")] == ["1× Ribollita"]
    submit(cook, without_script(cook), f"/orders/{order_id}/items/0/done")
    assert Order.objects.get().status == "ready"
    assert form_of(page, path).one("button", "Not done Ribollita")
    submit(cook, page, path)
    assert Order.objects.get().status == "preparing"


def test_orders_are_served_and_brought_back_by_forms(cook, api, table, session, soup):
    path = f"/orders/{order(api, session, soup)}/status"
    for label, status in (("Start", "preparing"), ("Mark ready", "ready"), ("Mark served", "served")):
        page = without_script(cook)
        assert form_of(page, path).one("button", label)["value"] == status
        submit(cook, page, path, status=status)
    assert "All caught up" in without_script(cook)
    assert (
        form_of(without_script(cook, "/kitchen?status=served"), path).one("button", "Back to Ready")["value"] == "ready"
    )


def test_allergies_and_alerts_are_in_words(cook, api, table, session):
    brownie = make_item("Brownie", allergens={"nuts": "contains"})
    body = order_body(session, (brownie, 1)) | {"allergies": ["nuts", "milk"]}
    api.post("/table/7/order", body, format="json")
    page = without_script(cook)
    assert "ALLERGY: milk, nuts" in page
    assert "Contains or may contain nuts" in page


def test_a_cook_pauses_and_resumes_by_forms(cook, floor):
    page = without_script(cook)
    assert [button["value"] for button in form_of(page, "/kitchen/pause").all("button")] == ["10", "20", "30", "60"]
    response = submit(cook, page, "/kitchen/pause", minutes="20")
    assert (response.status_code, response["Location"]) == (303, "/kitchen")
    for path in ("/kitchen", "/floor"):
        assert "can't order until" in read(cook.get(path))
    assert form_of(without_script(cook), "/kitchen/pause").one("button")["value"] == "0"
    assert "pausedUntil" in floor.get("/floor").json()
    submit(cook, cook.get("/floor"), "/kitchen/pause")
    assert "pausedUntil" not in floor.get("/floor").json()


def test_outside_the_opening_hours_displays_and_the_floor_say_when_it_opens(clock, cook, floor):
    clock(NOON)
    OpeningHours.objects.create(weekday=0, opens=time(18), closes=time(23))
    for path in ("/kitchen", "/floor"):
        shown = floor.get(path, headers={"accept": "application/json"}).json()
        assert datetime.fromisoformat(shown["closedUntil"]) == NOON.replace(hour=18)
        assert "pausedUntil" not in shown
        assert "Closed for guests until Monday, 18:00" in read(cook.get(path))
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


def test_how_long_something_is_sold_out(subtests, clock, cook, soup):
    for lasts, now, until in [
        ("hour", NOON, NOON + timedelta(hours=1)),
        ("today", NOON, NOON.replace(hour=5) + timedelta(days=1)),
        ("today", NOON.replace(hour=2), NOON.replace(hour=5)),  # the evening is not over
        ("today", NOON.replace(hour=5), NOON.replace(hour=5) + timedelta(days=1)),
        ("always", NOON, None),
    ]:
        with subtests.test(lasts=lasts, now=now, until=until):
            clock(now)
            form = {"available": "false", "lasts": lasts, "next": "/menu/availability"}
            response = cook.post(f"/menu/{soup.pk}/availability", form)
            assert (response.status_code, response["Location"]) == (303, "/menu/availability")
            soup.refresh_from_db()
            assert (soup.available, soup.sold_out_until) == (False, until)


def test_the_list_and_the_floor_make_it_available_again(cook, table, soup):
    cook.post(f"/menu/{soup.pk}/availability", {"available": "false", "lasts": "always"})
    back = f"/menu/{soup.pk}/availability"
    for path, until in (("/menu/availability", "Sold out · until it is back"), ("/floor", "Until it is back")):
        page = read(cook.get(path))
        assert "Available again" in form_of(page, back)
        assert until in page
    assert "Sold out (1)" in read(cook.get("/floor"))
    row = read(cook.get("/menu/availability")).one("section", soup.category).one("item")
    assert "Available again" in form_of(row, back)
    response = submit(cook, cook.get("/floor"), back)
    assert response["Location"] == "/floor"
    assert "Nothing is sold out" in read(cook.get("/floor"))
    assert "Everything is available." in read(cook.get("/menu/availability"))


def test_the_length_of_the_menu_does_not_change_the_number_of_queries(floor, soup, django_assert_num_queries):
    available(floor)
    for number in range(20):
        make_item(f"Dish {number}")
    available(floor)
    with django_assert_num_queries(5):
        available(floor)


def test_a_display_that_is_used_every_day_is_never_signed_out(floor):
    assert floor.get("/kitchen").status_code == 200
    almost_over = timezone.now() + timedelta(minutes=5)
    Session.objects.update(expire_date=almost_over)
    floor.get("/kitchen")
    assert Session.objects.get().expire_date == almost_over  # once a day
    session = floor.session
    session["last_day"] = "2020-01-01"
    session.save()
    Session.objects.update(expire_date=almost_over)
    floor.get("/kitchen")
    assert Session.objects.get().expire_date > timezone.now() + timedelta(days=13)
