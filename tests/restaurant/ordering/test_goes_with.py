"""What goes well with a dish, on its page and in the cart: "Suggested dishes" in docs/behaviour/restaurant.md."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from restaurant.menu.services import menu
from restaurant.models import CartLine, Category, MenuItem
from tests.conftest import make_item
from tests.reading import Part, read
from tests.restaurant.menu.dishes import declared, give_options
from tests.restaurant.ordering.forms import form_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone(browser_client, table):
    browser_client.get("/table/7")
    return browser_client


@pytest.fixture
def steak(db) -> MenuItem:
    return make_item("Steak", "24.50", category="Grill", allergens=declared(milk="contains"))


@pytest.fixture
def wine(steak) -> MenuItem:
    return named(steak, "Red wine", "7.00", category="Wine", allergens=declared(sulphites="contains"))


def named(dish: MenuItem, name: str, price: str = "5.00", **values) -> MenuItem:
    """A new dish that goes well with this one."""
    made = make_item(name, price, **values)
    dish.goes_with.add(made)
    return made


WELL = re.compile("Goes well with")


def section(page) -> Part | None:
    """The part of the page that says what goes well; None where it has none."""
    found = read(page)
    return found.one("section", WELL) if found.all("heading", WELL) else None


def offered(page) -> list[str]:
    shown = section(page)
    return [each.text.rsplit(" €")[0] for each in shown.all("link") if " €" in each.text] if shown else []


def page_of(dish: MenuItem) -> str:
    return f"/table/7/dishes/{dish.pk}"


def put(phone, *dishes: MenuItem) -> None:
    for dish in dishes:
        phone.post("/table/7/cart", {"add": str(dish.pk)})


# --- on the page of a dish ----------------------------------------------------------------------------


def test_a_dish_offers_what_goes_well_with_it_in_the_menu_s_order_and_not_the_other_way_round(phone, steak, wine):
    named(steak, "Chips", category="Sides")
    shown = section(phone.get(page_of(steak)))
    assert "Goes well with it" in shown
    assert offered(phone.get(page_of(steak))) == ["Chips", "Red wine"]
    assert "€7.00" in shown
    assert shown.one("button", "Add : Red wine")["value"] == str(wine.pk)
    assert section(phone.get(page_of(wine))) is None


def test_what_guests_can_not_have_now_is_not_offered(phone, steak, wine):
    sold_out = named(steak, "Salad")
    named(steak, "Breakfast", category="Mornings")
    away = timezone.localtime() + timedelta(days=2)
    Category.objects.filter(name="Mornings").update(weekdays=[away.weekday()])
    menu.renew_version()
    assert offered(phone.get(page_of(steak))) == ["Salad", "Red wine"]
    menu.set_available(MenuItem.objects.filter(pk=sold_out.pk), available=False)
    assert offered(phone.get(page_of(steak))) == ["Red wine"]


def test_guests_are_offered_nothing_that_may_have_what_they_avoid(phone, steak, wine):
    pesto = named(steak, "Pesto", category="Sides")
    put(phone, steak)
    for allergens in (declared(nuts="contains"), declared(nuts="may_contain"), {}):
        pesto.allergens = allergens
        pesto.save()
        phone.get("/table/7?from=cart&without=")
        assert offered(phone.get(page_of(steak))) == ["Pesto", "Red wine"]
        phone.get("/table/7?from=cart&without=nuts")
        for address in (page_of(steak), "/table/7/cart"):
            assert offered(phone.get(address)) == ["Red wine"], (allergens, address)


def test_one_that_comes_with_choices_leads_to_its_page(phone, steak):
    coffee = named(steak, "Coffee")
    give_options(coffee, "Milk", "Whole", "Oat", low=1)
    shown = section(phone.get(page_of(steak)))
    assert shown.all("button") == []
    assert shown.one("link", "Choose : Coffee")["href"] == page_of(coffee)


def test_without_a_script_it_is_added_and_the_guest_comes_back_to_the_dish(phone, steak, wine):
    response = phone.post("/table/7/cart", {"add": str(wine.pk), "beside": str(steak.pk)})
    assert response.status_code == 303
    address, _hash, place = response["Location"].partition("#")
    page = phone.get(address)
    assert f'id="{place}"' in page.content.decode()
    assert read(page).one("heading", "Steak")
    assert section(page).one("button", "Added : Red wine")
    assert CartLine.objects.get().menu_item == wine
    elsewhere = phone.post("/table/7/cart", {"add": str(wine.pk), "beside": "//evil.example"})
    assert elsewhere["Location"] == f"/table/7?from=cart#item-{wine.pk}"


def test_while_guests_can_not_order_it_is_named_and_can_not_be_added(phone, client, steak, wine):
    menu.pause(minutes=30)
    shown = section(phone.get(page_of(steak)))
    assert "Red wine" in shown
    assert shown.all("button") == []
    put(phone, steak)
    assert section(phone.get("/table/7/cart")) is None


def test_programs_get_it_beside_the_dish(phone, api, steak, wine):
    assert api.get(page_of(steak)).json()["goesWith"] == [{"id": str(wine.pk), "name": "Red wine", "price": 7.0}]
    assert "goesWith" not in api.get(page_of(wine)).json()
    steak.goes_with.clear()  # a change of the menu shows at once
    assert "goesWith" not in api.get(page_of(steak)).json()


# --- in the cart --------------------------------------------------------------------------------------


def test_the_cart_offers_two_dishes_at_most_and_none_that_it_has(phone, steak, wine, soup):
    put(phone, soup)
    assert section(phone.get("/table/7/cart")) is None
    for name in ("Bread", "Chips"):
        named(steak, name, category="Sides")
    soup.goes_with.add(wine)
    put(phone, steak)
    assert "Goes well with what you have" in section(phone.get("/table/7/cart"))
    assert offered(phone.get("/table/7/cart")) == ["Red wine", "Bread"]  # that of the first line comes first
    put(phone, wine)
    assert offered(phone.get("/table/7/cart")) == ["Bread", "Chips"]


def test_what_can_not_be_ordered_any_more_asks_for_nothing(phone, steak, wine):
    put(phone, steak)
    menu.set_available(MenuItem.objects.filter(pk=steak.pk), available=False)
    assert section(phone.get("/table/7/cart")) is None


def test_without_a_script_the_cart_adds_it_and_keeps_what_was_typed(phone, steak, wine):
    put(phone, steak)
    form = form_of(phone.get("/table/7/cart"), "/table/7/order").lists() | {
        "quantity": "3",
        "specialInstructions": "rare",
    }
    response = phone.post("/table/7/cart", form | {"addBeside": str(wine.pk)})
    assert response["Location"] == "/table/7/cart"
    lines = CartLine.objects.order_by("pk").values_list("menu_item__name", "quantity", "special_instructions")
    assert list(lines) == [("Steak", 3, "rare"), ("Red wine", 1, "")]


def test_one_that_has_sold_out_meanwhile_is_refused_and_the_rest_kept(phone, steak, wine):
    put(phone, steak)
    form = form_of(phone.get("/table/7/cart"), "/table/7/order").lists() | {
        "quantity": "3",
        "specialInstructions": "rare",
    }
    menu.set_available(MenuItem.objects.filter(pk=wine.pk), available=False)
    response = phone.post("/table/7/cart", form | {"addBeside": str(wine.pk)})
    assert response.status_code == 400
    assert "this dish has just sold out" in response.content.decode()
    assert section(response) is None
    assert CartLine.objects.values_list("menu_item__name", "quantity").get() == ("Steak", 3)


# --- what it costs ------------------------------------------------------------------------------------


def test_it_costs_no_page_a_statement(phone, steak, wine):
    put(phone, steak)

    def statements() -> list[int]:
        counts = []
        for address in (page_of(steak), "/table/7/cart", "/table/7?from=cart"):
            phone.get(address)  # the menu is read once
            with CaptureQueriesContext(connection) as seen:
                phone.get(address)
            counts.append(sum("web_permits" not in each["sql"] for each in seen))
        return counts

    with_it = statements()
    steak.goes_with.clear()
    assert with_it == statements()
