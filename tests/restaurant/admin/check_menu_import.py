"""Menu files of the largest size, and those that are made to take long."""

import itertools
import sys
import time

from restaurant.menu.services.menu_files import importing
from restaurant.models import MenuItem
from tests.restaurant.admin.pages import confirm, preview, upload, words_of
from tests.restaurant.admin.test_menu_import_refused import sent
from tests.servers import PATIENCE
from web.imports.table import Row


def test_a_file_of_the_largest_size_goes_through(managers_browser, django_assert_max_num_queries):
    file = "name,price,category,description\n" + "".join(f"Dish {n},{n},Mains,{'x' * 300}\n" for n in range(2000))
    with django_assert_max_num_queries(20):
        shown = preview(managers_browser, file)
    with django_assert_max_num_queries(50):
        assert "2000 new items" in words_of(confirm(managers_browser, shown))
    assert MenuItem.objects.count() == 2000


def test_a_file_that_is_made_to_take_long_does_not(managers_browser):
    for name, file in (
        ("columns", "name,price,category" + "," * 900_000 + "\n" + "Tea,3,Drinks\n" * 2000),
        ("separators", ";" * 1_000_000),
        ("empty lines", "name,price,category\n" + "\n" * 1_000_000),
        ("prices", "name,price,category\n" + "Tea,{},Drinks\n".format("9" * 100_000) * 9),
        ("refused rows", "name,price,category\n" + "Tea,x,Drinks\n" * 2000),
    ):
        began = time.thread_time()
        assert upload(managers_browser, file).status_code == 200, name
        assert time.thread_time() - began < PATIENCE, name  # of the processor: other processes do not count
    assert not MenuItem.objects.exists()


SPACES = "a" + " " * 590 + "b"
LONG = [
    *(("options", cell) for cell in ("(" * 100_000, ":" * 100_000, "a " * 50_000, '"' * 100_000)),
    ("options", "x: " + "," * 100_000),
    ("options", "x: " + ", ".join(f"{n}{SPACES}" for n in range(40))),
    ("options", "|".join(f"{n}{SPACES}]" for n in range(40))),
    ("category_weekdays", "Mon" + " " * 100_000 + "Tue"),
    ("category_weekdays", "Mon," * 25_000),
    ("allergens", "contains milk;" * 7_000),
]


def test_a_cell_that_is_made_to_take_long_does_not(managers_browser, soup):
    for column, cell in LONG:
        began = time.thread_time()
        assert upload(managers_browser, sent(column, cell)).status_code == 200
        assert time.thread_time() - began < PATIENCE, (column, cell[:60])


def test_twice_the_rows_with_groups_of_their_own_are_twice_the_work(db):
    def calls(rows: int) -> int:
        """How many functions are called to plan them."""
        cell = " | ".join(f"g{{0}}-{n}: a, b" for n in range(20))
        cells = [{"name": f"D{n}", "price": "1", "category": "C", "options": cell.format(n)} for n in range(rows)]
        counted = itertools.count()
        sys.setprofile(lambda *_event: next(counted))
        try:
            plan = importing.plan([Row(n, each) for n, each in enumerate(cells)], allowed=importing.Allowed())
        finally:
            sys.setprofile(None)
        assert len(plan.groups) == 20 * rows
        return next(counted)

    calls(1)  # what is done once in a process
    assert calls(60) < 2.05 * calls(30)
