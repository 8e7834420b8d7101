"""The list of all items on the page: what is sold out, its changes, its categories and its order."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from restaurant.models import MenuItem, OrderingRules
from tests.conftest import PAGE, make_item, signed_in
from tests.reading import read
from tests.restaurant.reports.making import NOW, order

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]

CATEGORIES = ("navigation", "Categories")


def table_of(response) -> list[list[str]]:
    """What is read in the list of all items, without its heads."""
    return read(response).one("table", "All items").rows()[1:]


def listed(response) -> list[list]:
    """The same, as values."""
    return response.context["listed"].rows


def test_only_what_is_sold_out_is_marked_in_the_list_of_the_menu(report_page):
    make_item("Soup", "5")
    make_item("Bread", "2", available=False)
    shown = report_page("/menu")
    everything = shown.context["everything"]
    assert everything.columns[3].label == "Sold out"
    assert {row[0]: row[3] for row in everything.rows} == {"Soup": "", "Bread": "yes"}
    assert [row[0] for row in table_of(shown)] == ["Bread Sold out", "Soup"]


def test_the_list_of_the_menu_is_sorted_by_its_heads(report_page, table):
    items = [make_item(name, price) for name, price in (("soup", "5"), ("Bread", "2"), ("Ale", "3"), ("Zest", "1"))]
    order(table, NOW, *((item, count) for item, count in zip(items[:3], (1, 4, 2), strict=True)))

    def names(query: str) -> list[str]:
        return [row[0] for row in table_of(report_page(f"/menu?days=7{query}"))]

    assert names("") == names("&sort=-revenue") == ["Bread", "Ale", "soup", "Zest"]
    assert names("&sort=item") == ["Ale", "Bread", "soup", "Zest"]
    assert names("&sort=-item") == ["Zest", "soup", "Bread", "Ale"]
    assert names("&sort=price") == ["Zest", "Bread", "Ale", "soup"]
    assert names("&sort=") == names("&sort=nonsense") == names("")
    page = report_page("/menu?days=7&sort=price")
    links = dict(read(page).one("table", "All items").links())
    assert (links["Price"], links["Item"]) == ("?days=7&sort=-price#all-title", "?days=7&sort=item#all-title")
    assert read(page).sorting() == [("Price", "ascending")]


def test_a_sorted_list_has_pages(report_page):
    for number in range(51):
        make_item(f"Dish {number:02}", str(number + 1))
    first, second = (report_page(f"/menu?sort=-price{more}") for more in ("", "&page=2"))
    [following] = [each["href"] for each in read(first).all("link") if each.get("rel") == "next"]
    assert following == "?sort=-price&page=2#all-title"
    assert [row[0] for row in table_of(first)] == [f"Dish {number:02}" for number in range(50, 0, -1)]
    assert [row[0] for row in table_of(second)] == ["Dish 00"]


def test_each_dish_has_its_change_on_the_period_before(report_page, table):
    soup, bread, ale, _zest = (
        make_item(name, price) for name, price in (("Soup", 5), ("Bread", 2), ("Ale", 3), ("Z", 1))
    )
    order(table, NOW - timedelta(days=8), (soup, 4), (bread, 3))
    order(table, NOW, (soup, 6), (bread, 2), (ale, 1))
    shown = report_page("/menu?days=7")
    changes = {row[0]: (row[3], row[4], row[6]) for row in listed(shown)}
    new = Decimal("Infinity")
    assert changes == {"Soup": (30, 50, 6), "Bread": (4, -33, 2), "Ale": (3, new, 1), "Z": (0, 0, 0)}
    cells = re.findall(r'data-label="Change"\s+class="([^"]*)"\s*>([^<]+)<', shown.text)
    looks = {words: look for look, words in cells}
    assert looks["+50%"] == looks["new"]
    assert len({looks[words] for words in ("+50%", "\u221233%", "0%")}) == 3
    by_change = table_of(report_page("/menu?days=7&sort=-change"))
    assert [(row[0], row[4]) for row in by_change] == [
        ("Ale", "new"), ("Soup", "+50%"), ("Z", "0%"), ("Bread", "\u221233%"),
    ]  # fmt: skip


def test_without_sales_before_no_dish_has_a_change(report_page, table):
    order(table, NOW, (make_item("Soup", "5"), 1))
    shown = report_page("/menu?days=7")
    assert listed(shown)[0][4] is None
    assert table_of(shown)[0][4] == "–"


def test_the_file_has_what_each_dish_sold_before(report_page, table, manager):
    soup = make_item("Soup", "5")
    order(table, NOW - timedelta(days=8), (soup, 4))
    order(table, NOW, (soup, 6))
    text = manager.get("/reports/restaurant/menu?days=7&format=csv").content.decode("utf-8-sig")
    assert "Per order,Price,Sales before,Sold before" in text
    assert ",30.00,100.0,6,1,6.00,5.00,20.00,4\r\n" in text


def test_the_list_shows_the_dishes_of_one_category(report_page):
    for name, category in (("Soup", "Starters"), ("Ale", "Drinks & wine"), ("Bread", "Starters"), ("Odd", "")):
        make_item(name, "5", category=category)

    def names(query: str) -> list[str]:
        return sorted(row[0] for row in listed(report_page(f"/menu?days=7{query}")))

    assert names("&category=Starters") == ["Bread", "Soup"]
    assert names("&category=Drinks+%26+wine") == ["Ale"]
    assert names("&category=Other") == ["Odd"]
    assert names("") == names("&category=") == names("&category=nonsense") == ["Ale", "Bread", "Odd", "Soup"]
    page = read(report_page("/menu?days=7&category=Starters&sort=price&page=1"))
    kept = "?days=7&sort=price"
    choices = [(each["href"], each.get("aria-current"), each.name) for each in page.one(*CATEGORIES).all("link")]
    assert choices == [
        (f"{kept}#all-title", None, "All 4"),
        (f"{kept}&category=Drinks+%26+wine#all-title", None, "Drinks & wine 1"),
        (f"{kept}&category=Other#all-title", None, "Other 1"),
        (f"{kept}&category=Starters#all-title", "true", "Starters 2"),
    ]
    assert page.one("link", "Price")["href"] == "?days=7&category=Starters&sort=-price#all-title"


def test_only_what_is_behind_its_own_category_is_warned_of(report_page, table, manager):
    steak, chop, tea, water, gum = (
        make_item(name, price, category=category)
        for name, price, category in (
            ("Steak", "90", "Grill"), ("Chop", "10", "Grill"), ("Tea", "4", "Drinks"), ("Water", "3", "Drinks"),
            ("Gum", "0", "Sweets"),
        )
    )  # fmt: skip
    order(table, NOW, *((each, 1) for each in (steak, chop, tea, water, gum)))
    shown = report_page("/menu?days=7")
    found = {row[0]: row[1] for row in listed(shown)}
    assert found == {
        "Steak": "Star", "Chop": "Underperforming", "Tea": "Low", "Water": "Low", "Gum": "Not selling",
    }  # fmt: skip
    assert [row[1] for row in table_of(shown)].count("Underperforming") == 1
    looks = {words: look for look, words in re.findall(r'<span class="([^"]*)">([\w ]+)</span>', shown.text)}
    assert looks["Underperforming"] not in (looks["Low"], looks["Star"])
    assert "; 1 item sells less than half of what its category does on average" in shown.context["sentence"]
    assert [(row[0], row[3]) for row in shown.context["classes"].rows[3:5]] == [("Low", 2), ("Underperforming", 1)]
    # Each class leads to its items, of all categories or of the one that is chosen.
    page = read(report_page("/menu?days=7&category=Drinks&page=2"))
    assert page.one("link", "Low")["href"] == "?days=7&category=Drinks&class=low#all-title"
    assert "Good" not in page.names("link")
    low = report_page("/menu?days=7&class=low")
    assert [row[0] for row in listed(low)] == ["Tea", "Water"]
    chosen = read(low).one(*CATEGORIES).all("link")[0]
    assert (chosen.name, chosen["href"], chosen["aria-current"]) == ("Low", "?days=7#all-title", "true")
    assert [each.label for each in low.context["categories"]] == ["All 2", "Drinks 2"]
    assert len(listed(report_page("/menu?days=7&class=nonsense"))) == 5
    file = manager.get("/reports/restaurant/menu?days=7&format=csv").content.decode()
    assert file.count(",Underperforming,") == 9  # as the JSON has them: in the list, and twice among the best of few


def test_where_food_costs_are_known_the_list_and_the_file_have_profits(report_page, table, manager):
    OrderingRules(pk=1, default_vat_rate=Decimal(25)).save()
    soup, tea, gift = (
        make_item(name, price, cost=cost)
        for name, price, cost in (("Soup", "10", "2"), ("Tea", "5", None), ("Gift", "0", "1"))
    )
    order(table, NOW, (soup, 3), (tea, 1), (gift, 2))
    shown = report_page("/menu?days=7&by=margin&sort=profit")
    assert {row[0]: (row[1], *row[7:]) for row in listed(shown)} == {
        # 30 less a fifth, less 3 times 2
        "Soup": ("Winner", Decimal("25.0"), 18), "Gift": ("Workhorse", None, -2),
    }  # fmt: skip
    page = read(shown)
    assert [row[0] for row in table_of(shown)] == ["Gift", "Soup"]
    assert "both without VAT." in page
    assert "By sales" in page.names("link")
    by_margin = page.one("link", "By margin")
    assert (by_margin["href"], by_margin["aria-current"]) == ("?days=7&by=margin#classes-title", "true")
    assert {len(row) for row in listed(report_page("/menu?days=7"))} == {8}
    file = manager.get("/reports/restaurant/menu?days=7&format=csv").content.decode("utf-8-sig")
    assert "Sales before,Sold before,Food cost,Profit,By margin\r\n" in file
    assert ",0.00,0,25.0,18.00,Winner\r\n" in file
    assert 'Winner,"Sells well, high margin","Keep it as it is, where everybody sees it.",1,18.00\r\n' in file
    MenuItem.objects.update(cost=None)
    without = report_page("/menu?days=7&by=margin&sort=-profit")
    assert {len(row) for row in listed(without)} == {8}
    assert "Profit" not in read(without)
    assert "Popularity and margin" not in read(without)


def test_what_sells_and_what_it_leaves_is_compared_within_the_category(report_page, table):
    dishes = {
        name: make_item(name, price, cost=cost, category=category)
        for name, price, cost, category in (
            ("Steak", "30", "10", "Mains"), ("Pasta", "15", "4", "Mains"), ("Turbot", "40", "12", "Mains"),
            ("Stew", "15", "6", "Mains"), ("Beer", "5", "1", "Drinks"), ("Soup", "8", "2", "Starters"),
            ("Salad", "8", "2", "Starters"),
        )
    }  # fmt: skip
    sales = {"Steak": 10, "Pasta": 10, "Turbot": 4, "Stew": 4, "Beer": 9}  # 70% of the mean of four mains are 4.9
    order(table, NOW, *((dishes[name], count) for name, count in sales.items()))
    shown = report_page("/menu?days=7&by=margin")
    # Beer is alone in its category, and of starters none was sold.
    assert {row[0]: (row[1], *row[3:7]) for row in listed(shown)} == {
        "Steak": ("Winner", 10, 5, 20, Decimal("16.36")), "Pasta": ("Workhorse", 10, 5, 11, Decimal("16.36")),
        "Turbot": ("Puzzle", 4, 5, 28, Decimal("16.36")), "Stew": ("Dog", 4, 5, 9, Decimal("16.36")),
        "Beer": ("", 9, None, 4, None), "Soup": ("", 0, None, 6, None), "Salad": ("", 0, None, 6, None),
    }  # fmt: skip
    assert [(row[0], row[3], row[4]) for row in shown.context["by_margin"].rows] == [
        ("Winner", 1, 200), ("Workhorse", 1, 110), ("Puzzle", 1, 112), ("Dog", 1, 36),
    ]  # fmt: skip
    assert read(shown).one("link", "Puzzle")["href"] == "?days=7&by=margin&group=puzzle#all-title"
    puzzles = report_page("/menu?days=7&by=margin&group=puzzle")
    assert [row[0] for row in listed(puzzles)] == ["Turbot"]
    chosen = read(puzzles).one(*CATEGORIES).all("link")[0]
    assert (chosen.name, chosen["href"], chosen["aria-current"]) == ("Puzzle", "?days=7&by=margin#all-title", "true")
    assert len(listed(report_page("/menu?days=7&by=margin&group=nonsense"))) == 7


def test_dishes_of_one_category_need_no_filter(report_page):
    make_item("Soup", "5", category="Starters")
    assert "Categories" not in read(report_page("/menu")).names("navigation")


def test_dishes_lead_to_their_pages_in_the_admin_where_they_may_be_seen(report_page):
    soup = make_item("Soup", "5")
    assert "Soup" not in read(report_page("/menu")).names("link")
    owner = signed_in(User.objects.create_superuser("owner"))
    page = read(owner.get("/reports/restaurant/menu", headers={"accept": PAGE}))
    assert page.one("link", "Soup")["href"] == f"/admin/restaurant/menuitem/{soup.pk}/change/"


def test_an_item_of_the_menu_is_found_by_its_name(report_page):
    assert "Find an item" not in read(report_page("/menu")).names("field")  # of a few nothing is looked for
    for number in range(11):
        make_item(f"Pizza {number:02}", "9")
    make_item("Tagliatelle al Ragù", "16")
    found = report_page("/menu?q=RAGU&sort=item")
    assert [row[0] for row in listed(found)] == ["Tagliatelle al Ragù"]
    assert len(found.context["everything"].rows) == 12  # the file has all of them
    assert read(found).one("form", "Find").fields() == {"sort": "item", "q": "RAGU"}
    assert read(found).one("link", "“RAGU”")["href"] == "?sort=item#all-title"
    none = report_page("/menu?q=%3Cb%3E")
    assert listed(none) == []
    assert "No item here is called “<b>”." in read(none)
