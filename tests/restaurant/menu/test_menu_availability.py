"""`POST /menu/{itemId}/availability`, and portions that orders take."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from restaurant.menu.services import menu
from restaurant.models import MenuItem
from tests.conftest import make_item, order_body, unknown_id
from tests.reading import read
from tests.restaurant.ordering.forms import form_of, submit

pytestmark = pytest.mark.django_db


def switch(client, item: MenuItem | str, **body):
    return client.post(f"/menu/{getattr(item, 'pk', item)}/availability", body, format="json")


def sold_out(api) -> list[str]:
    return api.get("/table/7/sold-out").json()["soldOut"]


def order(api, session, item, quantity: int = 1):
    return api.post("/table/7/order", order_body(session, (item, quantity)), format="json")


def test_it_is_sold_out_until_it_is_switched_on(floor, api, table, session, soup):
    response = switch(floor, soup, available=False)
    assert response.status_code == 200
    assert response.json() == {"id": str(soup.pk), "available": False, "until": None, "portions": None}
    assert sold_out(api) == [str(soup.pk)]
    assert order(api, session, soup).status_code == 400
    assert switch(floor, soup, available=True).json()["available"] is True
    assert sold_out(api) == []
    assert order(api, session, soup).status_code == 200


def test_it_is_available_again_by_itself(floor, api, table, session, soup, time_machine):
    until = timezone.now() + timedelta(hours=1)
    response = switch(floor, soup, available=False, until=until.isoformat())
    assert response.json()["available"] is False
    assert response.json()["until"]
    assert sold_out(api) == [str(soup.pk)]
    time_machine.move_to(until + timedelta(seconds=1))
    assert sold_out(api) == []
    assert "Soups" in api.get("/table/7", headers={"accept": "application/json"}).json()["menu"]
    assert order(api, session, soup).status_code == 200


def test_bad_bodies(subtests, floor, soup):
    for body in [
        {},
        {"available": "no"},
        {"available": 0},
        {"available": None},
        {"available": False, "until": "tomorrow"},
        {"available": False, "until": "2020-01-01T12:00:00Z"},
        {"available": True, "until": "2999-01-01T12:00:00Z"},
    ]:
        with subtests.test(body=body):
            assert switch(floor, soup, **body).status_code == 400
            soup.refresh_from_db()
            assert soup.available


def test_who_may(floor, manager, cashier, api, soup):
    assert [switch(each, soup, available=False).status_code for each in (floor, manager, cashier, api)] == [
        200, 200, 403, 401,
    ]  # fmt: skip


def test_an_unknown_item(subtests, floor):
    for item_id in ["nonsense", unknown_id()]:
        with subtests.test(item_id=item_id):
            assert switch(floor, item_id, available=False).status_code == 404


# --- portions -----------------------------------------------------------------------------------------


def test_orders_take_portions_and_the_last_takes_it_off_the_menu(api, table, session):
    dish = make_item("Trout", portions=3)
    assert order(api, session, dish, 2).status_code == 200
    response = order(api, session, dish, 2)
    assert response.status_code == 400
    assert response.json()["error"] == f"Only 1 portion of Trout ({dish.pk}) is left."
    assert sold_out(api) == []
    assert order(api, session, dish, 1).status_code == 200
    assert sold_out(api) == [str(dish.pk)]
    response = order(api, session, dish, 1)
    assert response.status_code == 400
    assert str(dish.pk) in response.json()["error"]


def test_two_entries_of_one_dish_count_together(api, table, session):
    dish = make_item("Trout", portions=3)
    body = order_body(session, (dish, 2), (dish, 2))
    assert api.post("/table/7/order", body, format="json").status_code == 400
    dish.refresh_from_db()
    assert dish.portions == 3


def test_cancelling_gives_back(floor, api, table, session):
    dish = make_item("Trout", portions=2)
    order_id = order(api, session, dish, 2).json()["orderId"]
    assert sold_out(api) == [str(dish.pk)]
    part = {"reason": "mistake", "items": [{"position": 0, "quantity": 1}]}
    floor.post(f"/orders/{order_id}/cancel", part, format="json")
    dish.refresh_from_db()
    assert dish.portions == 1
    assert sold_out(api) == []
    floor.post(f"/orders/{order_id}/cancel", {"reason": "mistake"}, format="json")
    dish.refresh_from_db()
    assert dish.portions == 2


def test_what_was_ordered_before_portions_were_counted_is_not_given_back(floor, api, table, session):
    dish = make_item("Trout")
    order_id = order(api, session, dish, 2).json()["orderId"]
    MenuItem.objects.filter(pk=dish.pk).update(portions=5)
    floor.post(f"/orders/{order_id}/cancel", {"reason": "mistake"}, format="json")
    dish.refresh_from_db()
    assert dish.portions == 5


def test_available_again_lifts_no_portions_to_unlimited_and_leaves_others(floor, table):
    none, some = make_item("Trout", portions=0), make_item("Turbot", portions=4, available=False)
    assert switch(floor, none, available=True).json()["portions"] is None
    assert switch(floor, some, available=True).json()["portions"] == 4


def test_staff_take_portions_too(floor, table, session):
    dish = make_item("Trout", portions=1)
    assert order(floor, session, dish, 2).status_code == 400
    assert order(floor, session, dish, 1).status_code == 200
    dish.refresh_from_db()
    assert dish.portions == 0


# --- counting them, from the page -------------------------------------------------------------------


def count(client, item: MenuItem | str, portions):
    return client.post(f"/menu/{getattr(item, 'pk', item)}/portions", {"portions": portions}, format="json")


def test_portions_are_counted_from_what_staff_say_is_left(floor, api, table, session, soup):
    assert count(floor, soup, 2).json() == {"id": str(soup.pk), "available": True, "until": None, "portions": 2}
    assert order(api, session, soup, 3).status_code == 400
    assert order(api, session, soup, 1).status_code == 200
    soup.refresh_from_db()
    assert soup.portions == 1
    assert count(floor, soup, 0).status_code == 200
    assert sold_out(api) == [str(soup.pk)]
    assert count(floor, soup, None).json()["portions"] is None
    assert order(api, session, soup, 50).status_code == 200


def test_a_dish_that_is_switched_off_stays_off_when_it_is_counted(floor, api, table, soup):
    switch(floor, soup, available=False)
    assert count(floor, soup, 5).json()["available"] is False
    assert sold_out(api) == [str(soup.pk)]


def test_nonsense_is_not_counted(subtests, floor, soup):
    for portions in [-1, 1000, 1.5, "3", True, ""]:
        with subtests.test(portions=portions):
            assert count(floor, soup, portions).status_code == 400
            assert floor.post(f"/menu/{soup.pk}/portions", {}, format="json").status_code == 400
            soup.refresh_from_db()
            assert soup.portions is None


def test_who_may_count(floor, manager, cashier, api, soup):
    assert [count(each, soup, 3).status_code for each in (floor, manager, cashier, api)] == [200, 200, 403, 401]
    assert count(floor, unknown_id(), 3).status_code == 404


def test_the_page_counts_without_javascript(waiter, soup):
    path, counts = "/menu/availability", f"/menu/{soup.pk}/portions"
    make_item("Trifle", category="Sweets")
    page = read(waiter.get(path))
    for text, portions in (("3", 3), ("", None), ("0", 0)):
        response = submit(waiter, page, counts, portions=text)
        assert (response.status_code, response["Location"]) == (303, path)
        soup.refresh_from_db()
        assert soup.portions == portions
        now = read(waiter.get(path))
        assert ((f"{soup.name} 3 left", f"#left-{soup.pk}") in now.links()) == (portions == 3)
    assert "No portions left" in now
    assert form_of(now, counts).fields()["portions"] == "0"
    assert ("Floor", "/floor") in now.links()
    categories = now.one("navigation", "Categories").names("link")
    assert sorted(categories) == ["Soups Sold out: 1", "Sweets"]
    response = submit(waiter, page, counts, portions="many")
    assert (response.status_code, "A whole number from 0 to 999 is needed." in read(response)) == (400, True)


def test_until_tomorrow_is_until_the_next_morning_of_the_venue(subtests, waiter, table, soup, time_machine, settings):
    settings.TIME_ZONE = "America/New_York"
    zone = ZoneInfo(settings.TIME_ZONE)
    for now, back in [("2026-03-06T21:00:00", "2026-03-07T05:00:00"), ("2026-03-07T01:30:00", "2026-03-07T05:00:00")]:
        with subtests.test(now=now, back=back):
            time_machine.move_to(datetime.fromisoformat(now).replace(tzinfo=zone), tick=False)
            menu.set_available(MenuItem.objects.all(), available=True)
            page = read(waiter.get("/menu/availability"))
            response = submit(waiter, page, f"/menu/{soup.pk}/availability", lasts="today")
            assert (response.status_code, "Until tomorrow" in page) == (303, True)
            soup.refresh_from_db()
            assert soup.sold_out_until == datetime.fromisoformat(back).replace(tzinfo=zone)
            for path in ("/menu/availability", "/floor"):
                assert "Until tomorrow" in read(waiter.get(path))
