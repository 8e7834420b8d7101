"""Menu files with the habits of spreadsheets and tills: read right, or asked about."""

import io
import re
import unicodedata
import zipfile
from typing import Any, NamedTuple

import pytest
from openpyxl import Workbook

from restaurant.menu.services.menu_files.columns import DECLARATION
from restaurant.models import Category, MenuItem
from tests.conftest import make_item
from tests.restaurant.admin.pages import (
    EXPORT,
    IMPORT,
    changes,
    confirm,
    preview,
    refusals,
    totals,
    upload,
    words_of,
)

SOUP = ("Gulaschsuppe", "12.50", "Suppen")
CREPE = ("Crêpe", "9.50", "Desserts")


class Case(NamedTuple):
    habit: str
    file: str | bytes
    dishes: list[tuple[str, ...]] = []  # name, price, category and what is declared of allergens
    asked: str = ""  # a part of the question
    answers: dict[str, str] = {}
    says: str = ""  # a part of the page


def workbook(*sheets: list[list[Any]], formats: dict[str, str] | None = None) -> bytes:
    """A workbook of these rows. A formula and its result are written `=1+1 -> 2`."""
    book, results = Workbook(), {}
    for number, rows in enumerate(sheets):
        sheet = book.active if number == 0 else book.create_sheet()
        sheet.title = f"Sheet {number + 1}"
        for row in rows:
            sheet.append([str(cell).split(" -> ")[0] if " -> " in str(cell) else cell for cell in row])
            results |= dict(cell.split(" -> ") for cell in map(str, row) if " -> " in cell)
        for cell, number_format in (formats or {}).items():
            sheet[cell].number_format = number_format
    file = io.BytesIO()
    book.save(file)
    return repacked(
        file.getvalue(),
        lambda part: re.sub(
            rb"<f>(.*?)</f><v ?(/>|></v>)",
            lambda found: b"<f>%s</f><v>%s</v>" % (found[1], results.get(f"={found[1].decode()}", "").encode()),
            part,
        ),
    )


def repacked(data: bytes, change: Any) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            new.writestr(part.filename, change(old.read(part)))
    return file.getvalue()


def table(*rows: str, mark: str = ";", end: str = "\r\n") -> str:
    return "".join(row.replace("|", mark) + end for row in rows)


GERMAN = table("Bezeichnung|Preis|Kategorie", "Gulaschsuppe|12,50 €|Suppen", "Crêpe|9,50|Desserts")
HEADINGS = {
    "French": "Plat|Prix TTC|Catégorie", "Italian": "Piatto|Prezzo (€)|Categoria", "Spanish": "Nombre|PVP|Categoría",
    "Portuguese": "Prato|Preço|Categoria", "Dutch": "Gerecht|Prijs|Categorie", "Polish": "Nazwa|Cena|Kategoria",
    "Turkish": "Ürün Adı|FİYAT|Kategori", "Ukrainian": "Назва страви|Ціна|Категорія", "Arabic": "اسم الطبق|السعر|الفئة",
    "Chinese": "菜名|价格|分类", "Japanese": "商品名|価格|カテゴリー", "German": "Gericht|Preis in EUR|Warengruppe",
    "English": "Item|Price|Section",
}  # fmt: skip
ALLERGENS = {
    "German": "Milch, Eier", "French": "Lait, Œufs", "Italian": "latte, uova", "Spanish": "Leche/Huevos",
    "Portuguese": "leite, ovos",
    "Dutch": "melk, eieren", "Polish": "mleko, jaja", "Turkish": "süt, yumurta", "Ukrainian": "молоко, яйця",
    "Arabic": "الحليب، البيض", "Chinese": "牛奶、鸡蛋", "Japanese": "乳、卵", "English": "milk, egg",
}  # fmt: skip
CASES = [
    Case("LibreOffice, UTF-8 without a mark", GERMAN, [SOUP, CREPE]),
    Case("Excel, UTF-8 with a mark", "\ufeff" + GERMAN, [SOUP, CREPE]),
    Case("Excel, Unicode text: UTF-16 and tabs", GERMAN.replace(";", "\t").encode("utf-16"), [SOUP, CREPE]),
    Case("a till, UTF-16 without a mark", GERMAN.encode("utf-16-le"), [SOUP, CREPE]),
    Case("Excel for Windows, Western European", GERMAN.encode("cp1252"), [SOUP, CREPE]),
    Case("Excel for Macintosh", GERMAN.encode("mac_roman"), [SOUP, CREPE], "In which line are the words right?",
         {"letters": "mac_roman"}),
    Case("Excel in Poland", table("Nazwa|Cena|Kategoria", "Żurek|12,50 zł|Zupy",
         "Gołąbki|24,00|Dania główne").encode("cp1250"),
         [("Żurek", "12.50", "Zupy"), ("Gołąbki", "24.00", "Dania główne")], "In which line are the words right?",
         {"letters": "cp1250"}, "Prices with zł are taken for EUR as they stand."),
    Case("Excel in Turkey", table("Yemek|Fiyat|Kategori", "Mercimek Çorbası|85|Başlangıç").encode("cp1254"),
         [("Mercimek Çorbası", "85.00", "Başlangıç")], "In which line are the words right?", {"letters": "cp1254"}),
    Case("Excel in Ukraine", table("Назва|Ціна|Категорія", "Борщ|95,00 грн|Супи").encode("cp1251"),
         [("Борщ", "95.00", "Супи")], "In which line are the words right?", {"letters": "cp1251"}),
    Case("Excel in Japan", table("料理名|価格|分類", "味噌汁|９.５０|汁物").encode("cp932"),
         [("味噌汁", "9.50", "汁物")], "In which line are the words right?", {"letters": "cp932"}),
    Case("Excel, with its own line for the separator", "sep=;\r\n" + GERMAN, [SOUP, CREPE]),
    Case("Google, commas and quotation marks", 'Name,Price,Category\nGulaschsuppe,"12,50 €",Suppen\n', [SOUP]),
    Case("Numbers, decomposed accents", unicodedata.normalize("NFD", GERMAN), [SOUP, CREPE]),
    Case("Numbers, a title above and lines of headings again",
         table("Speisekarte Sommer||", "||", "Bezeichnung|Preis|Kategorie", "Gulaschsuppe|12,50|Suppen",
         "Bezeichnung|Preis|Kategorie"),
         [SOUP], says="Row 1 is left out: Speisekarte Sommer Row 5 is left out: Bezeichnung · Preis · Kategorie"),
    Case("currencies before and after, with all kinds of spaces",
         table("Name|Price|Category", "a|€ 12.50|x", "b|£3.50|x", "c|CHF 29.50|x", "d|24.-|x", "e|8,90\xa0€|x",
         "f|9,00\u202fEUR|x",
               "g|12€50|x", "h|1.234,50|x", "i|1’250.00|x", "j|24,– €|x", "k|Fr. 7.50|x"),
         [(name, price, "x") for name, price in zip("abcdefghijk", ("12.50", "3.50", "29.50", "24.00", "8.90", "9.00",
         "12.50",
          "1234.50", "1250.00", "24.00", "7.50"), strict=True)],
         says="Prices with chf, fr., £ are taken for EUR as they stand."),
    Case("raised cents", table("Name|Price|Category", "Tea|3²⁰ €|x", "Cake|4⁵⁰|x"), [("Tea", "3.20", "x"), ("Cake",
         "4.50", "x")]),
    Case("a price with a footnote", table("Name|Price|Category", "Tea|9②|x"), says="“9②” is not a price"),
    Case("a comma that splits a price", "Name,Price,Category,Note\nTea,3,50,Drinks\n",
         says="Row 2 has more cells than"),
    Case("letters that another program has broken", GERMAN.encode().decode("latin-1"),
         says="broken, such as in “CrÃªpe”"),
    Case("Arabic figures", table("الاسم|السعر|الفئة", "حمص|١٢٫٥٠|مقبلات"), [("حمص", "12.50", "مقبلات")]),
    Case("an amount that nobody can read", table("Name|Price|Category", "Whole sturgeon|1.234|Fish", "Tea|3|Drinks"),
         [("Whole sturgeon", "1234.00", "Fish"), ("Tea", "3.00", "Drinks")], "Row 2: what does “1.234” mean?",
         {"decimal": ","}),
    Case("the same, where others say how", table("Name|Price|Category", "Whole sturgeon|1.234|Fish", "Tea|3,20|Drinks"),
         [("Whole sturgeon", "1234.00", "Fish"), ("Tea", "3.20", "Drinks")]),
    Case("a till that writes cents", table("Name|Price|Category", "Tea|320|Drinks", "Cake|450|x", "Soup|1250|x"),
         [("Tea", "3.20", "Drinks"), ("Cake", "4.50", "x"), ("Soup", "12.50", "x")], "are they cents?",
         {"amounts": "cents"}),
    Case("merged cells of categories", table("Kategorie|Gericht|Preis", "Suppen|Gulaschsuppe|12,50",
         "|Leberknödel|7,50"),
         [SOUP, ("Leberknödel", "7.50", "Suppen")], says="(rows 3)"),
    Case("a row for each category", table("Kategorie|Gericht|Preis", "Suppen||", "|Gulaschsuppe|12,50", "Desserts||",
         "|Crêpe|9,50"),
         [SOUP, CREPE], says="Row 2 begins the category “Suppen”."),
    Case("headings between the dishes", table("Gericht|Preis", "Suppen|", "Gulaschsuppe|12,50", "Desserts|",
         "Crêpe|9,50"),
         [SOUP, CREPE], says="Row 4 begins the category “Desserts”."),
    Case("categories in two spellings", table("Name|Price|Category", "Olives|4|starters", "Bread|5|Starters"),
         [("Olives", "4.00", "starters"), ("Bread", "5.00", "starters")],
         says="“Starters” is the category “starters”."),
    Case("a heading with two meanings", table("Name|Preis|Typ", "Gulaschsuppe|12,50|Suppen"), [SOUP],
         "What is in the column “Typ”: Category / Diet?", {"column_2": "category"}),
    Case("two columns of prices", table("Name|Preis|Price|Kategorie", "Gulaschsuppe|12,50|14,00|Suppen"), [SOUP],
         "There are two columns named “Preis”.", {"column_2": ""}),
    Case("headings in a language that is not known", table("Rätt|Kostar|Avdelning", "Gulaschsuppe|12,50|Suppen"),
         [SOUP],
         "The first row has to name the columns", {"column_0": "name", "column_1": "price", "column_2": "category"}),
    Case("columns of a till that a menu does not have", table("ID|PLU|Artikel|VK|Warengruppe|",
         "1|77|Gulaschsuppe|12,50|Suppen|x"),
         [SOUP], says="The columns ID, PLU, Column 6, without a heading are not known and are left out."),
    Case("columns that either mark could divide", "Was;Wo,Wie\nSuppe;a,1\n", [], "What is between the columns?"),
    Case("letters of allergens and their legend below",
         table("Gericht|Preis|Kategorie|Allergene", "Gulaschsuppe|12,50|Suppen|A, L", "Crêpe|9,50|Desserts|ACG", "|||",
               "A = Gluten, C = Eier, G = Milch, L = Sellerie|||"),
         [(*SOUP, "contains celery, gluten"), (*CREPE, "contains gluten, eggs, milk")], says="Row 5 is the legend"),
    Case("numbers of allergens and their legend in the heading",
         table("Piatto|Prezzo|Categoria|Allergeni (1 = glutine, 3 = uova, 7 = latte)", "Crêpe|9,50|Desserts|1,3,7"),
         [(*CREPE, "contains gluten, eggs, milk")]),
    Case("letters of allergens without a legend",
         table("Gericht|Preis|Kategorie|Allergene", "Crêpe|9,50|Desserts|A,C"), [(*CREPE, "contains gluten, eggs")],
         "Which allergens are A, C? Please write the legend.", {"legend": "A = Gluten\r\nC = Eier"}),
    Case("numbers of additives among them",
         table("Gericht|Preis|Kategorie|Allergene", "Crêpe|9,50|Desserts|1,A", "1 = mit Farbstoff, A = Weizen|||"),
         [(*CREPE, "contains gluten")], "none of the 14 allergens: 1 = mit Farbstoff", {"others": "leave"}),
    Case("sentences of allergens", table("Gericht|Preis|Kategorie|Allergene",
         "Crêpe|9,50|Desserts|enthält Milch, Weizen; kann Spuren enthalten von Nüsse; frei von Soja", mark="\t"),
         [(*CREPE, "contains gluten, milk; may contain nuts; free from soya")]),
    Case("words of yes and no, and diets", table("Plat|Prix|Catégorie|Disponible|Régime",
         "Crêpe|9,50|Desserts|oui|végétarien"), [CREPE]),
    Case("a workbook with numbers, merged cells, percents and times", workbook(
         [["Kategorie", "Gericht", "Preis", "MwSt", "category_hours"],
          ["Suppen", "Gulaschsuppe", 12.5, 0.19, None], [None, "Leberknödel", 7, 0.07, None]], formats={"D2": "0%",
         "D3": "0%"}),
         [SOUP, ("Leberknödel", "7.00", "Suppen")]),
    Case("a workbook with formulas", workbook([["Name", "Price", "Category"], ["Gulaschsuppe", "=10*1.25 -> 12.5",
         "Suppen"]]), [SOUP]),
    Case("a workbook whose number only looks like thousands",
         workbook([["Name", "Price", "Category"], ["Tea", 1.234, "x"]]), [], says="“1.2340” is not a price"),
    Case("a workbook of several sheets", workbook([["Summer", "2026"]], [["Name", "Price", "Category"], ["Crêpe", 9.5,
         "Desserts"]]),
         [CREPE], says="these sheets are left out: Sheet 1."),
    Case("a workbook with a menu on each sheet",
         workbook([["Name", "Price", "Category"], ["Tea", 3, "x"]], [["Name", "Price", "Category"], ["Crêpe", 9.5,
         "Desserts"]]),
         [CREPE], "which one is meant?", {"sheet": "Sheet 2"}),
    *(Case(f"{language} headings and allergens",
           table(f"{head}|Allergens", f"Crêpe|9,50|Desserts|{ALLERGENS[language]}"),
           [(*CREPE, "contains eggs, milk")]) for language, head in HEADINGS.items()),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.habit)
def test_it_is_read_right_or_asked_about(case, managers_browser):
    response = upload(managers_browser, case.file)
    if case.asked:
        shown = response.context
        assert case.asked in " ".join(shown["reading"].questions)
        assert (shown["confirm"], shown["plan"].items) == (None, [])
        if not case.answers:
            return
        response = managers_browser.post(IMPORT, {"file": shown["file"], **case.answers})
    assert case.says in words_of(response)
    shown = response.context
    if "plan" not in shown:
        assert not case.dishes
        return
    assert shown["reading"].questions == []
    if case.dishes:
        assert refusals(shown) == {}
        confirm(managers_browser, shown)
    items = MenuItem.objects.order_by("name")
    found = [(each.name, str(each.price), each.category, DECLARATION.write(each.allergens)) for each in items]
    assert found == sorted((*dish, "")[:4] for dish in case.dishes)


# --- what is on the menu already ------------------------------------------------------------------


def test_composed_and_decomposed_accents_are_one_dish(managers_browser, db):
    dish = make_item(unicodedata.normalize("NFD", "Crêpe"), "9.00", category="Desserts")
    shown = preview(managers_browser, GERMAN)
    assert changes(shown)[1] == (3, dish.name, {"Price": ("9.00", "9.50")})
    assert totals(preview(managers_browser, managers_browser.get(EXPORT).content)) == (0, 0, 1)


def test_a_category_is_spelled_as_on_the_menu(managers_browser, db):
    make_item("Olives", "4", category="Starters")
    response = upload(managers_browser, "name,price,category\nOlives,5,STARTERS\nBread,3,starters\n")
    assert changes(response.context)[0] == (2, "Olives", {"Price": ("4.00", "5.00")})
    assert "“STARTERS” is the category “Starters”. “starters” is the category “Starters”." in words_of(response)
    confirm(managers_browser, response.context)
    assert [each.name for each in Category.objects.all()] == ["Starters"]


def test_where_the_menu_has_both_spellings_both_stay(managers_browser, db):
    make_item("Olives", "4", category="Starters"), make_item("Bread", "3", category="starters")
    assert totals(preview(managers_browser, managers_browser.get(EXPORT).content)) == (0, 0, 2)


def test_an_empty_category_stays_empty_if_the_owner_says_so(managers_browser, db):
    shown = preview(managers_browser, "name,price,category\nCod,9,Fish\nTea,3,\n")
    confirm(managers_browser, shown, gaps="none")  # another choice than was shown is shown first
    assert not MenuItem.objects.exists()
    shown = managers_browser.post(IMPORT, {"file": shown["file"], "gaps": "none"}).context
    confirm(managers_browser, shown)
    assert list(MenuItem.objects.order_by("name").values_list("name", "category")) == [("Cod", "Fish"), ("Tea", "")]


def test_an_option_named_like_a_reduction_comes_back(managers_browser, db):
    file = 'name,price,category,options\nCola,3,Drinks,"Size: large, ""small -1.50"""\n'
    confirm(managers_browser, preview(managers_browser, file))
    assert totals(preview(managers_browser, managers_browser.get(EXPORT).content)) == (0, 0, 1)


# --- workbooks that are refused -------------------------------------------------------------------


MENU = [["Name", "Price", "Category"], ["Tea", 3, "Drinks"]]
BOMB = repacked(workbook(MENU), lambda part: part.replace(b"</worksheet>", b" " * 21_000_000 + b"</worksheet>"))
ENTITY = repacked(
    workbook(MENU), lambda part: part.replace(b"<worksheet", b'<!DOCTYPE x [<!ENTITY a "b">]><worksheet', 1)
)
WORKBOOKS = [
    ("one that unpacks to much more", BOMB, "This workbook is too large"),
    ("one with entities", ENTITY, "This workbook can't be opened."),
    ("one that is cut off", workbook(MENU)[:-200], "This workbook can't be opened."),
    ("another kind of archive", repacked(workbook(MENU), lambda part: b""), "This workbook can't be opened."),
    ("one without rows", workbook([[]]), "This file is empty."),
    ("one with too many rows", workbook([*MENU, *[["Tea", 3, "x"]] * 2000]), "too many rows"),
    ("one with too many columns", workbook([[*MENU[0], *["x"] * 98], MENU[1]]), "too many columns"),
    ("a formula that was never computed", workbook([MENU[0], ["Tea", "=1+2", "x"]]),
    "Row 2: the formula =1+2 has no result."),
]  # fmt: skip


def test_a_workbook_that_is_no_menu_is_refused_with_a_sentence(managers_browser):
    pages = {name: (words, words_of(upload(managers_browser, data))) for name, data, words in WORKBOOKS}
    assert {name: page for name, (words, page) in pages.items() if words not in page} == {}


def test_a_formula_of_a_column_that_is_left_out_does_not_matter(managers_browser):
    shown = preview(managers_browser, workbook([[*MENU[0], "Margin"], [*MENU[1], "=B2-A1"]]))
    assert totals(shown) == (1, 0, 0)


def test_a_workbook_with_its_last_row_far_below_is_read(managers_browser):
    def far_below(part: bytes) -> bytes:
        return part.replace(b"</sheetData>", b'<row r="1048576"><c r="XFD1048576"/></row></sheetData>')

    assert totals(preview(managers_browser, repacked(workbook(MENU), far_below))) == (1, 0, 0)
