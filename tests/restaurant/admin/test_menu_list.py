import re

from django.contrib.admin.models import LogEntry
from django.test import Client

from restaurant.models import MenuItem
from restaurant.ordering.services import orders
from restaurant.ordering.services.cart import Entry
from tests.conftest import make_item
from tests.reading import read
from tests.restaurant.admin.pages import (
    MENU,
    act,
    form_of,
    found,
    page_of,
    switch_of,
    with_permissions,
    words_of,
)

# --- one click ------------------------------------------------------------------------------------


def test_one_click_makes_an_item_sold_out_and_another_available_again(managers_browser, soup, bread, table, api):
    for available in (False, True):
        address, sent = switch_of(managers_browser, soup)
        assert managers_browser.post(address, sent).status_code == 303
        soup.refresh_from_db()
        assert soup.available is available
        assert ("Soups" in api.get("/table/7").json()["menu"]) is available
    assert [each.change_message for each in LogEntry.objects.order_by("pk")] == ["Sold out.", "Available again."]


def test_a_click_leads_back_to_the_page_of_the_list_where_it_was_made(managers_browser, soup):
    address, sent = switch_of(managers_browser, soup, category="Soups", q="ribollita")
    come_from = {"referer": f"http://testserver{MENU}?category=Soups&q=ribollita"}
    assert managers_browser.post(address, sent, headers=come_from)["Location"] == f"{MENU}?category=Soups&q=ribollita"
    come_from = {"referer": "https://example.org/?category=Soups"}
    assert managers_browser.post(address, sent, headers=come_from)["Location"] == MENU


def test_two_clicks_on_one_old_page_do_what_one_does(managers_browser, soup):
    address, sent = switch_of(managers_browser, soup)
    managers_browser.post(address, sent)
    managers_browser.post(address, sent)
    soup.refresh_from_db()
    assert not soup.available
    assert LogEntry.objects.count() == 1


def test_a_script_is_answered_with_the_new_button(managers_browser, soup):
    address, sent = switch_of(managers_browser, soup)
    data = managers_browser.post(address, sent, headers={"accept": "application/json"}).json()
    assert data["available"] is False
    assert "Sold out" in data["button"]
    assert 'value="yes"' in data["button"]


def test_a_click_needs_the_forms_csrf_token(managers_browser, soup):
    address, sent = switch_of(managers_browser, soup)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = managers_browser.cookies
    assert strict.post(address, sent).status_code == 403
    assert managers_browser.get(address).status_code == 303  # a link changes nothing
    soup.refresh_from_db()
    assert soup.available


def test_a_click_on_an_item_that_is_gone_says_so(managers_browser, soup):
    address, sent = switch_of(managers_browser, soup)
    soup.delete()
    assert "no longer on the menu" in words_of(managers_browser.post(address, sent, follow=True))


def test_who_may_only_look_gets_no_button_and_can_not_click(soup, bread):
    looker = with_permissions("view_menuitem")
    page = read(looker.get(MENU))
    assert "Ribollita" in page
    assert page.all("button", re.compile("Ribollita: ")) == []
    assert looker.post(f"{MENU}{soup.pk}/availability/", {"available": "no"}).status_code == 403
    soup.refresh_from_db()
    assert soup.available


def test_several_are_sold_out_at_once(managers_browser, soup, bread):
    other = make_item("Minestrone", available=False)
    assert "2 items are now sold out" in words_of(act(managers_browser, MENU, "mark_sold_out", soup, bread, other))
    assert not MenuItem.objects.filter(available=True).exists()
    assert "2 items are available again" in words_of(act(managers_browser, MENU, "mark_available", soup, bread))
    assert list(MenuItem.objects.filter(available=False)) == [other]


# --- edited in the list ---------------------------------------------------------------------------


def test_price_and_position_are_edited_in_the_list(managers_browser, soup):
    before = f"€{soup.price}"
    sent = form_of(managers_browser, MENU) | {"form-0-price": "10.25", "form-0-position": "3", "_save": "Save"}
    assert "1 menu item was changed" in words_of(managers_browser.post(MENU, sent, follow=True))
    soup.refresh_from_db()
    assert (str(soup.price), soup.position) == ("10.25", 3)
    told = LogEntry.objects.get(object_id=str(soup.pk)).get_change_message()
    assert told == f"Changed price from {before} to €10.25 and Position."


def test_an_old_list_does_not_undo_what_was_changed_since(managers_browser, soup, bread):
    sent = form_of(managers_browser, MENU)  # bread, then soup
    MenuItem.objects.filter(pk=soup.pk).update(price="11.00", available=False)
    managers_browser.post(MENU, sent | {"form-0-price": "5.00", "form-1-position": "2", "_save": "Save"})
    soup.refresh_from_db()
    bread.refresh_from_db()
    assert (str(soup.price), soup.available, soup.position) == ("11.00", False, 2)
    assert str(bread.price) == "5.00"


def test_an_old_page_does_not_put_what_sold_out_since_back_on_the_menu(managers_browser, soup):
    sent = form_of(managers_browser, page_of(soup))
    MenuItem.objects.filter(pk=soup.pk).update(available=False)
    assert managers_browser.post(page_of(soup), sent | {"description": "With kale."}).status_code == 302
    soup.refresh_from_db()
    assert (soup.description, soup.available) == ("With kale.", False)


def test_a_price_that_is_none_is_refused_and_the_rest_of_what_was_entered_stays(managers_browser, soup):
    entered = form_of(managers_browser, MENU) | {"form-0-position": "4", "_save": "Save"}
    for price in ("-1", "x", "", "100000000"):
        page = read(managers_browser.post(MENU, entered | {"form-0-price": price}))
        assert "Please correct the error below." in page, price
        assert page.field("form-0-position")["value"] == "4", price
    soup.refresh_from_db()
    assert str(soup.price) == "9.50"


# --- found and ordered ----------------------------------------------------------------------------


def test_items_stand_as_on_the_guests_menu(managers_browser, table, api):
    for name, category in [("Tea", ""), ("Water", "Zero"), ("Soup", "Mains"), ("Bread", "Mains"), ("Jam", "olives")]:
        make_item(name, category=category)
    menu = api.get("/table/7").json()["menu"]
    assert [item.name for item in found(managers_browser, MENU)] == [
        item["name"] for items in menu.values() for item in items
    ]
    assert [item.name for item in found(managers_browser, MENU)] == ["Bread", "Soup", "Tea", "Water", "Jam"]


def test_what_has_no_category_is_shown_and_found_as_other(managers_browser, soup):
    tea = make_item("Tea", category="")
    assert read(managers_browser.get(MENU)).one("link", "Other")["href"] == "?category="
    assert found(managers_browser, MENU, category="") == [tea]
    assert found(managers_browser, MENU, category="Soups") == [soup]


def test_items_are_found_by_availability_and_by_words(managers_browser, soup, bread):
    gone = make_item("Turbot", available=False, description="Whole fish")
    assert found(managers_browser, MENU, available__exact="0") == [gone]
    assert found(managers_browser, MENU, q="FISH") == [gone]
    assert found(managers_browser, MENU, q="oliv") == [bread]


def test_who_may_only_look_reads_that_there_is_no_picture(soup):
    words = words_of(with_permissions("view_menuitem").get(page_of(soup)))
    assert "Picture Now: none yet" in words
    assert "Picture from another website" not in words
    assert "Choose a picture" not in words


def test_the_picture_is_shown_on_the_items_page(managers_browser, soup):
    words = words_of(managers_browser.get(page_of(soup)))
    assert "Choose a picture" in words
    assert "Remove this picture" not in words
    MenuItem.objects.update(image_url='https://pictures.example/a"b.jpg')
    page = read(managers_browser.get(page_of(soup)))
    assert 'https://pictures.example/a"b.jpg' in [each["src"] for each in page.all("image")]


def test_what_was_sold_lately_is_told_to_who_may_read_reports(managers_browser, session, soup):
    orders.place(table_number=7, session_id=str(session.pk), entries=[Entry(str(soup.pk), 3, "")])
    heads, dish = read(managers_browser.get(MENU)).all("table")[-1].rows()
    assert dish[heads.index("Sold, 30 days")] == "3"
    assert "Sold, 30 days" not in words_of(with_permissions("view_menuitem").get(MENU))
