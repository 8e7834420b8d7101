import pytest

from restaurant.models import MenuItem
from tests.conftest import make_item
from tests.restaurant.admin.conftest import with_permissions
from tests.restaurant.admin.pages import EXPORT, MENU, confirm, exported, preview, text_of, totals, written

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "'=1+1", "''+1", "'tis", "=HYPERLINK(\"http://x\")",
            ";=1", "a;=1", "a; '=1", "＝1", "＠SUM(A1)", "'＋1"]  # fmt: skip


def test_the_file_has_the_columns_of_an_item(manager, soup):
    MenuItem.objects.update(description="Beans; bread,\nand “kale”", image_url="https://x.example/1.jpg")
    response = manager.get(EXPORT)
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"].startswith('attachment; filename="menu-20')
    assert response.content.startswith(b"\xef\xbb\xbfid,name,")
    rows = exported(manager)
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
        "sold_out_until", "portions", "position", "vat_rate", "diet", "allergens", "cost", "options",
        "category_position", "category_weekdays", "category_hours", "category_station", "category_vat_rate",
    ]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "de", "pt-br"])
def test_the_file_is_the_same_in_every_language(manager, soup, written_in, language):
    written_in(language)
    make_item("Whole sturgeon", "1234.50", available=False)
    assert [(row["price"], row["available"]) for row in exported(manager)] == [("9.50", "yes"), ("1234.50", "no")]


def test_what_the_list_shows_is_in_the_file(manager, soup, bread):
    gone = make_item("Turbot", available=False)
    page = text_of(manager.get(MENU, {"available__exact": "0"}))
    assert f'href="{EXPORT}?available__exact=0"' in page
    assert [row["id"] for row in exported(manager, available__exact="0")] == [str(gone.pk)]
    assert [row["name"] for row in exported(manager, q="olive")] == [bread.name]
    assert [row["name"] for row in exported(manager)] == [bread.name, soup.name, gone.name]


@pytest.mark.parametrize("name", FORMULAS)
def test_no_name_is_a_formula_for_a_spreadsheet_and_it_comes_back_as_it_was(manager, name):
    item = make_item(name, category=name)
    rows = exported(manager)
    assert not rows[0]["name"].startswith(("=", "+", "-", "@"))
    shown = preview(manager, manager.get(EXPORT).content)
    assert totals(shown) == (0, 0, 1)
    rows[0]["price"] = "5"
    confirm(manager, preview(manager, written(rows)))
    item.refresh_from_db()
    assert (item.name, item.category, str(item.price)) == (name, name, "5.00")


def test_who_may_see_the_menu_may_have_it_as_a_file_and_nobody_else(soup, colleague, client):
    assert len(exported(with_permissions("view_menuitem"))) == 1
    assert colleague.get(EXPORT).status_code == 403
    assert client.get(EXPORT).status_code == 302  # to the sign-in


def test_a_filter_that_makes_no_sense_leads_back_to_the_list(manager, soup):
    assert manager.get(EXPORT, {"price__year": "soon"})["Location"] == f"{MENU}?e=1"
