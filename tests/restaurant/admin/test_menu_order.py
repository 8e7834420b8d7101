"""The order of the menu, made in the lists of items and categories."""

import re

import pytest
from django.contrib.admin.models import LogEntry

from restaurant.models import Category, MenuItem, MenuVersion
from tests.conftest import make_item, own_queries
from tests.reading import Part, read
from tests.restaurant.admin.pages import CATEGORIES, MENU, act, found, with_permissions, words_of


@pytest.fixture
def soups(db) -> list[MenuItem]:
    make_item("Bread", category="Breads")
    return [make_item(name) for name in ("Bisque", "Gazpacho", "Minestrone", "Ribollita")]


def send(client, row, move: str, beside=None, query: str = "", **headers):
    kind = row._meta.model_name
    body = {"move": move, "beside": str(beside.pk) if beside else "", "list_query": query}
    return client.post(f"/admin/restaurant/{kind}/{row.pk}/move/", body, headers=headers)


def names(client, address: str = MENU, **by) -> list[str]:
    return [row.name for row in found(client, address, **by)]


# --- items ----------------------------------------------------------------------------------------


def test_an_item_moves_within_its_category_and_the_guests_menu_follows(managers_browser, soups, table, api):
    response = send(managers_browser, soups[3], "up", query="category=Soups")
    assert (response.status_code, response["Location"]) == (303, f"{MENU}?category=Soups#up-{soups[3].pk}")
    assert "Ribollita is number 3 of 4." in words_of(managers_browser.get(MENU))
    assert names(managers_browser, category="Soups") == ["Bisque", "Gazpacho", "Ribollita", "Minestrone"]
    send(managers_browser, soups[3], "before", soups[0])
    send(managers_browser, soups[1], "after", soups[2])
    expected = ["Ribollita", "Bisque", "Minestrone", "Gazpacho"]
    assert names(managers_browser) == ["Bread", *expected]
    assert [item["name"] for item in api.get("/table/7").json()["menu"]["Soups"]] == expected
    assert list(MenuItem.objects.filter(category="Soups").values_list("position", flat=True)) == [1, 2, 3, 4]
    assert MenuItem.objects.get(name="Bread").position is None
    assert LogEntry.objects.count() == 3


def test_a_script_is_answered_with_the_whole_order(managers_browser, soups):
    before = MenuVersion.objects.get().number
    answer = send(managers_browser, soups[0], "down", accept="application/json").json()
    assert answer == {
        "order": [str(soups[each].pk) for each in (1, 0, 2, 3)],
        "words": "Bisque is number 2 of 4.",
    }
    assert MenuVersion.objects.get().number > before


def test_at_the_ends_nothing_moves(managers_browser, soups):
    send(managers_browser, soups[0], "up")
    send(managers_browser, soups[3], "down")
    assert names(managers_browser, category="Soups") == ["Bisque", "Gazpacho", "Minestrone", "Ribollita"]
    assert not LogEntry.objects.exists()


def test_a_row_that_is_gone_is_a_sentence(managers_browser, soups):
    bread = MenuItem.objects.get(name="Bread")
    response = send(managers_browser, soups[0], "before", bread, accept="application/json")  # of another category
    assert (response.status_code, "The list has changed" in response.json()["error"]) == (409, True)
    soups[0].delete()
    assert "The list has changed" in words_of(managers_browser.get(send(managers_browser, soups[0], "up")["Location"]))


def test_a_form_that_says_no_place_changes_nothing(managers_browser, soups):
    address = f"/admin/restaurant/menuitem/{soups[0].pk}/move/"
    for body in ({}, {"move": "sideways"}, {"move": "before", "beside": ""}):
        assert managers_browser.post(address, body)["Location"] == MENU, body
    assert managers_browser.get(address)["Location"] == MENU
    assert not MenuItem.objects.exclude(position=None).exists()


def sorters(client, **by) -> list[Part]:
    return read(client.get(MENU, by)).all("button", re.compile("^Move "))


def test_a_list_that_shows_some_of_a_category_alone_has_no_buttons_to_sort_it(managers_browser, soups):
    assert sorters(managers_browser, category="Soups")
    for query in ({"q": "i"}, {"available__exact": "1"}, {"o": "3"}):
        assert sorters(managers_browser, **query) == []


def test_who_may_only_look_can_not_sort(soups):
    looker = with_permissions("view_menuitem", "view_category")
    assert sorters(looker) == []
    assert send(looker, soups[0], "down").status_code == 403
    assert send(looker, Category.objects.first(), "down").status_code == 403


def test_items_are_listed_by_name_again(managers_browser, soups):
    send(managers_browser, soups[3], "up")
    act(managers_browser, MENU, "list_by_name", *soups)
    assert names(managers_browser, category="Soups") == ["Bisque", "Gazpacho", "Minestrone", "Ribollita"]


# --- categories -----------------------------------------------------------------------------------


def test_categories_move_and_new_ones_come_after_them_by_name(managers_browser, soups, table, api):
    make_item("Tea", category="")
    send(managers_browser, Category.objects.get(name="Soups"), "up")
    assert names(managers_browser, CATEGORIES) == ["Breads", "Soups", "Other"]
    send(managers_browser, Category.objects.get(name="Other"), "before", Category.objects.get(name="Breads"))
    make_item("Cake", category="Cakes")
    make_item("Wine", category="Aperitifs")
    expected = ["Other", "Breads", "Soups", "Aperitifs", "Cakes"]
    assert names(managers_browser, CATEGORIES) == expected
    assert list(api.get("/table/7").json()["menu"]) == expected
    assert list(dict.fromkeys(item.category_name for item in found(managers_browser, MENU))) == expected
    filters = read(managers_browser.get(MENU)).links()
    assert [name for name, address in filters if address.startswith("?category=")] == expected
    act(managers_browser, CATEGORIES, "list_by_name", *Category.objects.all())
    assert names(managers_browser, CATEGORIES) == ["Aperitifs", "Breads", "Cakes", "Other", "Soups"]


# --- as many queries for any number ---------------------------------------------------------------


def test_longer_lists_take_no_more_queries(managers_browser, soups):
    def numbers() -> list[int]:
        found = []
        for address in (MENU, CATEGORIES):
            with own_queries() as queries:
                managers_browser.get(address)
            found.append(len(queries))
        return found

    few = numbers()
    for each in range(30):
        make_item(f"Dish {each}", category=f"Category {each % 10}")
    assert numbers() == few
