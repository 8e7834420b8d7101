"""The list of all items on the page: what is sold out, and in which order."""

import re

import pytest

from tests.conftest import make_item
from tests.restaurant.reports.conftest import NOW, order

pytestmark = pytest.mark.django_db


def test_only_what_is_sold_out_is_marked_in_the_list_of_the_menu(page):
    make_item("Soup", "5")
    make_item("Bread", "2", available=False)
    shown = page("/menu")
    everything = shown.context["everything"]
    assert everything["columns"][3]["label"] == "Sold out"
    assert {row[0]: row[3] for row in everything["rows"]} == {"Soup": "", "Bread": "yes"}
    assert shown.content.decode().count('<span class="chip chip-bad">Sold out</span>') == 1
    assert 'Bread <span class="chip chip-bad">Sold out</span>' in shown.content.decode()


def test_the_list_of_the_menu_is_sorted_by_its_heads(page, table):
    items = [make_item(name, price) for name, price in (("soup", "5"), ("Bread", "2"), ("Ale", "3"), ("Zest", "1"))]
    order(table, NOW, *((item, count) for item, count in zip(items[:3], (1, 4, 2), strict=True)))

    def names(query: str) -> list[str]:
        text = page(f"/menu?days=7{query}").content.decode()
        listed = text[text.index(">All items</caption>") :]
        return re.findall(r'role="rowheader">(\w+)</th>', listed)

    assert names("") == names("&sort=-revenue") == ["Bread", "Ale", "soup", "Zest"]
    assert names("&sort=item") == ["Ale", "Bread", "soup", "Zest"]
    assert names("&sort=-item") == ["Zest", "soup", "Bread", "Ale"]
    assert names("&sort=price") == ["Zest", "Bread", "Ale", "soup"]
    assert names("&sort=") == names("&sort=nonsense") == names("")
    text = page("/menu?days=7&sort=price").content.decode()
    assert (
        'aria-sort="ascending" class="numeric"><a class="sort" href="?days=7&amp;sort=-price#all-title">Price<' in text
    )
    assert text.count("aria-sort") == 1
    assert 'href="?days=7&amp;sort=item#all-title">Item<' in text


def test_a_sorted_list_has_pages(page):
    for number in range(51):
        make_item(f"Dish {number:02}", str(number + 1))
    first, second = (page(f"/menu?sort=-price{more}").content.decode() for more in ("", "&page=2"))
    assert 'href="?sort=-price&amp;page=2" rel="next"' in first
    assert (">Dish 50</th>" in first, ">Dish 00</th>" in first, ">Dish 00</th>" in second) == (True, False, True)
