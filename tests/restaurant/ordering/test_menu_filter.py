"""The menu's filter: what a guest with allergies can't have is set apart, with the reason in words."""

import re

import pytest

from restaurant.models import TableSession
from tests.conftest import PAGE, make_item
from tests.reading import Part, read
from tests.restaurant.menu.dishes import declared, give_options

pytestmark = pytest.mark.django_db


@pytest.fixture
def dishes(table):
    make_item("Salad", allergens=declared())
    make_item("Cake", allergens=declared(milk="contains"))
    make_item("Tart", allergens=declared(nuts="may_contain"))
    make_item("Stew")
    make_item("Bread", allergens={"milk": "free"})


@pytest.fixture
def phone(browser_client, dishes):
    return browser_client


def see(phone, query: str = "from=cart") -> Part:
    return read(phone.get(f"/table/7?{query}"))


def dishes_of(page: Part) -> dict[str, Part]:
    return {item.one("heading").name: item for item in page.all("item") if item.all("heading")}


APART = re.compile("set apart for you$", re.IGNORECASE)


def listed(page: Part) -> tuple[list[str], dict[str, str]]:
    """The names of what is simply there, and of what is set apart with the reason."""
    lists = [each for each in page.all("list") if APART.search(each.name)]
    apart = {name: item for each in lists for name, item in dishes_of(each).items()}
    reasons = {name: item.all("heading")[0].element.getnext().text for name, item in apart.items()}
    return [name for name in dishes_of(page) if name not in apart], reasons


def test_without_a_filter_nothing_is_set_apart(phone):
    assert listed(see(phone)) == (["Bread", "Cake", "Salad", "Stew", "Tart"], {})


def test_what_has_it_may_have_it_or_is_not_declared_is_set_apart_with_the_reason(phone):
    assert listed(see(phone, "without=nuts,milk")) == (
        ["Salad"],
        {
            "Bread": "Nuts not declared – please ask",
            "Cake": "Contains milk",
            "Stew": "Allergens not declared – please ask",
            "Tart": "May contain nuts",
        },
    )


def test_it_is_kept_for_the_session_of_the_browser_until_it_is_cleared(phone):
    see(phone, "from=cart&without=&without=nuts&without=milk")  # as the form sends it
    cookie = phone.cookies["without"]
    assert (cookie.value, cookie["max-age"], cookie["samesite"]) == ("milk,nuts", "", "Lax")
    page = see(phone)
    assert "Without milk, nuts" in page
    assert listed(page)[0] == ["Salad"]
    assert {each["value"] for each in page.all("checkbox") if each.get("checked") is not None} == {"milk", "nuts"}
    page = see(phone, "from=cart&without=")
    assert phone.cookies["without"].value == ""
    assert "Without" not in page
    assert len(listed(page)[0]) == 5


def test_words_that_are_no_allergens_are_left_out(subtests, phone):
    for text in ["", "arsenic", ",,", "%00", "nuts" * 500]:
        with subtests.test(text=text):
            assert len(listed(see(phone, f"without={text}"))[0]) == 5
            phone.cookies["without"] = "arsenic"
            assert len(listed(see(phone))[0]) == 5


def test_what_is_set_apart_is_added_on_its_own_page_and_not_with_one_tap(phone):
    page = see(phone, "without=milk")
    taps = [button.name for button in page.all("button") if button.get("name") == "add"]
    assert taps == ["Add Bread", "Add Salad", "Add Tart"]
    assert [name for name in page.names("link") if name.startswith("View ")] == ["View Cake", "View Stew"]


def test_a_dish_without_a_choice_that_fits_is_set_apart(phone):
    curry = make_item("Curry", allergens=declared())
    milky = {"allergens": declared(milk="contains")}
    give_options(curry, "Sauce", "Butter", "Cream", low=1, high=1, Butter=milky, Cream=milky)
    pasta = make_item("Pasta", allergens=declared())
    give_options(pasta, "Sauce ", "Oil", "Cream", low=1, high=1, Oil={"allergens": declared()}, Cream=milky)
    plain, apart = listed(see(phone, "without=milk"))
    assert apart["Curry"] == "“Sauce” has milk"
    assert "Pasta" in plain


def test_a_filtered_page_is_never_another_phones(phone, client):
    for encoding in ("gzip", "identity"):
        see(phone, "from=cart&without=nuts")
        response = client.get("/table/7", headers={"accept": PAGE, "accept-encoding": encoding})
        assert "Without <strong>" not in (response.content.decode("latin-1"))
        assert "Cookie" in response["Vary"]


def test_choosing_it_is_no_scan_and_programs_get_the_whole_menu(phone, api):
    see(phone, "")
    see(phone, "from=cart&without=nuts")
    assert TableSession.objects.get().total_scans == 1
    answer = api.get("/table/7?without=nuts")
    assert sum(map(len, answer.json()["menu"].values())) == 5
    assert "without" not in answer.cookies


def test_the_list_says_in_words_what_dishes_contain(phone):
    make_item("Pie", diet="vegan", allergens=declared(gluten="contains", soya="contains", sesame="may_contain"))
    pie = dishes_of(see(phone))["Pie"]
    assert "vegan" in pie
    assert "Contains gluten, soya · may contain sesame" in pie
    make_item("Brittle", allergens=declared(nuts="may_contain"))
    assert dishes_of(see(phone))["Brittle"].text.endswith("May contain nuts Add")
