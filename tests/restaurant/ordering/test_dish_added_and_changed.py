"""A dish is added on its page, and a line of the cart changed there, without JavaScript."""

import re

import pytest

from restaurant.billing.services import closing
from restaurant.menu.services import menu
from restaurant.models import CartLine, MenuItem, TableSession
from tests.conftest import unknown_id
from tests.reading import read
from tests.restaurant.menu.dishes import make_steak
from tests.restaurant.ordering.dish_pages import can_add, chosen_on, fields, line, page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone(browser_client, table):
    browser_client.get("/table/7")
    return browser_client


# --- adding it ----------------------------------------------------------------------------------------


def test_its_form_adds_the_dish_as_chosen_and_returns_to_its_place_on_the_menu(phone):
    steak, options = make_steak()
    chosen = [options[name] for name in ("Medium", "Chips", "Truffle mash", "Egg")]
    response = phone.post(
        "/table/7/cart", fields(steak, *chosen, quantity="2", specialInstructions="no salt\r\nplease")
    )
    assert (response.status_code, response["Location"]) == (303, f"/table/7?from=cart#item-{steak.pk}")
    assert line() == ("Steak", {str(option.pk) for option in chosen}, 2, "no salt\nplease")
    assert "€59.00" in read(phone.get(response["Location"]))


def test_too_few_and_too_many_are_said_at_their_groups_and_what_was_entered_stays(phone):
    steak, options = make_steak()
    chosen = [options[name] for name in ("Chips", "Sauce", "Egg", "Butter")]
    response = phone.post("/table/7/cart", fields(steak, *chosen, quantity="3", specialInstructions="no salt"))
    text = read(response)
    assert response.status_code == 400
    assert not CartLine.objects.exists()
    assert "nothing was added yet" in text
    assert "How would you like it? Choose 1 Required Please choose one." in text
    assert "Sides Choose 2 Required Please choose 1 more." in text
    assert "Extras Choose up to 2 Please choose at most 2." in text
    assert str(steak.pk) not in text
    assert chosen_on(text) == {str(option.pk) for option in chosen}
    assert (text.fields()["quantity"], text.fields()["specialInstructions"]) == ("3", "no salt")


def test_a_wrong_number_or_a_note_that_is_too_long_is_refused(subtests, phone, soup):
    for wrong in [{"quantity": "100"}, {"quantity": "x"}, {"specialInstructions": "x" * 501}]:
        with subtests.test(wrong=wrong):
            response = phone.post("/table/7/cart", fields(soup, **wrong))
            assert response.status_code == 400
            assert can_add(read(response))
            assert not CartLine.objects.exists()


def test_what_sold_out_meanwhile_is_said_on_the_dishs_page(phone, soup):
    menu.set_available(MenuItem.objects.all(), available=False)
    response = phone.post("/table/7/cart", fields(soup))
    assert response.status_code == 400
    assert "this dish has just sold out" in read(response)


def test_a_choice_that_went_meanwhile_is_named(phone):
    steak, options = make_steak()
    chosen = [options[name] for name in ("Rare", "Chips", "Slaw")]
    options["Slaw"].available = False
    options["Slaw"].save()
    response = phone.post("/table/7/cart", fields(steak, *chosen))
    assert response.status_code == 400
    assert "Not to be had any more: Slaw." in read(response)


def test_after_the_table_was_closed_nothing_is_added(phone, soup):
    closing.close_session(table_number=7, session_id=str(TableSession.objects.get().pk))
    response = phone.post("/table/7/cart", fields(soup))
    assert response.status_code == 409
    assert not CartLine.objects.exists()


# --- changing a line of the cart ----------------------------------------------------------------------


@pytest.fixture
def chosen(phone):
    """A steak in the cart: rare, with chips and slaw, twice."""
    steak, options = make_steak()
    first = [options[name] for name in ("Rare", "Chips", "Slaw")]
    phone.post("/table/7/cart", fields(steak, *first, quantity="2", specialInstructions="no salt"))
    key = ",".join([str(steak.pk), *sorted(str(option.pk) for option in first)])
    return steak, options, key


def test_a_line_is_shown_as_it_was_chosen(phone, chosen):
    steak, _options, key = chosen
    page = page_of(phone, steak, f"?line={key}")
    assert chosen_on(page) == set(key.split(",")[1:])
    sent = page.fields()
    assert (sent["replaces"], sent["quantity"], sent["specialInstructions"]) == (key, "2", "no salt")
    assert "€49.00" in page.one("button", re.compile("^Update"))


def test_a_line_is_changed_in_its_place(phone, chosen, soup):
    steak, options, key = chosen
    phone.post("/table/7/cart", fields(soup))
    other = [options[name] for name in ("Medium", "Chips", "Truffle mash")]
    change = fields(steak, *other, quantity="1", specialInstructions="salt", replaces=key)
    for _ in range(2):  # sent again, it changes nothing
        response = phone.post("/table/7/cart", change)
        assert (response.status_code, response["Location"]) == (303, "/table/7/cart")
        lines = CartLine.objects.order_by("pk")
        assert [(each.menu_item_id, each.quantity, each.special_instructions) for each in lines] == [
            (steak.pk, 1, "salt"), (soup.pk, 1, ""),
        ]  # fmt: skip
        assert set(map(str, lines[0].options)) == {str(option.pk) for option in other}


def test_a_line_that_becomes_equal_to_another_joins_it_once(phone, chosen):
    steak, options, key = chosen
    other = [options[name] for name in ("Medium", "Chips", "Greens")]
    phone.post("/table/7/cart", fields(steak, *other, specialInstructions="well"))
    for _ in range(2):
        phone.post("/table/7/cart", fields(steak, *other, quantity="2", specialInstructions="no salt", replaces=key))
        assert line() == ("Steak", {str(option.pk) for option in other}, 3, "well\nno salt")


def test_a_refused_change_leaves_the_line_and_can_be_mended(phone, chosen):
    steak, options, key = chosen
    response = phone.post("/table/7/cart", fields(steak, options["Rare"], replaces=key))
    assert response.status_code == 400
    assert read(response).fields()["replaces"] == key
    assert line()[2] == 2


def test_a_line_that_is_not_there_is_added_and_any_name_is_survived(subtests, phone, soup):
    for name in ["", "nothing", "nothing,at,all", f"{unknown_id()},x"]:
        with subtests.test(name=name):
            assert phone.get(f"/table/7/dishes/{soup.pk}?line={name}").status_code == 200
            assert phone.post("/table/7/cart", fields(soup, replaces=name)).status_code == 303
            assert line()[0] == "Ribollita"
