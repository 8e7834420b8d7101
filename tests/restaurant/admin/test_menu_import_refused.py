import random

from restaurant.models import MenuItem, OptionGroup
from tests.restaurant.admin.pages import IMPORT, changes, confirm, preview, refusals, upload, words_of

HEAD = "name,price,category\n"


REFUSED = [
    (b"", "The submitted file is empty."),
    (b"\n\n", "This file is empty."),
    (HEAD.encode(), "There are no rows below the first one."),
    (b"PK\x03\x04" + bytes(range(256)), "This workbook can't be opened."),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "This is a workbook of an old kind (.xls)."),
    (b"\x89PNG\r\n\x1a\n\0\0\0", "This is neither a table as text (CSV) nor a workbook"),
    (b"name,price,category\nTe\0a,3,\n", "This is neither a table as text (CSV) nor a workbook"),
    (b"what,charge\nTea,3\n", "The first row has to name the columns: id, name,"),
    (b"Tea,3,\nCoffee,4,\n", "The first row has to name the columns"),
    (b"<html><body>Sign in</body></html>", "The first row has to name the columns"),
    (b"name,price,price,category\nTea,3,4,\n", "There are two columns named “price”."),
    (b"name,price\nTea,3\n", "Without a column “id”"),
    (b"name,price,category\nTea,9,50,Drinks\n", "Row 2 has more cells than the first row."),
    (b'name,price,category\n"Tea,3,\nCoffee,4,\n', "can't be read near line"),
    (b"name,price,category\n" + b"x" * 200_000 + b",3,\n", "can't be read near line 2"),
    ((HEAD + "Tea,3,\n" * 5000).encode(), "This file has too many rows: at most 2000 can be imported at once."),
    (HEAD.encode() + b"x" * 10_000_000, "This file is too large: at most 1 MB can be imported."),
    (b"name,price,category" + b"," * 98 + b"\nTea,3,\n", "The first row has too many columns: at most 100."),
    (b"," * 1_000_000, "This file is empty."),
]


def test_it_is_refused_with_a_sentence(managers_browser):
    pages = {content[:60]: (words, words_of(upload(managers_browser, content))) for content, words in REFUSED}
    assert len(pages) > 15
    assert {content: page for content, (words, page) in pages.items() if words not in page} == {}
    assert not MenuItem.objects.exists()


def test_nonsense_is_refused_whatever_it_is(managers_browser):
    letters = """,;"'\n\r\t=x9é“ """
    for seed in range(10):
        chance = random.Random(seed)
        for nonsense in (HEAD.encode() + chance.randbytes(500), HEAD + "".join(chance.choices(letters, k=200))):
            assert upload(managers_browser, nonsense).status_code == 200, nonsense
    assert not MenuItem.objects.exists()


def test_no_file_is_refused(managers_browser):
    assert "This field is required." in words_of(managers_browser.post(IMPORT, {}))


def test_columns_without_a_name_and_empty_rows_are_passed_over(managers_browser):
    shown = preview(managers_browser, "name,price,category,,\n\n,,,,\nTea,3,,,\n")
    assert [(number, name) for number, name, _ in changes(shown)] == [(4, "Tea")]


def test_a_column_that_is_not_known_is_left_out_with_a_warning(managers_browser):
    response = upload(managers_browser, "name,prise,price,category,Cook's note\nTea,4,3,,strong\n")
    assert "The columns prise, Cook's note are not known and are left out." in words_of(response)
    confirm(managers_browser, response.context)
    assert str(MenuItem.objects.get().price) == "3.00"


# --- cells ----------------------------------------------------------------------------------------


def sent(column: str, cell: str) -> str:
    """A file of one row, with this cell."""
    quoted = cell.replace('"', '""')
    return f'name,price,category,{column}\nRibollita,9.50,Soups,"{quoted}"\n'


OPTIONS = [
    ("Sides", "There is no group of options named “Sides”"),
    ("Sides [0-2]", "after the numbers in brackets, please list the choices"),
    ("Sides [2-1]: chips", "at most can't be less than at least"),
    ("Sides [0-0]: chips", "at most can't be less than at least"),
    ("Sides [x]: chips", "can't be read as a group"),
    ("Sides: 7+1 roll", "“7+1 roll” can't be read as a choice"),
    ("Size: large, small -1.50", "what is “small -1.50”?"),
    ("Size: large, small -1,50", "what is “small -1”?"),
    ("Sides: chips 3,50 €", "what is “50 €”?"),
    ("Sides: chips +x", "can't be read as a choice"),
    ("Sides: chips, chips", "has the choice “chips” twice"),
    ("Sides: chips | Sides: chips", "“Sides” is named twice"),
    ("Sides: chips (contains cheese)", "“cheese” is none of the allergens: celery,"),
    ("Sides: chips (hot)", "should begin with “contains”"),
    ("Sides: chips +12345678", "no more than"),
    ("Sides: " + "x" * 101, "at most 100 characters"),
    ("Sides: " + ", ".join(map(str, range(41))), "has too many choices: at most 40"),
    (" | ".join(f"g{n}: a" for n in range(41)), "An item has at most 40 groups of options."),
    ("Sides: ,", "can't be read as a choice"),
    (": chips", "can't be read as a group"),
    ('Sides: "chips', "can't be read as a choice"),
    ("Twins", "There are several groups named “Twins”: write “Twins #1”"),
]
COLUMNS = [
    ("position", "first", "Position: “first” is not a whole number."),
    ("portions", "-1", "Portions left: “-1” is not a whole number."),
    ("cost", "-1", "Food cost: “-1” is not a price"),
    ("vat_rate", "lots", "VAT in percent: “lots” is not a VAT rate"),
    ("vat_rate", "101", "VAT in percent: Ensure this value is less than or equal to 100"),
    ("diet", "paleo", "Diet: “paleo” is not a diet"),
    ("allergens", "cheese", "Allergens: “cheese” should begin with “contains”"),
    ("allergens", "milk, shellfish", "Allergens: “shellfish” is none of the allergens"),
    ("vat_rate", "0.19", "VAT in percent: “0.19” is not a VAT rate"),
    ("allergens", "contains milk; free from milk", "Allergens: milk is named twice."),
    ("sold_out_until", "tomorrow", "Sold out until: “tomorrow” is not a time such as"),
    ("sold_out_until", "2026-13-45 10:00", "Sold out until: “2026-13-45 10:00” is not a time such as"),
    ("category_position", "x", "Position of the category: “x” is not a whole number."),
    ("category_weekdays", "Moonday", "Days of the category: “Moonday” are not days"),
    ("category_hours", "noon", "Hours of the category: “noon” are not hours"),
    ("category_hours", "25:00-26:00", "Hours of the category: “25:00-26:00” are not hours"),
    ("category_vat_rate", "200", "VAT of the category in percent: “200” is not a VAT rate"),
    ("category_station", "x" * 51, "Station of the category: A station's name has at most 50 letters."),
]


def test_cells_that_make_no_sense_are_named_with_row_and_column(managers_browser, soup):
    for _ in range(2):
        OptionGroup.objects.create(name="Twins")
    wrong = {}
    for column, cell, words in [*(("options", cell, f"Options: |{words}") for cell, words in OPTIONS), *COLUMNS]:
        sentence = refusals(preview(managers_browser, sent(column, cell)))[2]
        if not all(part in sentence for part in words.split("|")):
            wrong[column, cell[:60]] = sentence
    assert wrong == {}
