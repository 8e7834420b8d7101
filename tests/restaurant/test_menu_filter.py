"""The menu's filter: what a guest with allergies can't have is set apart, with the reason in words."""

import re
from html import unescape

import pytest

from restaurant.models import TableSession
from tests.conftest import PAGE, make_item
from tests.restaurant.dishes import declared, give_options

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


def listed(page: str) -> tuple[list[str], dict[str, str]]:
    """The names of what is simply there, and of what is set apart with the reason."""
    items = re.findall(r'<li class="(item[^"]*)".*?dishes/[^>]*>([^<]+)</a>(.*?)</li>', page, re.DOTALL)
    plain = [name for kind, name, _ in items if kind == "item"]
    reasons = [re.search(r'item-why">([^<]*)<', rest) for _, _, rest in items]
    apart = {name: unescape(why[1]) for (_, name, _), why in zip(items, reasons, strict=True) if why}
    assert len(plain) + len(apart) == len(items)
    return plain, apart


def see(phone, query: str = "from=cart") -> str:
    return phone.get(f"/table/7?{query}").content.decode()


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
    assert "Without <strong>milk, nuts</strong>" in page
    assert listed(page)[0] == ["Salad"]
    assert set(re.findall(r'name="without" value="([^"]+)" checked', page)) == {"milk", "nuts"}
    page = see(phone, "from=cart&without=")
    assert phone.cookies["without"].value == ""
    assert "Without <strong>" not in page
    assert len(listed(page)[0]) == 5


@pytest.mark.parametrize("text", ["", "arsenic", ",,", "%00", "nuts" * 500])
def test_words_that_are_no_allergens_are_left_out(phone, text):
    assert len(listed(see(phone, f"without={text}"))[0]) == 5
    phone.cookies["without"] = "arsenic"
    assert len(listed(see(phone))[0]) == 5


def test_what_is_set_apart_is_added_on_its_own_page_and_not_with_one_tap(phone):
    page = see(phone, "without=milk")
    taps = re.findall(r'<button class="add"[^>]*aria-label="([^"]*)"', page)
    assert taps == ["Add Bread", "Add Salad", "Add Tart"]
    assert re.findall(r'<a class="add"[^>]*aria-label="([^"]*)"', page) == ["View Cake", "View Stew"]


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
    pie = re.search(r">Pie</a>.*?</li>", see(phone), re.DOTALL)[0]
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", pie))
    assert "vegan" in words
    assert "Contains gluten, soya · may contain sesame" in words
    make_item("Brittle", allergens=declared(nuts="may_contain"))
    assert '<p class="item-allergens">May contain nuts</p>' in see(phone)
