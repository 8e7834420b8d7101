import pytest
from django.contrib.admin.models import LogEntry

from restaurant.models import MenuItem
from tests.conftest import make_item, unknown_id
from tests.restaurant.admin.conftest import with_permissions
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
    words_of,
    written,
)


def the_menu() -> list[tuple]:
    rows = MenuItem.objects.order_by("name").values_list("name", "price", "category", "available")
    return [(name, str(price), category, available) for name, price, category, available in rows]


# --- there and back -------------------------------------------------------------------------------


def test_a_changed_price_is_shown_confirmed_and_changed_and_nothing_else(manager, soup, bread):
    rows = exported(manager)
    rows[1]["price"] = "10.80"
    shown = preview(manager, written(rows))
    assert changes(shown) == [(3, "Ribollita", {"Price": ("9.50", "10.80")})]
    assert totals(shown) == (0, 1, 1)
    soup.refresh_from_db()
    assert str(soup.price) == "9.50"  # shown, not done

    assert "0 new items, 1 changed, 1 unchanged" in words_of(confirm(manager, shown))
    soup.refresh_from_db()
    assert str(soup.price) == "10.80"
    entry = LogEntry.objects.get()
    assert (entry.object_id, entry.change_message) == (str(soup.pk), "Imported from a file.")


def test_the_file_that_was_exported_changes_nothing(manager, soup, bread):
    MenuItem.objects.filter(pk=soup.pk).update(description="Two\r\nlines, “quoted”", category="")
    response = upload(manager, manager.get(EXPORT).content)
    assert totals(response.context) == (0, 0, 2)
    assert response.context["confirm"] is None
    assert "there is nothing to import" in words_of(response)


def test_a_spreadsheet_may_end_lines_in_its_own_way(manager, soup):
    MenuItem.objects.update(description="Two\r\nlines")
    assert totals(preview(manager, manager.get(EXPORT).content.replace(b"\r\n", b"\n"))) == (0, 0, 1)


def test_an_item_keeps_its_id_whatever_it_is_called(manager, soup):
    shown = preview(manager, f"id,name,category\n{soup.pk},Zuppa,\n")
    assert changes(shown) == [(2, "Zuppa", {"Name": ("Ribollita", "Zuppa"), "Category": ("Soups", "")})]
    confirm(manager, shown)
    assert the_menu() == [("Zuppa", "9.50", "", True)]


def test_a_menu_that_was_lost_comes_back_with_its_ids(manager, soup, bread):
    file, before = manager.get(EXPORT).content, the_menu()
    MenuItem.objects.all().delete()
    confirm(manager, preview(manager, file))
    assert the_menu() == before
    assert MenuItem.objects.get(pk=soup.pk).name == "Ribollita"


# --- written by hand ------------------------------------------------------------------------------


@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_file_written_by_hand_changes_what_is_there_and_adds_the_rest(manager, soup, bread, mark, bom):
    lines = [["Name", "PRICE", "category"], ["Ribollita", '"9,80"', "Soups"], ["Zuppa di cozze", "14", "Soups"]]
    shown = preview(manager, bom + "\r\n".join(mark.join(line) for line in lines))
    assert changes(shown) == [
        (2, "Ribollita", {"Price": ("9.50", "9.80")}),
        (3, "Zuppa di cozze", {"Price": (None, "14.00"), "Category": (None, "Soups"), "Available": (None, "yes")}),
    ]
    confirm(manager, shown)
    assert the_menu() == [
        ("Ribollita", "9.80", "Soups", True),
        ("Sourdough & olive oil", "4.25", "Breads", True),
        ("Zuppa di cozze", "14.00", "Soups", True),
    ]


def test_the_same_name_in_another_category_is_another_item(manager, soup):
    confirm(manager, preview(manager, "name;price;category\nRibollita;5;Starters\n"))
    assert {row[1:3] for row in the_menu()} == {("9.50", "Soups"), ("5.00", "Starters")}


@pytest.mark.parametrize(
    ("written_price", "price"),
    [("9,50", "9.50"), ("9.5", "9.50"), ("9", "9.00"), ("0", "0.00"), (" 1 234,50 ", "1234.50"),
     ("1,234.50", "1234.50"), ("1.234,50", "1234.50"), ("99999999.99", "99999999.99")],
)  # fmt: skip
def test_prices_are_read_as_they_are_written(manager, db, written_price, price):
    confirm(manager, preview(manager, f'name;price;category\nTea;"{written_price}";\n'))
    assert str(MenuItem.objects.get().price) == price


@pytest.mark.parametrize(
    ("word", "available"),
    [("yes", True), ("TRUE", True), ("1", True), ("no", False), ("False", False), ("0", False), ("", None)],
)
def test_availability_is_read_as_it_is_written(manager, soup, word, available):
    gone = make_item("Turbot", available=False)
    shown = preview(manager, f"name,category,available\nRibollita,Soups,{word}\nTurbot,Soups,{word}\n")
    if shown["confirm"]:
        confirm(manager, shown)
    soup.refresh_from_db()
    gone.refresh_from_db()
    assert (soup.available, gone.available) == ((True, False) if available is None else (available, available))


def test_nothing_is_deleted_and_columns_that_are_left_out_stay(manager, soup, bread):
    MenuItem.objects.filter(pk=soup.pk).update(description="Beans", available=False)
    confirm(manager, preview(manager, "name,price,category\nRibollita,1,Soups\n"))
    soup.refresh_from_db()
    assert (soup.description, soup.available, str(soup.price)) == ("Beans", False, "1.00")
    assert MenuItem.objects.count() == 2


# --- rows that are wrong --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (",Tea,x,,,", "Price: “x” is not a price"),
        (",Tea,-1,,,", "Price: “-1” is not a price"),
        (",Tea,9.505,,,", "Price: “9.505” is not a price"),
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
    ],
)
def test_a_row_that_is_wrong_is_named_with_a_sentence_and_nothing_is_imported(manager, soup, row, words):
    make_item("Twin"), make_item("Twin")
    before = the_menu()
    file = f"id,name,price,category,image_url,available\n{soup.pk},Ribollita,99,Soups,,\n\n{row}\n"
    shown = preview(manager, file)
    assert words in refusals(shown)[4]
    assert shown["confirm"] is None
    assert the_menu() == before


# --- what happens between the preview and its confirmation ----------------------------------------


def test_what_changed_since_the_preview_is_shown_before_it_is_overwritten(manager, soup, bread):
    rows = exported(manager)
    rows[1]["price"] = "10.80"
    shown = preview(manager, written(rows))
    MenuItem.objects.filter(pk=bread.pk).update(available=False)  # sold out meanwhile
    response = confirm(manager, shown)
    assert "The menu has changed since this preview was made. Nothing was imported" in words_of(response)
    bread.refresh_from_db()
    soup.refresh_from_db()
    assert (bread.available, str(soup.price)) == (False, "9.50")

    again = response.context
    assert changes(again)[0] == (2, bread.name, {"Available": ("no", "yes")})
    confirm(manager, again)
    soup.refresh_from_db()
    assert str(soup.price) == "10.80"


def test_confirming_twice_adds_nothing_twice(manager, db):
    shown = preview(manager, "name,price,category\nTea,3,\n")
    confirm(manager, shown)
    assert "nothing to import" in words_of(confirm(manager, shown))
    assert MenuItem.objects.count() == 1


@pytest.mark.parametrize("file", ["", "forged", "Zm9v:1abc:forged"])
def test_a_confirmation_of_what_was_not_shown_is_refused(manager, soup, file):
    shown = preview(manager, "name,price,category\nTea,3,\n")
    assert "choose the file again" in words_of(confirm(manager, shown, file=file))
    assert manager.get(CONFIRM).status_code == 302
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


def test_others_can_not_import(colleague, soup):
    looker = with_permissions("view_menuitem")
    assert "Import CSV" not in text_of(looker.get(MENU))
    for person in (colleague, looker):
        assert person.get(IMPORT).status_code == 403
        assert person.post(CONFIRM, {}).status_code == 403
