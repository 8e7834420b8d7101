import pytest

from restaurant.models import MenuItem
from restaurant.ordering.services import orders
from restaurant.ordering.services.cart import Entry
from tests.conftest import make_item
from tests.restaurant.admin.pages import MENU, act, page_of, text_of, words_of


@pytest.fixture
def ordered(session, soup):
    entries = [Entry(str(soup.pk), 2)]
    orders.place(table_number=7, session_id=str(session.pk), entries=entries)
    return soup


def delete(row) -> str:
    return page_of(row).replace("change", "delete")


def test_an_ordered_item_can_not_be_deleted_and_its_page_says_what_to_do(managers_browser, owners_browser, ordered):
    for person in (managers_browser, owners_browser):
        page = text_of(person.get(page_of(ordered)))
        assert delete(ordered) not in page
        for response in (person.get(delete(ordered), follow=True), person.post(delete(ordered), {"post": "yes"})):
            assert response.status_code in {200, 302}
    assert "has been ordered and stays in the records" in words_of(managers_browser.get(delete(ordered), follow=True))
    assert MenuItem.objects.filter(pk=ordered.pk).exists()


def test_an_item_that_nobody_ordered_is_deleted(managers_browser, ordered, bread):
    assert "Are you sure" in words_of(managers_browser.get(delete(bread)))
    managers_browser.post(delete(bread), {"post": "yes"})
    assert list(MenuItem.objects.all()) == [ordered]


def test_of_several_those_are_deleted_that_nobody_ordered(managers_browser, ordered, bread):
    other = make_item("Turbot")
    page = words_of(act(managers_browser, MENU, "delete_selected", ordered, bread))
    assert "“Ribollita” has been ordered" in page
    assert "Sourdough" in page
    assert MenuItem.objects.count() == 3
    data = {"action": "delete_selected", "_selected_action": [str(bread.pk)], "post": "yes"}
    managers_browser.post(MENU, data)
    assert set(MenuItem.objects.all()) == {ordered, other}


def test_if_all_of_them_were_ordered_none_is_deleted(managers_browser, ordered):
    assert "To take it off the menu, make it unavailable." in words_of(
        act(managers_browser, MENU, "delete_selected", ordered)
    )
    assert MenuItem.objects.count() == 1


def test_a_table_that_had_guests_can_not_be_deleted(managers_browser, table, session):
    assert delete(table) not in text_of(managers_browser.get(page_of(table)))
    assert "has had guests" in words_of(managers_browser.post(delete(table), {"post": "yes"}, follow=True))
    session.delete()
    assert managers_browser.post(delete(table), {"post": "yes"}).status_code == 302
    assert type(table).objects.count() == 0
