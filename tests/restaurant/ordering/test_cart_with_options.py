"""Carts with choices, allergies, portions and a closed kitchen: by JSON, and by forms alone."""

from datetime import UTC, datetime, time

import pytest

from restaurant.menu.services import menu
from restaurant.models import CartLine, Category, MenuItem, Option, Order
from tests.conftest import unknown_id
from tests.restaurant.menu.menus import add_group, make_burger
from tests.restaurant.ordering.phones import Phone

pytestmark = pytest.mark.django_db


@pytest.fixture
def burger(db):
    """With `done` and `toppings`, its choices."""
    item, item.done, item.toppings = make_burger()
    return item


@pytest.fixture
def phone(browser_client, table) -> Phone:
    return Phone(browser_client)


def add(phone: Phone, item, quantity=1, *options):
    """By JSON, with the cookies of the phone."""
    body = {"menuItemId": str(item.pk), "quantity": quantity, "options": [str(option.pk) for option in options]}
    headers = {"accept": "application/json"}
    return phone.browser.post("/table/7/cart", body, content_type="application/json", headers=headers)


def places(phone: Phone) -> bool:
    """Whether it is offered to place the order."""
    return any(name.startswith("Place order") for name in phone.page.names("button"))


def key(item, *options) -> str:
    return ",".join([str(item.pk), *sorted(str(option.pk) for option in options)])


# --- by JSON ------------------------------------------------------------------------------------------


def test_the_same_dish_with_other_choices_is_another_line(phone, burger):
    rare, well = burger.done
    add(phone, burger, 1, rare, burger.toppings[0])
    add(phone, burger, 2, well)
    data = add(phone, burger, 1, burger.toppings[0], rare).json()
    assert [(line["quantity"], line["price"], line["lineTotal"]) for line in data["items"]] == [
        (2, 16.0, 32.0),
        (2, 14.5, 29.0),
    ]
    assert [option["name"] for option in data["items"][0]["options"]] == ["Rare", "Cheese"]
    assert (data["total"], data["count"]) == (61.0, 4)


def test_a_dish_without_choices_has_no_options_in_its_line(phone, soup):
    assert "options" not in add(phone, soup).json()["items"][0]


def test_choices_that_are_not_the_dish_s_are_refused_and_name_it(subtests, phone, burger, soup):
    for tampered in ["another dish's", "twice", "unknown", "no id", "too few", "too many", "sold out"]:
        with subtests.test(tampered=tampered):
            rare, cheese = burger.done[0], burger.toppings[0]
            theirs = add_group(soup, "Bread?", 0, 1, ("Rye", "0"))[0]
            if tampered == "sold out":
                Option.objects.filter(pk=cheese.pk).update(available=False)
                menu.renew_version()
            options = {
                "another dish's": [rare.pk, theirs.pk],
                "twice": [rare.pk, rare.pk],
                "unknown": [rare.pk, unknown_id()],
                "no id": [rare.pk, "cheese"],
                "too few": [cheese.pk],
                "too many": [rare.pk, *(each.pk for each in burger.toppings)],
                "sold out": [rare.pk, cheese.pk],
            }[tampered]
            response = add(phone, burger, 1, *(type("Option", (), {"pk": each}) for each in options))
            assert response.status_code == 400
            assert str(burger.pk) in response.json()["error"]
            if tampered.startswith("too"):
                assert ("How done?" if tampered == "too few" else "Toppings") in response.json()["error"]
            assert not CartLine.objects.exists()


def test_a_cart_that_is_put_keeps_a_line_whose_choice_has_sold_out_and_takes_no_new_one(phone, api, burger, session):
    rare, cheese = burger.done[0], burger.toppings[0]
    line = {"menuItemId": str(burger.pk), "options": [str(rare.pk), str(cheese.pk)]}
    body = {"sessionId": str(session.pk), "items": [line]}
    api.cookies["sessionId"] = "a-phone"
    assert api.put("/table/7/cart", body, format="json").status_code == 200
    with menu.changing():
        Option.objects.filter(pk=cheese.pk).update(available=False)
    (kept,) = api.put("/table/7/cart", body, format="json").json()["items"]
    assert (kept["available"], kept["quantity"]) == (False, 1)
    api.cookies["sessionId"] = "another"
    assert api.put("/table/7/cart", body, format="json").status_code == 400


# --- by forms -----------------------------------------------------------------------------------------


def test_the_buttons_of_one_line_leave_the_other_of_the_same_dish_alone(phone, burger):
    rare, well = burger.done
    add(phone, burger, 1, rare, burger.toppings[0])
    add(phone, burger, 1, well)
    phone.open()
    first, second = key(burger, rare, burger.toppings[0]), key(burger, well)
    assert phone.lines() == [first, second]
    assert f"/table/7/dishes/{burger.pk}?line={first}" in dict(map(reversed, phone.page.links()))
    assert "Cheese" in phone.page
    assert "+€1.50" in phone.page
    phone.send(more=second)
    assert phone.form()["quantity"] == ["1", "2"]
    phone.send(remove=first)
    assert phone.lines() == [second]
    phone.send("/table/7/order")
    item = Order.objects.get().items.get()
    assert (item.quantity, [option["name"] for option in item.options]) == (2, ["Well done"])
    assert "Well done" in phone.page


def test_a_removed_line_is_back_by_one_button_with_its_choices_and_its_note(phone, burger, soup):
    rare = burger.done[0]
    add(phone, burger, 3, rare)
    add(phone, soup)
    phone.open()
    phone.send(specialInstructions=["Cut in half", ""], remove=key(burger, rare))
    assert phone.lines() == [key(soup)]
    assert "Removed Burger." in phone.page
    phone.send(undo="1")
    line = CartLine.objects.get(menu_item=burger)
    assert (line.quantity, line.options, line.special_instructions) == (3, [rare.pk], "Cut in half")
    assert "Removed Burger." not in phone.page


def test_a_choice_that_has_sold_out_is_said_at_its_line_which_stays(phone, burger, soup):
    rare, cheese = burger.done[0], burger.toppings[0]
    add(phone, burger, 2, rare, cheese)
    add(phone, soup)
    with menu.changing():
        Option.objects.filter(pk=cheese.pk).update(available=False)
    phone.open()
    assert "“Cheese” is no longer available: change or remove." in phone.page
    phone.send(more=key(soup))
    assert phone.lines() == [key(burger, rare, cheese), key(soup)]
    phone.send("/table/7/order")
    assert [item.menu_item for item in Order.objects.get().items.all()] == [soup]
    assert CartLine.objects.get().quantity == 2


def test_a_category_out_of_hours_says_when_it_is_served_again(phone, soup, clock):
    clock(datetime(2026, 3, 2, 12, tzinfo=UTC))
    phone.open("/table/7")
    add(phone, soup)
    with menu.changing():
        Category.objects.filter(name="Soups").update(opens=time(18), closes=time(22))
    phone.open()
    assert "Served again from 18:00 on" in phone.page


def test_choices_that_the_menu_has_changed_are_said_too(phone, burger, soup):
    add(phone, soup)
    add_group(soup, "Bread?", 1, 1, ("Rye", "0"), ("Wheat", "0"))
    assert "The choices for this dish have changed" in phone.open().page


# --- portions -----------------------------------------------------------------------------------------


def test_more_than_are_left_is_corrected_by_one_button_and_nothing_is_lost(phone, burger, soup):
    rare, well = burger.done
    add(phone, burger, 3, rare)
    add(phone, burger, 2, well)
    add(phone, soup)
    MenuItem.objects.filter(pk=burger.pk).update(portions=4)
    phone.open().send("/table/7/order", specialInstructions=["", "Hot", ""])
    assert phone.response.status_code == 400
    assert "Only 4 portions of Burger are left." in phone.page
    assert "Only 4 left" in phone.page
    assert phone.form()["specialInstructions"] == ["", "Hot", ""]
    phone.send(take=phone.page.field("take")["value"])
    assert phone.form()["quantity"] == ["3", "1", "1"]
    assert "Only 4 left" not in phone.page
    assert "Order received" in phone.send("/table/7/order").page
    assert MenuItem.objects.get(pk=burger.pk).portions == 0


# --- closed -------------------------------------------------------------------------------------------


def test_a_kitchen_that_pauses_says_until_when_and_keeps_the_cart(phone, soup, clock):
    clock(datetime(2026, 3, 2, 12, tzinfo=UTC))
    phone.open("/table/7")
    add(phone, soup)
    phone.open()
    menu.pause(minutes=30)
    phone.send("/table/7/order", quantity=["3"], specialInstructions=["No salt"])
    assert phone.response.status_code == 409
    for _ in range(2):
        assert "The kitchen takes no orders at the moment. You can order again from 12:30 on." in phone.page
        assert not places(phone)
        assert (phone.form()["quantity"], phone.form()["specialInstructions"]) == (["3"], ["No salt"])
        phone.open()
    assert not Order.objects.exists()
    menu.pause(minutes=0)
    assert places(phone.open())


# --- allergies ----------------------------------------------------------------------------------------


def test_the_kitchen_is_told_what_the_phone_leaves_out_and_the_lines_say_what_contains_it(phone, burger, soup, bread):
    MenuItem.objects.filter(pk=burger.pk).update(allergens={"milk": "free", "nuts": "may_contain"})
    Option.objects.filter(pk=burger.toppings[0].pk).update(allergens={"milk": "contains", "nuts": "free"})
    Option.objects.filter(pk=burger.done[0].pk).update(allergens={"milk": "free", "nuts": "free"})
    MenuItem.objects.filter(pk=bread.pk).update(allergens={"milk": "free", "nuts": "free"})
    menu.renew_version()
    phone.browser.cookies["without"] = "nuts,milk"
    add(phone, burger, 1, burger.done[0], burger.toppings[0])
    add(phone, soup)
    add(phone, bread)
    phone.open()
    first, second, third = (item.text for item in phone.page.all("item") if item.get("data-line"))
    assert "Contains milk May contain nuts" in first
    assert "Not declared – please ask: milk, nuts" in second
    assert "milk" not in third
    phone.send("/table/7/order")
    order = Order.objects.get()
    assert order.allergies == ["milk", "nuts"]
    assert [item.alert for item in order.items.all()] == [["milk", "nuts"], [], []]
    assert "no milk, nuts" in phone.page


def test_an_allergy_can_be_left_out_of_this_order_and_stays_out_while_the_cart_changes(phone, soup):
    phone.browser.cookies["without"] = "nuts,milk"
    add(phone, soup)
    phone.open()
    assert phone.form()["allergies"] == ["milk", "nuts"]
    phone.send(allergies=["nuts"], more=key(soup))
    assert phone.form()["allergies"] == ["nuts"]
    phone.send("/table/7/order", quantity=["100"])
    assert (phone.response.status_code, phone.form()["allergies"]) == (400, ["nuts"])
    phone.send("/table/7/order", quantity=["1"])
    assert Order.objects.get().allergies == ["nuts"]
