"""The page on which staff take orders for guests, without JavaScript: `/floor/tables/{n}/order`."""

from decimal import Decimal

import pytest

from restaurant.menu.services import menu
from restaurant.models import MenuItem, Order, TableSession
from tests.conftest import PAGE, make_item, make_table, make_user, own_queries
from tests.reading import read
from tests.restaurant.ordering.forms import form_of
from tests.restaurant.ordering.orders_taken_by_staff.taking import ORDER, entries, open_page, place, send

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]


def test_opening_the_page_opens_no_session_and_counts_no_scan(waiter, floor, table, soup):
    for address in ("/floor/tables/7/order", "/table/7"):
        assert waiter.get(address).status_code == 200
        assert floor.get(address).status_code == 200
    assert not TableSession.objects.exists()
    session = TableSession.objects.create(table=table)
    assert floor.get("/floor/tables/7/order").json()["session"]["id"] == str(session.pk)
    assert floor.get("/table/7").json()["session"]["id"] == str(session.pk)
    waiter.get("/floor/tables/7/order")
    waiter.get("/table/7")
    session.refresh_from_db()
    assert session.total_scans == 1


def test_its_json_is_the_table_and_the_menu(floor, table, soup):
    MenuItem.objects.filter(pk=make_item("Gone", "1").pk).update(available=False)
    found = floor.get("/floor/tables/7/order").json()
    assert (found["table"], found["session"]) == ({"number": 7, "section": "Window"}, None)
    assert [item["name"] for items in found["menu"].values() for item in items] == ["Ribollita"]


def test_the_page_is_for_the_floor(api, cashier, floor, table):
    assert api.get("/floor/tables/7/order").status_code == 401
    assert cashier.get("/floor/tables/7/order").status_code == 403
    assert floor.get("/floor/tables/8/order").status_code == 404
    response = api.get("/floor/tables/7/order", headers={"accept": PAGE})
    assert response["Location"] == "/sign-in?next=%2Ffloor%2Ftables%2F7%2Forder"


def test_a_waiter_orders_without_javascript(waiter, soup, bread):
    page = open_page(waiter)
    response = send(waiter, page, **{f"quantity-{soup.pk}": "2", f"note-{soup.pk}": " No salt\r\nplease "})
    assert (response.status_code, response["Location"]) == (303, "/floor/tables/7")
    order = Order.objects.get()
    (item,) = order.items.all()
    assert (item.menu_item, item.quantity, item.special_instructions) == (soup, 2, "No salt\nplease")
    assert (order.placed_by, order.session.total_scans) == ("flora", 0)


def test_a_double_tap_is_one_order(waiter, soup):
    page = open_page(waiter)
    for _ in range(2):
        assert send(waiter, page, **{f"quantity-{soup.pk}": "1"}).status_code == 303
    assert (Order.objects.count(), TableSession.objects.count()) == (1, 1)


def test_an_order_of_nothing_is_asked_for_again(waiter, soup):
    response = send(waiter, open_page(waiter))
    assert (response.status_code, "An order needs at least one item." in read(response)) == (400, True)


def test_a_quantity_that_is_none_is_shown_as_it_was_entered(subtests, waiter, soup, bread):
    for quantity in ["100", "-1", "two", "1.5"]:
        with subtests.test(quantity=quantity):
            fields = {f"quantity-{soup.pk}": quantity, f"quantity-{bread.pk}": "3"}
            response = send(waiter, open_page(waiter), **fields)
            page = read(response)
            assert response.status_code == 400
            assert "A whole number from 1 to 99 is needed." in page
            assert [page.field(f"quantity-{item.pk}")["value"] for item in (soup, bread)] == [quantity, "3"]


def test_what_has_sold_out_in_between_is_named_and_the_rest_is_kept(waiter, soup, bread):
    page = open_page(waiter)
    with menu.changing():
        MenuItem.objects.filter(pk=soup.pk).update(available=False)
    fields = {f"quantity-{soup.pk}": "2", f"quantity-{bread.pk}": "3", f"note-{bread.pk}": "Warm <b>"}
    response = send(waiter, page, **fields)
    page = read(response)
    assert response.status_code == 400
    assert "Ribollita has just sold out. Nothing was sent yet." in page
    entered = form_of(page, ORDER).fields()
    assert f"quantity-{soup.pk}" not in entered
    assert (entered[f"quantity-{bread.pk}"], entered[f"note-{bread.pk}"]) == ("3", "Warm <b>")
    assert "taken off this order: Ribollita." in page
    assert not TableSession.objects.exists()
    fields = {f"quantity-{bread.pk}": "3"}
    assert send(waiter, page, **fields).status_code == 303
    assert Order.objects.get().total == Decimal("12.75")


def test_a_table_closed_in_between_needs_a_second_tap(waiter, floor, session, bread):
    page = open_page(waiter)
    floor.post("/table/7/close", {"sessionId": str(session.pk)}, format="json")
    fields = {f"quantity-{bread.pk}": "3"}
    response = send(waiter, page, **fields)
    page = read(response)
    assert response.status_code == 409
    assert "This table was closed meanwhile" in page
    assert "sessionId" not in form_of(page, ORDER).fields()
    assert send(waiter, page, **fields).status_code == 303
    assert Order.objects.get().session != session


def test_a_party_moved_in_between_gets_its_order(waiter, floor, session, bread):
    make_table(8, "")
    page = open_page(waiter)
    floor.post("/table/7/move", {"sessionId": str(session.pk), "to": 8}, format="json")
    response = send(waiter, page, **{f"quantity-{bread.pk}": "1"})
    assert response["Location"] == "/floor/tables/8"
    assert Order.objects.get().session == session


def test_a_form_of_somebody_who_was_signed_out_is_refused(waiter, session, bread):
    page = open_page(waiter)
    waiter.logout()
    assert send(waiter, page, **{f"quantity-{bread.pk}": "1"}).status_code == 401
    waiter.force_login(make_user("Cashiers"))
    assert send(waiter, page, **{f"quantity-{bread.pk}": "1"}).status_code == 403
    assert not Order.objects.exists()


def test_what_is_sold_out_is_named_in_its_category_and_can_not_be_ordered(waiter, soup):
    off = make_item("Rhubarb Fool", category=soup.category, available=False)
    menu.count_portions(item_id=str(soup.pk), portions=12)
    MenuItem.objects.update(portions=11)  # one was ordered: the menu is as it was
    page = open_page(waiter)
    section = page.one("section", soup.category)
    gone = next(item for item in section.all("item") if "Rhubarb Fool" in item)
    assert ("Sold out" in gone, gone.all("field"), gone.all("button")) == (True, [], [])
    assert f"quantity-{off.pk}" not in form_of(page, ORDER).fields()
    assert "€9.50 · 11 left" in section


def test_the_page_takes_few_queries_whatever_the_menu_s_size(floor, session):
    for size in (1, 100):
        for number in range(size):
            make_item(f"Dish {size} {number}", category=f"Category {number % 9}")
        for accept in (PAGE, "application/json"):
            with own_queries() as own:
                assert floor.get("/floor/tables/7/order", headers={"accept": accept}).status_code == 200
            assert len(own) <= 7 + (accept == PAGE), own  # and what needs attention, in the header


def test_what_the_table_has_had_is_marked_without_what_was_cancelled(waiter, floor, soup):
    had, cancelled = make_item("Spritz", category="Drinks"), make_item("Shrub", category="Drinks")
    place(floor, **entries((had, 1)))
    order_id = place(floor, **entries((cancelled, 1))).json()["orderId"]
    floor.post(f"/orders/{order_id}/cancel", {"reason": "mistake"}, format="json")
    marked = [item["data-item"] for item in open_page(waiter).all("item") if item.get("data-had") is not None]
    assert marked == [str(had.pk)]


def test_a_menu_without_dishes_has_no_form(waiter):
    page = open_page(waiter)
    assert "nothing on the menu" in page
    assert not [form for form in page.all("form") if form.get("action") == ORDER]
