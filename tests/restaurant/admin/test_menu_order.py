"""The order of the menu, made in the lists of items and categories."""

import re

import pytest
from django.contrib.admin.models import LogEntry

from restaurant.models import Category, MenuItem, MenuVersion
from tests.conftest import make_item, own_queries
from tests.restaurant.admin.conftest import with_permissions
from tests.restaurant.admin.pages import CATEGORIES, MENU, act, found, text_of, words_of


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


def test_an_item_moves_within_its_category_and_the_guests_menu_follows(manager, soups, table, api):
    response = send(manager, soups[3], "up", query="category=Soups")
    assert (response.status_code, response["Location"]) == (303, f"{MENU}?category=Soups#up-{soups[3].pk}")
    assert "Ribollita is number 3 of 4." in words_of(manager.get(MENU))
    assert names(manager, category="Soups") == ["Bisque", "Gazpacho", "Ribollita", "Minestrone"]
    send(manager, soups[3], "before", soups[0])
    send(manager, soups[1], "after", soups[2])
    expected = ["Ribollita", "Bisque", "Minestrone", "Gazpacho"]
    assert names(manager) == ["Bread", *expected]
    assert [item["name"] for item in api.get("/table/7").json()["menu"]["Soups"]] == expected
    assert list(MenuItem.objects.filter(category="Soups").values_list("position", flat=True)) == [1, 2, 3, 4]
    assert MenuItem.objects.get(name="Bread").position is None
    assert LogEntry.objects.count() == 3


def test_a_script_is_answered_with_the_whole_order(manager, soups):
    before = MenuVersion.objects.get().number
    answer = send(manager, soups[0], "down", accept="application/json").json()
    assert answer == {
        "order": [str(soups[each].pk) for each in (1, 0, 2, 3)],
        "words": "Bisque is number 2 of 4.",
    }
    assert MenuVersion.objects.get().number > before


def test_at_the_ends_nothing_moves(manager, soups):
    send(manager, soups[0], "up")
    send(manager, soups[3], "down")
    assert names(manager, category="Soups") == ["Bisque", "Gazpacho", "Minestrone", "Ribollita"]
    assert not LogEntry.objects.exists()


def test_a_row_that_is_gone_is_a_sentence(manager, soups):
    bread = MenuItem.objects.get(name="Bread")
    response = send(manager, soups[0], "before", bread, accept="application/json")  # of another category
    assert (response.status_code, "The list has changed" in response.json()["error"]) == (409, True)
    soups[0].delete()
    assert "The list has changed" in words_of(manager.get(send(manager, soups[0], "up")["Location"]))


@pytest.mark.parametrize("body", [{}, {"move": "sideways"}, {"move": "before", "beside": ""}])
def test_a_form_that_says_no_place_changes_nothing(manager, soups, body):
    address = f"/admin/restaurant/menuitem/{soups[0].pk}/move/"
    assert manager.post(address, body)["Location"] == MENU
    assert manager.get(address)["Location"] == MENU
    assert not MenuItem.objects.exclude(position=None).exists()


def test_a_list_that_shows_some_of_a_category_alone_has_no_buttons_to_sort_it(manager, soups):
    assert "sort-step" in text_of(manager.get(MENU, {"category": "Soups"}))
    for query in ({"q": "i"}, {"available__exact": "1"}, {"o": "3"}):
        assert "sort-step" not in text_of(manager.get(MENU, query))


def test_who_may_only_look_can_not_sort(soups):
    looker = with_permissions("view_menuitem", "view_category")
    assert "sort-step" not in text_of(looker.get(MENU))
    assert send(looker, soups[0], "down").status_code == 403
    assert send(looker, Category.objects.first(), "down").status_code == 403


def test_items_are_listed_by_name_again(manager, soups):
    send(manager, soups[3], "up")
    act(manager, MENU, "list_by_name", *soups)
    assert names(manager, category="Soups") == ["Bisque", "Gazpacho", "Minestrone", "Ribollita"]


# --- categories -----------------------------------------------------------------------------------


def test_categories_move_and_new_ones_come_after_them_by_name(manager, soups, table, api):
    make_item("Tea", category="")
    send(manager, Category.objects.get(name="Soups"), "up")
    assert names(manager, CATEGORIES) == ["Breads", "Soups", "Other"]
    send(manager, Category.objects.get(name="Other"), "before", Category.objects.get(name="Breads"))
    make_item("Cake", category="Cakes")
    make_item("Wine", category="Aperitifs")
    expected = ["Other", "Breads", "Soups", "Aperitifs", "Cakes"]
    assert names(manager, CATEGORIES) == expected
    assert list(api.get("/table/7").json()["menu"]) == expected
    assert list(dict.fromkeys(item.category_name for item in found(manager, MENU))) == expected
    filters = re.findall(r'<a href="\?category=[^"]*">\s*(.*?)</a>', text_of(manager.get(MENU)))
    assert filters == expected
    act(manager, CATEGORIES, "list_by_name", *Category.objects.all())
    assert names(manager, CATEGORIES) == ["Aperitifs", "Breads", "Cakes", "Other", "Soups"]


# --- as many queries for any number ---------------------------------------------------------------


@pytest.mark.parametrize("address", [MENU, CATEGORIES])
def test_a_longer_list_takes_no_more_queries(manager, soups, address):
    def number() -> int:
        with own_queries() as queries:
            manager.get(address)
        return len(queries)

    few = number()
    for each in range(30):
        make_item(f"Dish {each}", category=f"Category {each % 10}")
    assert number() == few
