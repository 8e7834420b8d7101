from restaurant.models import MenuItem
from tests.conftest import make_item
from tests.restaurant.admin.pages import (
    EXPORT,
    MENU,
    confirm,
    exported,
    preview,
    text_of,
    totals,
    with_permissions,
    written,
)

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "'=1+1", "''+1", "'tis", "=HYPERLINK(\"http://x\")",
            ";=1", "a;=1", "a; '=1", "＝1", "＠SUM(A1)", "'＋1"]  # fmt: skip


def test_the_file_has_the_columns_of_an_item(managers_browser, soup):
    MenuItem.objects.update(description="Beans; bread,\nand “kale”", image_url="https://x.example/1.jpg")
    response = managers_browser.get(EXPORT)
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"].startswith('attachment; filename="menu-20')
    assert response.content.startswith(b"\xef\xbb\xbfid,name,")
    rows = exported(managers_browser)
    assert [{name: cell for name, cell in row.items() if cell} for row in rows] == [
        {
            "id": str(soup.pk),
            "name": "Ribollita",
            "description": "Beans; bread,\nand “kale”",
            "price": "9.50",
            "category": "Soups",
            "image_url": "https://x.example/1.jpg",
            "available": "yes",
        }
    ]
    assert [name for name, cell in rows[0].items() if not cell] == [
        "sold_out_until", "portions", "position", "vat_rate", "diet", "allergens", "cost", "station", "options",
        "category_position", "category_weekdays", "category_hours", "category_station", "category_vat_rate",
            "category_late_after", "category_course",
    ]  # fmt: skip


def test_the_file_is_the_same_in_every_language(managers_browser, soup, written_in):
    make_item("Whole sturgeon", "1234.50", available=False)
    for language in ("en", "en-de", "en-se"):
        written_in(language)
        cells = [(row["price"], row["available"]) for row in exported(managers_browser)]
        assert cells == [("9.50", "yes"), ("1234.50", "no")], language


def test_what_the_list_shows_is_in_the_file(managers_browser, soup, bread):
    gone = make_item("Turbot", available=False)
    page = text_of(managers_browser.get(MENU, {"available__exact": "0"}))
    assert f'href="{EXPORT}?available__exact=0"' in page
    assert [row["id"] for row in exported(managers_browser, available__exact="0")] == [str(gone.pk)]
    assert [row["name"] for row in exported(managers_browser, q="olive")] == [bread.name]
    assert [row["name"] for row in exported(managers_browser)] == [bread.name, soup.name, gone.name]


def test_no_name_is_a_formula_for_a_spreadsheet_and_it_comes_back_as_it_was(managers_browser, db):
    for name in FORMULAS:
        make_item(name, category=name)
    rows = exported(managers_browser)
    assert [row["name"] for row in rows if row["name"].startswith(("=", "+", "-", "@"))] == []
    shown = preview(managers_browser, managers_browser.get(EXPORT).content)
    assert totals(shown) == (0, 0, len(FORMULAS))
    confirm(managers_browser, preview(managers_browser, written([row | {"price": "5"} for row in rows])))
    found = MenuItem.objects.values_list("name", "category", "price")
    assert sorted(found) == sorted((name, name, 5) for name in FORMULAS)


def test_who_may_see_the_menu_may_have_it_as_a_file_and_nobody_else(soup, client):
    assert len(exported(with_permissions("view_menuitem"))) == 1
    assert client.get(EXPORT).status_code == 302  # to the sign-in


def test_a_filter_that_makes_no_sense_leads_back_to_the_list(managers_browser, soup):
    assert managers_browser.get(EXPORT, {"price__year": "soon"})["Location"] == "../?e=1"
