"""A dish's own page, and its form that puts the dish into the cart; without JavaScript."""

import re

import pytest

from restaurant.models import CartLine, MenuItem, OrderingRules, TableSession
from restaurant.services import menu, sessions
from tests.conftest import PAGE, make_item, make_table, unknown_id
from tests.restaurant.dishes import declared, give_options, give_picture, make_steak

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone(browser_client, table):
    browser_client.get("/table/7")
    return browser_client


def text_of(response) -> str:
    """The words on the page."""
    main = re.search(r"<main.*</main>", response.content.decode(), re.DOTALL)[0]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", main)).replace("&#x27;", "'").strip()


def fields(item: MenuItem, *options, **more) -> dict:
    """What the form sends: radio buttons under a name of their group."""
    names = {}
    for option in options:
        names.setdefault(f"options.{option.group_id}", []).append(str(option.pk))
    return {"addDish": "1", "menuItemId": str(item.pk), "quantity": "1", "specialInstructions": "", **names, **more}


def line() -> tuple[str, set[str], int, str]:
    one = CartLine.objects.select_related("menu_item").get()
    return one.menu_item.name, set(map(str, one.options)), one.quantity, one.special_instructions


# --- looking at it ------------------------------------------------------------------------------------


def test_it_says_what_the_dish_is_costs_and_contains(phone):
    known = {"milk": "contains", "eggs": "contains", "nuts": "may_contain", "fish": "free"}
    cake = make_item("Cake", "6.50", description="With cream", diet="vegetarian", allergens=known)
    text = text_of(phone.get(f"/table/7/dishes/{cake.pk}"))
    for words in (
        "Cake", "€6.50", "vegetarian", "With cream", "Contains: eggs, milk.", "May contain: nuts.", "Free from: fish.",
        "Not declared: celery, gluten,",
    ):  # fmt: skip
        assert words in text


def test_a_long_list_of_what_it_is_free_from_is_folded_but_for_guests_who_look_for_it(phone):
    few, many = (dict.fromkeys(names, "free") for names in (["eggs", "fish", "milk"], ["eggs", "fish", "milk", "nuts"]))
    short, long = make_item("Cake", "6.50", allergens=few), make_item("Pie", "6.50", allergens=many)
    assert "<details" not in phone.get(f"/table/7/dishes/{short.pk}").content.decode()
    page = phone.get(f"/table/7/dishes/{long.pk}").content.decode()
    folded = """<details class="dish-free"><summary>What it's free from</summary><p>"""
    assert folded in page
    assert page.partition(folded)[2].startswith("Eggs, fish, milk, nuts.</p></details>")
    phone.get("/table/7?from=cart&without=eggs")
    assert '<details class="dish-free" open>' in phone.get(f"/table/7/dishes/{long.pk}").content.decode()


def test_what_is_not_declared_is_never_called_free(phone, soup):
    text = text_of(phone.get(f"/table/7/dishes/{soup.pk}"))
    assert "Allergens are not declared: please ask us." in text
    assert "An allergy? Please tell us before you order" in text
    assert "free from" not in text.lower()


def test_what_it_is_free_from_is_said_of_the_dish_before_choices(phone):
    steak = make_item("Steak", "24.00", allergens=dict.fromkeys(["eggs", "milk", "nuts", "soya"], "free"))
    romesco = {"allergens": declared(nuts="contains", fish="may_contain")}
    give_options(steak, "Sauce", "Romesco", "Jus", Romesco=romesco, Jus={"allergens": declared()})
    text = text_of(phone.get(f"/table/7/dishes/{steak.pk}"))
    assert "What it's free from Eggs, milk, nuts, soya. What you choose below isn't counted." in text
    assert "Romesco Contains nuts · may contain fish Jus None of the 14 allergens Note for the kitchen" in text
    assert "not declared – please ask" not in text


def test_a_choice_that_says_nothing_beside_one_that_does_is_not_taken_for_free(phone):
    steak = make_item("Steak", "24.00")
    free = {"allergens": declared()}
    romesco = {"allergens": declared(nuts="contains")}
    give_options(steak, "Sauce", "Romesco", "Jus", "Oil", Romesco=romesco, Oil=free)
    give_options(steak, "Cooked", "Rare", "Medium", low=1)
    give_options(steak, "Cut", "Thick", "Thin", Thick=free, Thin=free)
    text = text_of(phone.get(f"/table/7/dishes/{steak.pk}"))
    assert "Romesco Contains nuts Jus Allergens: ask us Oil None of the 14 allergens Cooked" in text
    assert "Rare Medium Cut" in text
    assert "Thick Thin Note for the kitchen" in text
    assert "The allergens of these are not declared" not in text


def test_its_button_knows_what_each_group_asks_for(phone):
    steak, _options = make_steak()
    give_options(steak, "Cut", "Thick", "Thin", low=1)
    html = phone.get(f"/table/7/dishes/{steak.pk}").content.decode()
    assert 'data-asked="Make your choice"' in html
    assert 'data-asked="Choose: Cut"' in html
    assert '<span class="dish-verb">Add</span>' in html  # what it says without JavaScript


def test_it_lists_its_options_with_what_they_cost_and_how_many_to_take(phone):
    steak, options = make_steak()
    gone = options["Slaw"]
    gone.available = False
    gone.save()
    page = phone.get(f"/table/7/dishes/{steak.pk}")
    text = text_of(page)
    assert "How would you like it? Choose 1 Required" in text
    assert "Sides Choose 2 Required" in text
    assert "Extras Choose up to 2" in text
    assert "Truffle mash + €3.50" in text
    assert "Slaw" not in text
    html = page.content.decode()
    assert html.count('type="radio"') == 2
    assert html.count('type="checkbox"') == 6


def test_its_picture_comes_in_every_width_with_its_size_and_words(phone, soup):
    give_picture(soup, "A bowl of soup")
    html = phone.get(f"/table/7/dishes/{soup.pk}").content.decode()
    picture = re.search(r'<img class="dish-picture"[^>]*>', html)[0]
    assert re.findall(r"(\d+)w", picture) == ["176", "360", "720", "960"]
    assert 'alt="A bowl of soup" width="960" height="720"' in picture


def test_looking_opens_no_session_and_leads_a_new_phone_to_the_menu(client, table, soup):
    page = client.get(f"/table/7/dishes/{soup.pk}", headers={"accept": PAGE})
    assert not TableSession.objects.exists()
    assert "Open the menu to order" in text_of(page)
    assert "<button" not in page.content.decode()


@pytest.mark.parametrize(
    "path", ["/table/7/dishes/nothing", f"/table/7/dishes/{unknown_id()}", "/table/8/dishes/{soup}"]
)
def test_an_unknown_dish_or_table_is_not_found(phone, soup, path):
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
    page = phone.get(f"/table/7/dishes/{soup.pk}")
    assert "Sold out at the moment" in text_of(page)
    assert "dish-add" not in page.content.decode()


def test_while_the_kitchen_pauses_it_says_until_when(phone, soup):
    OrderingRules.objects.get_or_create(pk=1)
    menu.pause(minutes=30)
    page = phone.get(f"/table/7/dishes/{soup.pk}")
    assert re.search(r"We take orders again at .*\d\d:\d\d", text_of(page))
    assert "dish-add" not in page.content.decode()


def test_a_phone_whose_party_moved_is_led_to_the_dish_at_its_new_table(phone, soup, floor):
    make_table(8)
    session = TableSession.objects.get()
    floor.post("/table/7/move", {"sessionId": str(session.pk), "to": 8}, format="json")
    response = phone.get(f"/table/7/dishes/{soup.pk}")
    assert (response.status_code, response["Location"]) == (302, f"/table/8/dishes/{soup.pk}")


# --- adding it ----------------------------------------------------------------------------------------


def test_its_form_adds_the_dish_as_chosen_and_returns_to_its_place_on_the_menu(phone):
    steak, options = make_steak()
    chosen = [options[name] for name in ("Medium", "Chips", "Truffle mash", "Egg")]
    response = phone.post(
        "/table/7/cart", fields(steak, *chosen, quantity="2", specialInstructions="no salt\r\nplease")
    )
    assert (response.status_code, response["Location"]) == (303, f"/table/7?from=cart#item-{steak.pk}")
    assert line() == ("Steak", {str(option.pk) for option in chosen}, 2, "no salt\nplease")
    assert "€59.00" in phone.get(response["Location"]).content.decode()


def test_too_few_and_too_many_are_said_at_their_groups_and_what_was_entered_stays(phone):
    steak, options = make_steak()
    chosen = [options[name] for name in ("Chips", "Sauce", "Egg", "Butter")]
    response = phone.post("/table/7/cart", fields(steak, *chosen, quantity="3", specialInstructions="no salt"))
    html, text = response.content.decode(), text_of(response)
    assert response.status_code == 400
    assert not CartLine.objects.exists()
    assert "nothing was added yet" in text
    assert "How would you like it? Choose 1 Required Please choose one." in text
    assert "Sides Choose 2 Required Please choose 1 more." in text
    assert "Extras Choose up to 2 Please choose at most 2." in text
    assert str(steak.pk) not in text
    assert set(re.findall(r'value="([^"]+)"[^>]* checked', html)) == {str(option.pk) for option in chosen}
    assert 'name="quantity" value="3"' in html
    assert ">no salt</textarea>" in html


@pytest.mark.parametrize("wrong", [{"quantity": "100"}, {"quantity": "x"}, {"specialInstructions": "x" * 501}])
def test_a_wrong_number_or_a_note_that_is_too_long_is_refused(phone, soup, wrong):
    response = phone.post("/table/7/cart", fields(soup, **wrong))
    assert response.status_code == 400
    assert 'class="dish-form"' in response.content.decode()
    assert not CartLine.objects.exists()


def test_what_sold_out_meanwhile_is_said_on_the_dishs_page(phone, soup):
    menu.set_available(MenuItem.objects.all(), available=False)
    response = phone.post("/table/7/cart", fields(soup))
    assert response.status_code == 400
    assert "this dish has just sold out" in text_of(response)


def test_a_choice_that_went_meanwhile_is_named(phone):
    steak, options = make_steak()
    chosen = [options[name] for name in ("Rare", "Chips", "Slaw")]
    options["Slaw"].available = False
    options["Slaw"].save()
    response = phone.post("/table/7/cart", fields(steak, *chosen))
    assert response.status_code == 400
    assert "Not to be had any more: Slaw." in text_of(response)


def test_after_the_table_was_closed_nothing_is_added(phone, soup):
    sessions.close(table_number=7, session_id=str(TableSession.objects.get().pk))
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
    html = phone.get(f"/table/7/dishes/{steak.pk}?line={key}").content.decode()
    assert set(re.findall(r'value="([^"]+)"[^>]* checked', html)) == set(key.split(",")[1:])
    assert f'name="replaces" value="{key}"' in html
    assert 'name="quantity" value="2"' in html
    assert ">no salt</textarea>" in html
    assert re.search(r"Update.*€49\.00", html)


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
    assert f'name="replaces" value="{key}"' in response.content.decode()
    assert line()[2] == 2


@pytest.mark.parametrize("name", ["", "nothing", "nothing,at,all", f"{unknown_id()},x"])
def test_a_line_that_is_not_there_is_added_and_any_name_is_survived(phone, soup, name):
    assert phone.get(f"/table/7/dishes/{soup.pk}?line={name}").status_code == 200
    assert phone.post("/table/7/cart", fields(soup, replaces=name)).status_code == 303
    assert line()[0] == "Ribollita"


# --- allergies ----------------------------------------------------------------------------------------


def test_choices_that_conflict_with_the_guests_allergies_say_so(phone, soup):
    soup.allergens = declared()
    soup.save()
    give_options(
        soup, "Topping", "Pesto", "Cream", "Croutons",
        Pesto={"allergens": declared(nuts="may_contain")}, Cream={"allergens": declared(milk="contains")},
    )  # fmt: skip
    phone.get("/table/7?from=cart&without=nuts,milk")
    text = text_of(phone.get(f"/table/7/dishes/{soup.pk}"))
    assert "Pesto May contain nuts" in text
    assert "Cream Contains milk" in text
    assert "Croutons Allergens not declared – please ask Note for the kitchen" in text
    assert "You asked for a menu without" not in text


def test_a_dish_that_conflicts_says_why_and_can_be_ordered_all_the_same(phone, soup):
    soup.allergens = declared(milk="contains")
    soup.save()
    phone.get("/table/7?from=cart&without=milk")
    text = text_of(phone.get(f"/table/7/dishes/{soup.pk}"))
    assert "Contains milk. You asked for a menu without milk." in text
    assert "Add anyway" in text
    assert phone.post("/table/7/cart", fields(soup)).status_code == 303
