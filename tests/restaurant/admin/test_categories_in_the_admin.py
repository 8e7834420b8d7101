from datetime import time

import pytest

from restaurant.models import Category, MenuItem, MenuVersion, Station
from tests.conftest import make_item
from tests.reading import read
from tests.restaurant.admin.pages import CATEGORIES, act, form_of, found, page_of, words_of


@pytest.fixture
def soups(soup) -> Category:
    return Category.objects.get(name="Soups")


def save(client, category: Category, **values):
    sent = form_of(client, page_of(category)) | values
    return client.post(page_of(category), {name: value for name, value in sent.items() if value is not None})


def test_the_list_says_in_words_what_a_category_is(managers_browser, soups):
    make_item("Tea", category=""), make_item("Coffee", category="Other")
    soups.station = Station.objects.create(name="Grill", slug="grill")
    soups.vat_rate, soups.weekdays, soups.opens, soups.closes = "7.50", [0, 1, 2, 3, 4, 6], time(12), time(15)
    soups.save()
    page = read(managers_browser.get(CATEGORIES))
    assert "Grill Mon–Fri, Sun 12:00–15:00 7.50" in page
    assert page.one("link", "2 items of Other")["href"] == "/admin/restaurant/menuitem/?category="


def test_hours_are_said_in_words(managers_browser, soups):
    always = Category.objects.values("weekdays", "opens", "closes").get()
    for values, words in (
        ({"weekdays": [5, 6]}, "Sat, Sun"),
        ({"opens": time(18)}, "every day 18:00–24:00"),
        ({"closes": time(11, 30)}, "every day 00:00–11:30"),
        ({"weekdays": [0, 1, 2], "opens": time(22), "closes": time(2)}, "Mon–Wed 22:00–02:00"),
    ):
        Category.objects.update(**(always | values))
        assert words in words_of(managers_browser.get(CATEGORIES)), values


def test_a_category_gets_days_hours_and_a_station(managers_browser, soups):
    station = Station.objects.create(name="Grill", slug="grill")
    before = MenuVersion.objects.get().number
    values = {"weekdays": ["0", "5"], "opens": "12:00", "closes": "15:30", "station": station.pk, "vat_rate": "7"}
    assert save(managers_browser, soups, **values).status_code == 302
    soups.refresh_from_db()
    assert (soups.weekdays, soups.opens, soups.closes, soups.station) == ([0, 5], time(12), time(15, 30), station)
    assert MenuVersion.objects.get().number > before
    assert read(managers_browser.get(page_of(soups))).lists()["weekdays"] == ["0", "5"]


def test_a_new_name_is_that_of_its_items_too(managers_browser, soups, soup):
    tea = make_item("Tea", category="")
    assert save(managers_browser, soups, name="Broths").status_code == 302
    assert save(managers_browser, Category.objects.get(name="Other"), name="Drinks").status_code == 302
    soup.refresh_from_db()
    tea.refresh_from_db()
    assert (soup.category, tea.category) == ("Broths", "Drinks")
    make_item("Bread", category="Breads")
    response = save(managers_browser, soups, name="Breads")
    assert "Category with this Name already exists." in words_of(response)


def test_a_category_with_items_is_not_deleted(managers_browser, soups, soup):
    empty = Category.objects.create(name="Empty")
    refusal = "“Soups” has items, so it can't be deleted."
    assert refusal in words_of(managers_browser.post(f"{page_of(soups)[:-7]}delete/", {"post": "yes"}, follow=True))
    page = words_of(act(managers_browser, CATEGORIES, "delete_selected", soups, empty, post="yes"))
    assert refusal in page
    assert list(Category.objects.values_list("name", flat=True)) == ["Soups"]
    assert MenuItem.objects.count() == 1


def test_an_items_category_is_chosen_from_a_list_and_a_new_one_is_made_on_purpose(managers_browser, soup):
    Category.objects.create(name="Empty", position=1)
    page = read(managers_browser.get(page_of(soup)))
    assert [each.text for each in page.field("category").element] == ["Other", "Empty", "Soups"]
    sent = form_of(managers_browser, page_of(soup))
    page = words_of(managers_browser.post(page_of(soup), sent | {"category": "Starters"}))
    assert "Please choose one that there is, or write a new one beside it." in page
    assert not Category.objects.filter(name="Starters").exists()
    managers_browser.post(page_of(soup), sent | {"new_category": "Starters"})
    soup.refresh_from_db()
    assert soup.category == "Starters"
    assert Category.objects.filter(name="Starters").exists()


def test_the_order_of_the_menu_is_written_in_the_list(managers_browser, soups, table, api):
    Category.objects.create(name="Breads")
    make_item("Bread", category="Breads")
    assert [each.name for each in found(managers_browser, CATEGORIES)] == ["Breads", "Soups"]
    before = MenuVersion.objects.get().number
    sent = form_of(managers_browser, CATEGORIES) | {"form-1-position": "1", "_save": "Save"}
    assert managers_browser.post(CATEGORIES, sent).status_code == 302
    assert [each.name for each in found(managers_browser, CATEGORIES)] == ["Soups", "Breads"]
    assert MenuVersion.objects.get().number > before
    assert list(api.get("/table/7").json()["menu"]) == ["Soups", "Breads"]
