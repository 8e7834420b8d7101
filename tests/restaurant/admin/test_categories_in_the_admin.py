from datetime import time

import pytest

from restaurant.models import Category, MenuItem, MenuVersion, Station
from tests.conftest import make_item
from tests.reading import read
from tests.restaurant.admin.pages import CATEGORIES, MENU, act, form_of, found, page_of, words_of


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
    assert "Soups 1 item Grill Mon–Fri, Sun 12:00–15:00 7.5%" in page
    assert "Other 2 items – – " in page  # always for sale is left unsaid
    assert page.one("link", "2 items of Other")["href"] == "/admin/restaurant/menuitem/?category="


def test_vat_is_a_column_once_a_category_has_its_own(managers_browser, soups):
    assert columns(managers_browser) == ["Order", "Name", "Items", "Station"]
    Category.objects.update(vat_rate="7")
    assert columns(managers_browser) == ["Order", "Name", "Items", "Station", "VAT"]


def test_what_is_sold_out_is_a_column_once_something_is_and_leads_to_it(managers_browser, soups):
    tea = make_item("Tea", category="", available=False)
    assert columns(managers_browser) == ["Order", "Name", "Items", "Sold out", "Station"]
    page = read(managers_browser.get(CATEGORIES))
    assert [row[4] for row in page.one("table").rows()[1:]] == ["1", "–"]
    link = page.one("link", "1 sold out of Other")
    assert (link.text, link["href"]) == ("1", "/admin/restaurant/menuitem/?category=&available__exact=0")
    assert found(managers_browser, MENU, category="", available__exact="0") == [tea]


def test_times_are_a_column_once_a_category_has_its_own(managers_browser, soups):
    Category.objects.update(closes=time(11, 30))
    assert columns(managers_browser) == ["Order", "Name", "Items", "Station", "For sale"]


def columns(managers_browser) -> list[str]:
    return read(managers_browser.get(CATEGORIES)).one("table").rows()[0][1:]  # after the one to choose them


def test_a_search_is_offered_once_there_are_more_categories_than_one_sees_at_a_glance(managers_browser, soups):
    def searches() -> int:
        return read(managers_browser.get(CATEGORIES)).names("field").count("Search")

    assert searches() == 0
    assert found(managers_browser, CATEGORIES, q="soup") == [soups]
    assert found(managers_browser, CATEGORIES, q="wine") == []
    Category.objects.bulk_create(Category(name=f"Number {each}", position=each) for each in range(10, 30))
    assert searches() == 1


def test_the_order_of_the_menu_is_marked_until_another_column_is_chosen(managers_browser, soups):
    page = read(managers_browser.get(CATEGORIES))
    assert page.sorting() == [("Order", "ascending")]
    page = read(managers_browser.get(f"{CATEGORIES}{page.one('link', 'Name')['href']}"))
    assert ("Name", "ascending") in page.sorting()


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


def test_an_items_category_is_chosen_or_typed_anew(managers_browser, soup):
    Category.objects.create(name="Empty", position=1)
    page = read(managers_browser.get(page_of(soup)))
    offered = page.element.get_element_by_id(page.one("field", "Category")["list"])
    assert [each.get("value") for each in offered] == ["Empty", "Soups"]
    managers_browser.post(page_of(soup), form_of(managers_browser, page_of(soup)) | {"category": "Starters"})
    assert Category.objects.filter(name="Starters").exists()
