import random
import time

import pytest

from restaurant.models import MenuItem
from tests.restaurant.admin.pages import IMPORT, changes, confirm, preview, upload, words_of

HEAD = "name,price,category\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "The submitted file is empty."),
        (b"\n\n", "This file is empty."),
        (HEAD.encode(), "There are no rows below the first one."),
        (b"PK\x03\x04" + bytes(range(256)), "This is not a CSV file in UTF-8."),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "This is not a CSV file in UTF-8."),
        ("name,price,category\nTé,3,\n".encode("latin-1"), "This is not a CSV file in UTF-8."),
        ("name,price,category\nTea,3,\n".encode("utf-16"), "This is not a CSV file in UTF-8."),
        (b"name,price,category\nTe\0a,3,\n", "This is not a CSV file in UTF-8."),
        (b"dish,charge\nTea,3\n", "The first row has to name the columns: id, name,"),
        (b"Tea,3,\nCoffee,4,\n", "The first row has to name the columns"),
        (b"<html><body>Sign in</body></html>", "The first row has to name the columns"),
        (b"name,price,price,category\nTea,3,4,\n", "There are two columns named “price”."),
        (b"name,price\nTea,3\n", "Without a column “id”"),
        (b"name,price,category\nTea,9,50,Drinks\n", "Row 2 has more cells than the first row."),
        (b'name,price,category\n"Tea,3,\nCoffee,4,\n', "can't be read near line"),
        (b"name,price,category\n" + b"x" * 200_000 + b",3,\n", "can't be read near line 2"),
        ((HEAD + "Tea,3,\n" * 5000).encode(), "This file has too many rows: a menu has at most 2000."),
        (HEAD.encode() + b"x" * 10_000_000, "This file is too large: a menu has at most 1 MB."),
        (b"name,price,category" + b"," * 98 + b"\nTea,3,\n", "The first row has too many columns: at most 100."),
        (b"," * 1_000_000, "This file is empty."),
    ],
)
def test_it_is_refused_with_a_sentence(manager, content, words):
    assert words in words_of(upload(manager, content))
    assert not MenuItem.objects.exists()


@pytest.mark.parametrize("seed", range(20))
def test_nonsense_is_refused_whatever_it_is(manager, seed):
    chance = random.Random(seed)
    assert upload(manager, HEAD.encode() + chance.randbytes(500)).status_code == 200
    letters = """,;"'\n\r\t=x9é“ """
    assert upload(manager, HEAD + "".join(chance.choices(letters, k=200))).status_code == 200
    assert not MenuItem.objects.exists()


def test_no_file_is_refused(manager):
    assert "This field is required." in words_of(manager.post(IMPORT, {}))


def test_columns_without_a_name_and_empty_rows_are_passed_over(manager):
    shown = preview(manager, "name,price,category,,\n\n,,,,\nTea,3,,,\n")
    assert [(number, name) for number, name, _ in changes(shown)] == [(4, "Tea")]


def test_a_column_that_is_not_known_is_left_out_with_a_warning(manager):
    response = upload(manager, "name,prise,price,category,Cook's note\nTea,4,3,,strong\n")
    assert "The columns prise, Cook's note are not known and are left out." in words_of(response)
    confirm(manager, response.context)
    assert str(MenuItem.objects.get().price) == "3.00"


@pytest.mark.slow
def test_a_file_of_the_largest_size_goes_through(manager, django_assert_max_num_queries):
    file = "name,price,category,description\n" + "".join(f"Dish {n},{n},Mains,{'x' * 300}\n" for n in range(2000))
    with django_assert_max_num_queries(20):
        shown = preview(manager, file)
    with django_assert_max_num_queries(50):
        assert "2000 new items" in words_of(confirm(manager, shown))
    assert MenuItem.objects.count() == 2000


@pytest.mark.parametrize(
    "file",
    [
        "name,price,category" + "," * 900_000 + "\n" + "Tea,3,Drinks\n" * 2000,
        ";" * 1_000_000,
        "name,price,category\n" + "\n" * 1_000_000,
        "name,price,category\n" + "Tea,{},Drinks\n".format("9" * 100_000) * 9,
        "name,price,category\n" + "Tea,x,Drinks\n" * 2000,
    ],
    ids=["columns", "separators", "empty lines", "prices", "refused rows"],
)
def test_a_file_that_is_made_to_take_long_does_not(manager, file):
    began = time.thread_time()
    assert upload(manager, file).status_code == 200
    assert time.thread_time() - began < 3
    assert not MenuItem.objects.exists()
