"""A dish's own page, and its form that puts the dish into the cart; without JavaScript."""

import re

import pytest

from restaurant.menu.services import menu
from restaurant.models import MenuItem, OrderingRules, TableSession
from tests.conftest import PAGE, make_item, make_table, unknown_id
from tests.reading import read
from tests.restaurant.menu.dishes import declared, give_options, give_picture, make_steak
from tests.restaurant.ordering.dish_pages import can_add, fields, page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone(browser_client, table):
    browser_client.get("/table/7")
    return browser_client


def test_it_says_what_the_dish_is_costs_and_contains(phone):
    known = {"milk": "contains", "eggs": "contains", "nuts": "may_contain", "fish": "free"}
    cake = make_item("Cake", "6.50", description="With cream", diet="vegetarian", allergens=known)
    text = page_of(phone, cake)
    for words in (
        "Cake", "€6.50", "vegetarian", "With cream", "Contains: eggs, milk.", "May contain: nuts.", "Free from: fish.",
        "Not declared: celery, gluten,",
    ):  # fmt: skip
        assert words in text


def test_a_long_list_of_what_it_is_free_from_is_folded_but_for_guests_who_look_for_it(phone):
    few, many = (dict.fromkeys(names, "free") for names in (["eggs", "fish", "milk"], ["eggs", "fish", "milk", "nuts"]))
    short, long = make_item("Cake", "6.50", allergens=few), make_item("Pie", "6.50", allergens=many)
    free = "What it's free from"
    assert free not in page_of(phone, short)
    folded = page_of(phone, long).one("details", free)
    assert (folded.get("open"), folded.text) == (None, f"{free} Eggs, fish, milk, nuts")
    phone.get("/table/7?from=cart&without=eggs")
    assert page_of(phone, long).one("details", free).get("open") is not None


def test_what_is_not_declared_is_never_called_free(phone, soup):
    text = page_of(phone, soup)
    assert "Allergens are not declared: please ask us." in text
    assert "An allergy? Please tell us before you order" in text
    assert "free from" not in text.text.lower()


def test_what_it_is_free_from_is_said_of_the_dish_before_choices(phone):
    steak = make_item("Steak", "24.00", allergens=dict.fromkeys(["eggs", "milk", "nuts", "soya"], "free"))
    romesco = {"allergens": declared(nuts="contains", fish="may_contain")}
    give_options(steak, "Sauce", "Romesco", "Jus", Romesco=romesco, Jus={"allergens": declared()})
    text = page_of(phone, steak)
    assert "What it's free from Eggs, milk, nuts, soya What you choose below isn't counted." in text
    assert "Romesco Contains nuts · may contain fish Jus None of the 14 allergens Note for the kitchen" in text
    assert "not declared – please ask" not in text


def test_a_choice_that_says_nothing_beside_one_that_does_is_not_taken_for_free(phone):
    steak = make_item("Steak", "24.00")
    free = {"allergens": declared()}
    romesco = {"allergens": declared(nuts="contains")}
    give_options(steak, "Sauce", "Romesco", "Jus", "Oil", Romesco=romesco, Oil=free)
    give_options(steak, "Cooked", "Rare", "Medium", low=1)
    give_options(steak, "Cut", "Thick", "Thin", Thick=free, Thin=free)
    text = page_of(phone, steak)
    assert "Romesco Contains nuts Jus Allergens: ask us Oil None of the 14 allergens Cooked" in text
    assert "Rare Medium Cut" in text
    assert "Thick Thin Note for the kitchen" in text
    assert "The allergens of these are not declared" not in text


def test_its_button_knows_what_each_group_asks_for(phone):
    steak, _options = make_steak()
    give_options(steak, "Cut", "Thick", "Thin", low=1)
    page = page_of(phone, steak)
    asked = [group.get("data-asked") for group in page.all("group") if group.get("data-asked")]
    assert set(asked) >= {"Make your choice", "Choose: Cut"}
    assert page.one("button", re.compile("^Add"))  # what it says without JavaScript


def test_it_lists_its_options_with_what_they_cost_and_how_many_to_take(phone):
    steak, options = make_steak()
    gone = options["Slaw"]
    gone.available = False
    gone.save()
    text = page_of(phone, steak)
    assert "How would you like it? Choose 1 Required" in text
    assert "Sides Choose 2 Required" in text
    assert "Extras Choose up to 2" in text
    assert "Truffle mash + €3.50" in text
    assert "Slaw" not in text
    assert (len(text.all("radio")), len(text.all("checkbox"))) == (2, 6)


def test_its_picture_comes_in_every_width_with_its_size_and_words(phone, soup):
    give_picture(soup, "A bowl of soup")
    picture = page_of(phone, soup).one("image", "A bowl of soup")
    assert re.findall(r"(\d+)w", picture["srcset"]) == ["176", "360", "720", "960"]
    assert (picture["width"], picture["height"]) == ("960", "720")


def test_looking_opens_no_session_and_leads_a_new_phone_to_the_menu(client, table, soup):
    page = read(client.get(f"/table/7/dishes/{soup.pk}", headers={"accept": PAGE}))
    assert not TableSession.objects.exists()
    assert page.one("link", "Open the menu to order")
    assert {button.get("name") for button in page.all("button")} <= {None, "language"}  # nothing is ordered here


def test_an_unknown_dish_or_table_is_not_found(subtests, phone, soup):
    for path in ["/table/7/dishes/nothing", f"/table/7/dishes/{unknown_id()}", "/table/8/dishes/{soup}"]:
        with subtests.test(path=path):
            assert phone.get(path.replace("{soup}", str(soup.pk))).status_code == 404


def test_programs_get_the_record_of_the_menu(phone, soup, api):
    give_options(soup, "Bread", ("White", "1.00"))
    answer = api.get(f"/table/7/dishes/{soup.pk}").json()
    assert (answer["table"]["number"], answer["session"]) == (7, None)
    assert answer["item"]["name"] == "Ribollita"
    assert answer["item"]["available"] is True
    assert answer["item"]["options"][0]["choices"][0]["price"] == 1.0
    menu.set_available(MenuItem.objects.all(), available=False)
    assert api.get(f"/table/7/dishes/{soup.pk}").json()["item"]["available"] is False


def test_what_is_sold_out_says_so_and_has_no_button(phone, soup):
    menu.set_available(MenuItem.objects.all(), available=False)
    page = page_of(phone, soup)
    assert ("Sold out at the moment" in page, can_add(page)) == (True, False)


def test_while_the_kitchen_pauses_it_says_until_when(phone, soup):
    OrderingRules.objects.get_or_create(pk=1)
    menu.pause(minutes=30)
    page = page_of(phone, soup)
    assert re.search(r"We take orders again at .*\d\d:\d\d", page.text)
    assert not can_add(page)


def test_a_phone_whose_party_moved_is_led_to_the_dish_at_its_new_table(phone, soup, floor):
    make_table(8)
    session = TableSession.objects.get()
    floor.post("/table/7/move", {"sessionId": str(session.pk), "to": 8}, format="json")
    response = phone.get(f"/table/7/dishes/{soup.pk}")
    assert (response.status_code, response["Location"]) == (302, f"/table/8/dishes/{soup.pk}")


# --- allergies ----------------------------------------------------------------------------------------


def test_choices_that_conflict_with_the_guests_allergies_say_so(phone, soup):
    soup.allergens = declared()
    soup.save()
    give_options(
        soup, "Topping", "Pesto", "Cream", "Croutons",
        Pesto={"allergens": declared(nuts="may_contain")}, Cream={"allergens": declared(milk="contains")},
    )  # fmt: skip
    phone.get("/table/7?from=cart&without=nuts,milk")
    text = page_of(phone, soup)
    assert "Pesto May contain nuts" in text
    assert "Cream Contains milk" in text
    assert "Croutons Allergens not declared – please ask Note for the kitchen" in text
    assert "You asked for a menu without" not in text


def test_a_dish_that_conflicts_says_why_and_can_be_ordered_all_the_same(phone, soup):
    soup.allergens = declared(milk="contains")
    soup.save()
    phone.get("/table/7?from=cart&without=milk")
    text = page_of(phone, soup)
    assert "Contains milk You asked for a menu without milk." in text
    assert "Add anyway" in text
    assert phone.post("/table/7/cart", fields(soup)).status_code == 303
