"""The menu's list: pictures, Add, categories outside their hours, and a kitchen that takes no orders."""

import gzip
from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from restaurant.menu.services import menu
from restaurant.models import CartLine, Category, OpeningHours, TableSession
from tests.conftest import PAGE, make_item, make_table
from tests.reading import Part, read
from tests.restaurant.menu.dishes import declared, give_options, give_picture, large_menu, make_steak
from tests.restaurant.menu.menus import chosen_on

pytestmark = pytest.mark.django_db

WEDNESDAY_11 = datetime(2026, 3, 11, 11, tzinfo=ZoneInfo(settings.TIME_ZONE))


def page_of(client, number: int = 7) -> Part:
    return read(client.get(f"/table/{number}", headers={"accept": PAGE}))


def dish(page: Part, name: str) -> Part:
    return next(item for item in page.all("item") if name in item.names("heading"))


def can_add(page: Part, name: str) -> bool:
    return any(each.name.startswith("Add ") for role in ("button", "link") for each in dish(page, name).all(role))


# --- pictures -----------------------------------------------------------------------------------------


def test_an_uploaded_picture_is_linked_small_with_its_size_and_its_words(client, table, soup):
    give_picture(soup, "A bowl")
    soup.refresh_from_db()
    bread = make_item("Bread", category="Breads")
    give_picture(bread)
    page = page_of(client)
    small, large = (f"/pictures/{each['digest']}.webp" for each in soup.picture.widths[:2])
    picture = dish(page, "Ribollita").one("image", "A bowl")
    assert (picture["src"], picture["srcset"]) == (small, f"{small} 1.2x, {large} 2.5x")
    assert (picture["width"], picture["height"]) == ("108", "108")
    assert dish(page, "Bread").one("image", "Bread")


def test_a_link_to_a_picture_wins_over_an_uploaded_one(client, table, soup):
    give_picture(soup)
    soup.image_url = "https://pictures.example/soup.jpg"
    soup.save()
    page = read(client.get(f"/table/7/dishes/{soup.pk}", headers={"accept": PAGE}))
    for picture in (dish(page_of(client), "Ribollita").one("image"), page.one("image", "Ribollita")):
        assert (picture["src"], picture.get("srcset")) == (soup.image_url, None)


def test_the_first_pictures_load_at_once_and_the_others_when_they_come_near(client, table):
    for number in range(7):
        make_item(f"Dish {number}", image_url=f"https://pictures.example/{number}.jpg")
    make_item("Dish", category="Aperitifs")
    assert [picture.get("loading") for picture in page_of(client).all("image")] == [None] * 4 + ["lazy"] * 3


def test_a_dish_without_a_picture_has_none(client, table, soup):
    assert dish(page_of(client), "Ribollita").all("image") == []


def test_none_of_the_allergens_is_said_only_where_all_14_are_declared_free(client, table):
    known = {
        "Highball": declared(),
        "Negroni": {},
        "Shrub": {key: value for key, value in declared().items() if key != "sulphites"},
        "Steak": declared(),
        "Spritz": declared(sulphites="contains"),
    }
    made = {name: make_item(name, allergens=allergens) for name, allergens in known.items()}
    give_options(made["Steak"], "Sauce", "Romesco")  # which may have some
    page = page_of(client)
    said = {
        "Highball": "None of the 14 allergens",
        "Negroni": "Allergens: ask us",
        "Shrub": "Allergens: ask us",
        "Steak": "Allergens depend on your choices",
        "Spritz": "Contains sulphites",
    }
    assert [name for name, words in said.items() if not dish(page, name).text.endswith(f"€9.50 {words} Add")] == []


def test_where_no_dish_says_anything_the_menu_does_not_send_every_guest_to_ask(client, table):
    for name in ("Negroni", "Shrub"):
        make_item(name)
    assert "ask us" not in page_of(client)
    assert dish(page_of(client), "Negroni").text == "Negroni €9.50 Add"


# --- Add ----------------------------------------------------------------------------------------------


def test_a_dish_with_options_is_added_on_its_page_and_another_with_one_tap(client, table, soup):
    steak, _options = make_steak()
    page = page_of(client)
    assert page.one("link", "Add Steak: choose how")["href"] == f"/table/7/dishes/{steak.pk}"
    assert page.one("button", "Add Ribollita")["value"] == str(soup.pk)
    assert page.one("link", "Ribollita")["href"] == f"/table/7/dishes/{soup.pk}"


def test_what_the_phone_has_chosen_stands_once_on_the_page_and_adds_up_with_the_options(client, table, soup):
    egg = give_options(soup, "Extras", ("Egg", "1.50"))["Egg"]
    page_of(client)
    for options in ([], [str(egg.pk)], [str(egg.pk)]):
        body = {"menuItemId": str(soup.pk), "options": options}
        assert client.post("/table/7/cart", body, "application/json").status_code == 200
    page = client.get("/table/7", headers={"accept": PAGE})
    assert [(line["menuItemId"], line["quantity"]) for line in chosen_on(page.content.decode())] == [
        (str(soup.pk), 1),
        (str(soup.pk), 2),
    ]
    assert read(page).one("link", "3 items Your order €31.50")["href"] == "/table/7/cart"


def test_links_lead_to_the_phones_own_table_though_the_list_is_cached_for_all(client, table, soup):
    make_table(8)
    for number in (7, 8):
        client.get(f"/table/{number}")
        client.post(f"/table/{number}/cart", {"menuItemId": str(soup.pk)}, "application/json")
        assert page_of(client, number).one("link", soup.name)["href"] == f"/table/{number}/dishes/{soup.pk}"


# --- when it can't be ordered -------------------------------------------------------------------------


def test_a_category_outside_its_hours_is_named_with_them_and_has_no_add(subtests, client, table, soup, clock):
    clock(WEDNESDAY_11)
    make_item("Lasagne", category="Lunch")
    every_day = Category.objects.get(name="Lunch").weekdays
    for values, words in [
        ({"weekdays": [0, 1, 2, 3, 4], "opens": time(12), "closes": time(15)}, "Mon–Fri 12:00–15:00"),
        ({"weekdays": [5, 6]}, "Sat, Sun"),
        ({"weekdays": [0, 3, 4, 5]}, "Mon, Thu–Sat"),
        ({"opens": time(18)}, "from 18:00"),
        ({"closes": time(10, 30)}, "until 10:30"),
    ]:
        with subtests.test(values=values, words=words):
            Category.objects.filter(name="Lunch").update(
                **({"opens": None, "closes": None, "weekdays": every_day} | values)
            )
            menu.renew_version()
            page = page_of(client)
            assert page.one("heading", f"Lunch {words}")
            assert (can_add(page, "Lasagne"), can_add(page, "Ribollita")) == (False, True)
            lasagne = client.get(page.one("link", "Lasagne")["href"], headers={"accept": PAGE})
            assert f"Not now: Lunch · {words}" in read(lasagne)


def test_outside_the_opening_hours_it_says_when_it_takes_orders_again(client, table, soup, clock):
    OpeningHours.objects.create(weekday=2, opens=time(18), closes=time(23))
    clock(WEDNESDAY_11)
    page = page_of(client)
    assert "We take orders again at 18:00" in page
    add = page.one("button", "Add Ribollita")
    assert (add.get("disabled") is not None, add.text) == (True, "Closed")
    clock(WEDNESDAY_11.replace(hour=19))
    page = page_of(client)
    assert "We take orders again" not in page
    assert page.one("button", "Add Ribollita").get("disabled") is None


# --- how large it is ----------------------------------------------------------------------------------


CONTROL = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK")


def queries(call) -> int:
    with CaptureQueriesContext(connection) as seen:
        assert call().status_code == 200
    return sum(not each["sql"].startswith(CONTROL) and "web_permits" not in each["sql"] for each in seen)


def test_two_hundred_dishes_with_pictures_and_options_are_small_and_few_queries(client, table):
    items = large_menu(200)
    headers = {"accept": PAGE, "accept-encoding": "gzip"}

    def open_menu(query: str = ""):
        return client.get(f"/table/7{query}", headers=headers)

    assert queries(open_menu) <= 8
    assert queries(open_menu) <= 5
    body = open_menu().content
    assert len(read(gzip.decompress(body)).all("image")) == 200
    assert len(body) < 41_000
    CartLine.objects.create(
        session=TableSession.objects.get(), guest=client.cookies["sessionId"].value, menu_item=items[0]
    )
    for _ in range(2):
        assert queries(open_menu) <= 5
    assert queries(lambda: open_menu("?without=nuts,milk")) <= 5
    assert queries(lambda: client.get(f"/table/7/dishes/{items[0].pk}", headers=headers)) <= 3
