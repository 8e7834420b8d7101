"""While the kitchen has paused, or outside the opening hours, guests can't order, and staff can."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from rest_framework.test import APIClient

from restaurant.models import Category, OpeningHours, Order
from tests.conftest import order_body

pytestmark = pytest.mark.django_db

ZONE = ZoneInfo(settings.TIME_ZONE)
NOON = datetime(2026, 3, 9, 12, 0, tzinfo=ZONE)  # a Monday


@pytest.fixture
def noon(clock, session) -> datetime:
    clock(NOON)
    session.started_at = NOON
    session.save()
    return NOON


def pause(staff: APIClient, minutes: object) -> object:
    return staff.post("/kitchen/pause", {"minutes": minutes}, format="json")


def until_of(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def closed(api: APIClient) -> datetime | None:
    menu = api.get("/table/7", headers={"accept": "application/json"}).json()
    return until_of(menu["closed"]["until"]) if "closed" in menu else None


def test_a_pause_ends_by_itself(noon, clock, floor, api, table, session, soup):
    assert closed(api) is None
    response = pause(floor, 20)
    assert response.status_code == 200
    until = NOON + timedelta(minutes=20)
    assert until_of(response.json()["until"]) == until
    assert closed(api) == until
    refused = api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    assert refused.status_code == 409
    assert until_of(refused.json()["until"]) == until
    assert "12:20" in refused.json()["error"]
    clock(until)
    assert closed(api) is None
    assert api.post("/table/7/order", order_body(session, (soup, 1)), format="json").status_code == 200


def test_a_pause_is_ended(noon, floor, api, table, session, soup):
    pause(floor, 240)
    assert pause(floor, 0).json() == {"until": None}
    assert closed(api) is None
    assert api.post("/table/7/order", order_body(session, (soup, 1)), format="json").status_code == 200


def test_a_pause_of_other_lengths_is_refused(subtests, floor):
    for minutes in [-1, 241, "20", None, 1.5, True]:
        with subtests.test(minutes=minutes):
            assert pause(floor, minutes).status_code == 400


def test_cashiers_and_guests_pause_nothing(cashier, api):
    assert pause(cashier, 10).status_code == 403
    assert pause(api, 10).status_code == 401


def test_the_cart_can_be_filled_meanwhile(noon, floor, api, table, session, soup):
    pause(floor, 60)
    body = {"menuItemId": str(soup.pk), "sessionId": str(session.pk)}
    assert api.post("/table/7/cart", body, format="json").status_code == 200


def test_a_repeat_of_an_order_from_before_gets_the_first_response(noon, floor, api, table, session, soup):
    def order():
        return api.post(
            "/table/7/order", order_body(session, (soup, 1)), format="json", headers={"Idempotency-Key": "one"}
        )

    first = order()
    pause(floor, 60)
    assert (order().status_code, order().json()) == (200, first.json())
    assert Order.objects.count() == 1


def test_opening_hours(subtests, noon, api, table, session, soup):
    for hours, until in [
        ([], None),
        ([(0, time(11), time(15))], None),
        ([(0, time(18), time(23))], NOON.replace(hour=18)),
        ([(0, time(9), time(12))], NOON.replace(hour=9) + timedelta(days=7)),
        ([(0, time(9), time(12)), (2, time(17), time(22))], NOON.replace(hour=17) + timedelta(days=2)),
        ([(6, time(20), time(12, 1))], None),  # since Sunday evening
        ([(6, time(20), time(12))], NOON.replace(hour=20) + timedelta(days=6)),
        ([(1, time(0), time(23))], NOON.replace(hour=0) + timedelta(days=1)),
    ]:
        with subtests.test(hours=hours, until=until):
            OpeningHours.objects.all().delete()
            for weekday, opens, closes in hours:
                OpeningHours.objects.create(weekday=weekday, opens=opens, closes=closes)
            assert closed(api) == until
            response = api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
            assert response.status_code == (409 if until else 200)
            if until:
                assert until_of(response.json()["until"]) == until


LAST_MINUTE = NOON.replace(hour=23, minute=59, second=30)


def test_hours_of_a_whole_day_and_until_midnight(subtests, clock, api, table, soup):
    """Of the venue, and of a category."""
    for opens, closes, at, is_open in [
        (time(0), time(0), LAST_MINUTE, True),
        (time(0), time(0), LAST_MINUTE - timedelta(days=1), False),
        (time(0), time(0), LAST_MINUTE + timedelta(minutes=1), False),
        (time(0), time(23, 59), LAST_MINUTE, True),
        (time(18), time(23, 59), LAST_MINUTE, True),
        (time(18), time(23, 59), LAST_MINUTE + timedelta(minutes=1), False),
        (time(18), time(23, 58), LAST_MINUTE, False),
        (time(18), time(18), LAST_MINUTE + timedelta(hours=17), True),
    ]:
        with subtests.test(opens=opens, closes=closes, at=at, is_open=is_open):
            OpeningHours.objects.all().delete()
            OpeningHours.objects.create(weekday=0, opens=opens, closes=closes)
            Category.objects.filter(name=soup.category).update(opens=opens, closes=closes, weekdays=[0])
            clock(at)
            assert (closed(api) is None) == is_open
            assert (soup.category in api.get("/table/7").json()["menu"]) == is_open


def test_a_pause_that_ends_outside_the_hours_lasts_until_they_open(noon, floor, api, table):
    OpeningHours.objects.create(weekday=0, opens=time(11), closes=time(12, 30))
    OpeningHours.objects.create(weekday=0, opens=time(18), closes=time(23))
    pause(floor, 45)
    assert closed(api) == NOON.replace(hour=18)


def test_displays_say_until_when(noon, floor):
    pause(floor, 20)
    shown = floor.get("/kitchen", headers={"accept": "application/json"}).json()
    assert until_of(shown["pausedUntil"]) == (NOON + timedelta(minutes=20)).astimezone(UTC)
    pause(floor, 0)
    assert "pausedUntil" not in floor.get("/kitchen", headers={"accept": "application/json"}).json()
