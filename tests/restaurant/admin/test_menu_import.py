from django.contrib.admin.models import LogEntry

from restaurant.models import MenuItem
from tests.conftest import make_item, unknown_id
from tests.reading import read
from tests.restaurant.admin.pages import (
    CONFIRM,
    EXPORT,
    IMPORT,
    MENU,
    changes,
    confirm,
    exported,
    preview,
    refusals,
    text_of,
    totals,
    upload,
    with_permissions,
    words_of,
    written,
)


def the_menu() -> list[tuple]:
    rows = MenuItem.objects.order_by("name").values_list("name", "price", "category", "available")
    return [(name, str(price), category, available) for name, price, category, available in rows]


# --- there and back -------------------------------------------------------------------------------


def test_a_changed_price_is_shown_confirmed_and_changed_and_nothing_else(managers_browser, soup, bread):
    rows = exported(managers_browser)
    rows[1]["price"] = "10.80"
    shown = preview(managers_browser, written(rows))
    assert changes(shown) == [(3, "Ribollita", {"Price": ("9.50", "10.80")})]
    assert totals(shown) == (0, 1, 1)
    soup.refresh_from_db()
    assert str(soup.price) == "9.50"  # shown, not done

    assert "0 new items, 1 changed, 1 unchanged" in words_of(confirm(managers_browser, shown))
    soup.refresh_from_db()
    assert str(soup.price) == "10.80"
    entry = LogEntry.objects.get()
    assert (entry.object_id, entry.change_message) == (str(soup.pk), "Imported from a file.")


def test_the_file_that_was_exported_changes_nothing(managers_browser, soup, bread):
    MenuItem.objects.filter(pk=soup.pk).update(description="Two\r\nlines, “quoted”", category="")
    response = upload(managers_browser, managers_browser.get(EXPORT).content)
    assert totals(response.context) == (0, 0, 2)
    assert response.context["confirm"] is None
    assert "there is nothing to import" in words_of(response)


def test_a_spreadsheet_may_end_lines_in_its_own_way(managers_browser, soup):
    MenuItem.objects.update(description="Two\r\nlines")
    assert totals(preview(managers_browser, managers_browser.get(EXPORT).content.replace(b"\r\n", b"\n"))) == (0, 0, 1)


def test_an_item_keeps_its_id_whatever_it_is_called(managers_browser, soup):
    shown = preview(managers_browser, f"id,name,category\n{soup.pk},Zuppa,\n")
    assert changes(shown) == [(2, "Zuppa", {"Name": ("Ribollita", "Zuppa"), "Category": ("Soups", "")})]
    confirm(managers_browser, shown)
    assert the_menu() == [("Zuppa", "9.50", "", True)]


def test_a_menu_that_was_lost_comes_back_with_its_ids(managers_browser, soup, bread):
    file, before = managers_browser.get(EXPORT).content, the_menu()
    MenuItem.objects.all().delete()
    confirm(managers_browser, preview(managers_browser, file))
    assert the_menu() == before
    assert MenuItem.objects.get(pk=soup.pk).name == "Ribollita"


# --- written by hand ------------------------------------------------------------------------------


def test_a_file_written_by_hand_changes_what_is_there_and_adds_the_rest(managers_browser, soup, bread):
    lines = [["Name", "PRICE", "category"], ["Ribollita", '"9,80"', "Soups"], ["Zuppa di cozze", "14", "Soups"]]
    for mark in (",", ";", "\t"):
        for bom in ("", "\ufeff"):
            shown = preview(managers_browser, bom + "\r\n".join(mark.join(line) for line in lines))
            assert changes(shown) == [
                (2, "Ribollita", {"Price": ("9.50", "9.80")}),
                (
                    3,
                    "Zuppa di cozze",
                    {"Price": (None, "14.00"), "Category": (None, "Soups"), "Available": (None, "yes")},
                ),
            ], (mark, bom)
    confirm(managers_browser, shown)
    assert the_menu() == [
        ("Ribollita", "9.80", "Soups", True),
        ("Sourdough & olive oil", "4.25", "Breads", True),
        ("Zuppa di cozze", "14.00", "Soups", True),
    ]


def test_a_category_that_is_new_is_named_beside_the_one_that_is_most_like_it(managers_browser, soup):
    page = read(upload(managers_browser, "name;price;category\nMinestrone;5;Soup\nCod;9;Mains\n"))
    assert "The menu gets a new category: Soup. There is “Soups” already." in page
    assert "The menu gets a new category: Mains." in page


def test_the_same_name_in_another_category_is_another_item(managers_browser, soup):
    confirm(managers_browser, preview(managers_browser, "name;price;category\nRibollita;5;Starters\n"))
    assert {row[1:3] for row in the_menu()} == {("9.50", "Soups"), ("5.00", "Starters")}


def test_prices_are_read_as_they_are_written(managers_browser, db):
    prices = {
        "9,50": "9.50", "9.5": "9.50", "9": "9.00", "0": "0.00", " 1 234,50 ": "1234.50", "1,234.50": "1234.50",
        "1.234,50": "1234.50", "99999999.99": "99999999.99",
    }  # fmt: skip
    rows = "".join(f'Dish {number};"{price}";\n' for number, price in enumerate(prices))
    confirm(managers_browser, preview(managers_browser, f"name;price;category\n{rows}"))
    assert [row[1] for row in the_menu()] == list(prices.values())


def test_availability_is_read_as_it_is_written(managers_browser, db):
    words = {"yes": True, "TRUE": True, "1": True, "no": False, "False": False, "0": False}
    for number in range(len(words) + 2):
        make_item(f"Dish {number}", available=number % 2 == 0)
    rows = "".join(f"Dish {number},Soups,{word}\n" for number, word in enumerate([*words, "", ""]))
    confirm(managers_browser, preview(managers_browser, f"name,category,available\n{rows}"))
    assert [row[3] for row in the_menu()] == [*words.values(), True, False]  # and without a word as it was


def test_nothing_is_deleted_and_columns_that_are_left_out_stay(managers_browser, soup, bread):
    MenuItem.objects.filter(pk=soup.pk).update(description="Beans", available=False)
    confirm(managers_browser, preview(managers_browser, "name,price,category\nRibollita,1,Soups\n"))
    soup.refresh_from_db()
    assert (soup.description, soup.available, str(soup.price)) == ("Beans", False, "1.00")
    assert MenuItem.objects.count() == 2


# --- rows that are wrong --------------------------------------------------------------------------


WRONG = [
    (",Tea,x,,,", "Price: “x” is not a price"),
    (",Tea,-1,,,", "Price: “-1” is not a price"),
    (",Tea,9.5055,,,", "Price: “9.5055” is not a price"),
    (",Tea,NaN,,,", "Price: “NaN” is not a price"),
    (",Tea,100000000,,,", "Price: Ensure that there are no more than"),
    (",Tea,,,,", "Price: A price is needed"),
    (",,9,,,", "Name: This field cannot be blank"),
    (",Tea,9,,,perhaps", "Available: “perhaps” is neither yes nor no"),
    (",Tea,9,,javascript:x,", "Picture: Enter a valid URL"),
    (f",{'x' * 256},9,,,", "Name: Ensure this value has at most 255"),
    ("77,Tea,9,,,", "“77” is not an item's id"),
    (f"{unknown_id()},Ribollita,9,Soups,,", "on the menu with another id"),
    (",Ribollita,9,Soups,,", "Row 2 is about the same item"),
    (",Twin,9,Soups,,", "2 items have this name and category"),
]


def test_a_row_that_is_wrong_is_named_with_a_sentence_and_nothing_is_imported(managers_browser, soup):
    make_item("Twin"), make_item("Twin")
    before = the_menu()
    head = f"id,name,price,category,image_url,available\n{soup.pk},Ribollita,99,Soups,,\n\n"
    for row, words in WRONG:
        shown = preview(managers_browser, f"{head}{row}\n")
        assert words in refusals(shown)[4], row
        assert shown["confirm"] is None, row
    assert the_menu() == before


# --- what happens between the preview and its confirmation ----------------------------------------


def test_what_changed_since_the_preview_is_shown_before_it_is_overwritten(managers_browser, soup, bread):
    rows = exported(managers_browser)
    rows[1]["price"] = "10.80"
    shown = preview(managers_browser, written(rows))
    MenuItem.objects.filter(pk=bread.pk).update(available=False)  # sold out meanwhile
    response = confirm(managers_browser, shown)
    assert "The data or your choices have changed since the preview. Nothing was imported" in words_of(response)
    bread.refresh_from_db()
    soup.refresh_from_db()
    assert (bread.available, str(soup.price)) == (False, "9.50")

    again = response.context
    assert changes(again)[0] == (2, bread.name, {"Available": ("no", "yes")})
    confirm(managers_browser, again)
    soup.refresh_from_db()
    assert str(soup.price) == "10.80"


def test_confirming_twice_adds_nothing_twice(managers_browser, db):
    shown = preview(managers_browser, "name,price,category\nTea,3,\n")
    confirm(managers_browser, shown)
    assert "nothing to import" in words_of(confirm(managers_browser, shown))
    assert MenuItem.objects.count() == 1


def test_a_confirmation_of_what_was_not_shown_is_refused(managers_browser, soup):
    shown = preview(managers_browser, "name,price,category\nTea,3,\n")
    for file in ("", "forged", "Zm9v:1abc:forged"):
        assert "choose the file again" in words_of(confirm(managers_browser, shown, file=file)), file
    assert managers_browser.get(CONFIRM).status_code == 302
    assert MenuItem.objects.count() == 1


# --- who may --------------------------------------------------------------------------------------


def test_who_may_not_add_items_can_import_changes_alone(soup):
    person = with_permissions("view_menuitem", "change_menuitem")
    shown = preview(person, "name,price,category\nTea,3,\nRibollita,9.60,Soups\n")
    assert refusals(shown) == {2: "You may not add items to the menu."}
    confirm(person, preview(person, "name,price,category\nRibollita,9.60,Soups\n"))
    assert the_menu() == [("Ribollita", "9.60", "Soups", True)]


def test_who_may_not_change_items_can_import_new_ones_alone(soup):
    person = with_permissions("view_menuitem", "add_menuitem")
    shown = preview(person, "name,price,category\nTea,3,\nRibollita,9.60,Soups\n")
    assert refusals(shown) == {3: "You may not change items of the menu."}


def test_others_can_not_import(soup):
    looker = with_permissions("view_menuitem")
    assert "Import CSV" not in text_of(looker.get(MENU))
    assert looker.get(IMPORT).status_code == 403
    assert looker.post(CONFIRM, {}).status_code == 403
