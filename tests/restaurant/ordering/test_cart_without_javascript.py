"""The cart, and placing an order, through forms alone."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from restaurant.models import CartLine, Order, TableSession
from restaurant.ordering.views.orders import PlaceOrder
from tests.conftest import PAGE, make_table
from tests.restaurant.ordering.phones import Phone

pytestmark = pytest.mark.django_db

YOUR_TABLES_ORDERS = "Your table's orders"


@pytest.fixture
def phone(browser_client, table) -> Phone:
    return Phone(browser_client)


def test_add_puts_an_item_into_the_cart_and_stays_on_the_menu(phone, soup):
    phone.open("/table/7").post("/table/7/cart", add=str(soup.pk))
    assert "1 item" in phone.page
    assert f'id="item-{soup.pk}"' in phone.response.content.decode()  # where the address leads
    phone.post("/table/7/cart", add=str(soup.pk))
    assert "2 items" in phone.page
    assert "€19.00" in phone.page
    assert TableSession.objects.get().total_scans == 2  # the two opens of the menu, and no tap


def test_the_buttons_of_the_cart_change_it_and_keep_its_notes(phone, soup, bread):
    phone.open("/table/7")
    for item in (soup, bread):
        phone.post("/table/7/cart", add=str(item.pk))
    phone.open("/table/7/cart")
    form = phone.form() | {"specialInstructions": ["no salt", ""]}
    phone.post("/table/7/cart", **form, more=str(soup.pk))
    form = phone.form()
    assert (form["quantity"], form["specialInstructions"]) == (["2", "1"], ["no salt", ""])
    # One fewer than one removes it, and says so.
    fewer = [button.name for button in phone.page.all("button") if button.get("name") == "fewer"]
    assert fewer == ["One fewer", f"Remove {bread.name}"]
    phone.post("/table/7/cart", **form, fewer=str(bread.pk))
    assert phone.form()["menuItemId"] == [str(soup.pk)]
    phone.post("/table/7/cart", **phone.form(), remove=str(soup.pk))
    assert "Your order is empty" in phone.page


def test_place_order_orders_what_the_form_shows_and_empties_the_cart(phone, soup):
    phone.open("/table/7").post("/table/7/cart", add=str(soup.pk)).open("/table/7/cart")
    form = phone.form() | {"quantity": ["3"], "specialInstructions": ["very hot"]}
    phone.post("/table/7/order", **form)
    assert "Order received" in phone.page
    item = Order.objects.get().items.get()
    assert (item.quantity, item.special_instructions) == (3, "very hot")
    assert not CartLine.objects.exists()


def test_a_double_tap_is_one_order_and_both_lead_to_it(phone, soup, browser_client):
    phone.open("/table/7").post("/table/7/cart", add=str(soup.pk)).open("/table/7/cart")
    form = phone.form()
    responses = [browser_client.post("/table/7/order", form) for _ in range(2)]
    assert [response.status_code for response in responses] == [303, 303]
    assert responses[0]["Location"] == responses[1]["Location"] == f"/orders/{Order.objects.get().pk}"


def test_a_refused_order_shows_the_cart_again_with_what_was_entered(phone, soup, bread):
    phone.open("/table/7")
    for item in (soup, bread):
        phone.post("/table/7/cart", add=str(item.pk))
    phone.open("/table/7/cart")
    form = phone.form() | {"quantity": ["4", "1"], "specialInstructions": ["for the child", ""]}
    soup.available = False
    soup.save()
    phone.post("/table/7/order", **form)
    assert phone.response.status_code == 409
    assert "The menu has changed" in phone.page
    assert "Just sold out" in phone.page
    assert "Order for €4.25" in phone.page
    assert (phone.form()["quantity"], phone.form()["menuItemId"]) == (["1"], [str(bread.pk)])
    assert not Order.objects.exists()


def test_showing_a_refused_order_writes_nothing(phone, soup, monkeypatch):
    phone.open("/table/7").post("/table/7/cart", add=str(soup.pk)).open("/table/7/cart")
    error_page, statements = PlaceOrder.error_page, []

    def watched(*arguments):
        with CaptureQueriesContext(connection) as queries:
            page = error_page(*arguments)
        statements.extend(each["sql"] for each in queries)
        return page

    monkeypatch.setattr(PlaceOrder, "error_page", watched)
    phone.send("/table/7/order", quantity=["0"])
    assert phone.response.status_code == 400
    assert statements
    assert all(each.startswith("SELECT") and "FOR " not in each for each in statements)


def test_a_price_that_changed_is_shown_for_a_yes_or_no(phone, soup, bread):
    phone.open("/table/7")
    for item in (soup, bread):
        phone.post("/table/7/cart", add=str(item.pk))
    phone.open("/table/7/cart")
    form = phone.form() | {"quantity": ["3", "1"], "specialInstructions": ["for the child", ""]}
    soup.price = Decimal("11.00")
    soup.save()
    phone.post("/table/7/order", **form)
    assert phone.response.status_code == 409
    assert "New price: €11.00 (was €9.50)" in phone.page
    assert "for the child" in phone.page
    assert "Order for €37.25" in phone.page
    assert not Order.objects.exists()
    phone.send("/table/7/order")
    assert Order.objects.get().total == Decimal("37.25")


def test_a_quantity_changed_on_the_page_is_no_change_of_the_menu(phone, soup):
    phone.open("/table/7").post("/table/7/cart", add=str(soup.pk)).open("/table/7/cart")
    phone.send("/table/7/order", quantity=["4"])
    assert Order.objects.get().total == Decimal("38.00")


def test_a_quantity_that_is_none_shows_the_cart_again(phone, soup):
    phone.open("/table/7").post("/table/7/cart", add=str(soup.pk)).open("/table/7/cart")
    phone.send("/table/7/order", quantity=["0"])
    assert phone.response.status_code == 400
    assert not Order.objects.exists()


def test_after_the_session_has_ended_the_cart_asks_to_scan_again(phone, soup):
    phone.open("/table/7").post("/table/7/cart", add=str(soup.pk)).open("/table/7/cart")
    form = phone.form()
    TableSession.objects.update(ended_at=timezone.now())
    phone.post("/table/7/order", **form)
    assert phone.response.status_code == 409
    assert "scan" in phone.page
    phone.open("/table/7/cart")
    assert "scan the code on the table again" in phone.page
    assert not Order.objects.exists()


def test_a_cart_without_a_scan_is_404(api, browser_client, table):
    assert api.get("/table/7/cart").status_code == 404
    response = browser_client.get("/table/7/cart", headers={"accept": PAGE})
    assert response.status_code == 404
    assert "scan the code" in response.content.decode()


def test_line_breaks_of_a_form_count_as_one_character(phone, soup):
    phone.open("/table/7").post("/table/7/cart", add=str(soup.pk)).open("/table/7/cart")
    note = "\r\n".join("x" * 250)  # 499 characters as people count
    phone.send("/table/7/order", specialInstructions=[note])
    assert "Order received" in phone.page
    assert Order.objects.get().items.get().special_instructions == note.replace("\r\n", "\n")


def test_the_cart_leads_back_to_what_the_table_has_ordered(phone, soup):
    phone.open("/table/7").post("/table/7/cart", add=str(soup.pk)).open("/table/7/cart")
    assert YOUR_TABLES_ORDERS not in phone.page
    phone.send("/table/7/order")
    phone.open("/table/7/cart")
    assert f"/orders/{Order.objects.get().pk}" in dict(map(reversed, phone.page.links()))
    menu = phone.open("/table/7?from=cart").page
    assert menu.one("link", "Orders of your table: 1")["href"] == "/table/7/cart#ordered"


def test_the_next_party_sees_nothing_that_the_last_one_ordered(phone, soup):
    phone.open("/table/7").post("/table/7/cart", add=str(soup.pk)).open("/table/7/cart")
    phone.send("/table/7/order")
    TableSession.objects.update(ended_at=timezone.now())
    assert YOUR_TABLES_ORDERS not in phone.open("/table/7").page
    assert YOUR_TABLES_ORDERS not in phone.open("/table/7/cart").page


def test_a_content_type_in_capitals_is_no_way_around_it(browser_client, table, soup):
    browser_client.get("/table/7")
    response = browser_client.generic(
        "POST",
        "/table/7/cart",
        f"add={soup.pk}",
        content_type="Application/X-WWW-Form-Urlencoded",
        headers={"sec-fetch-site": "cross-site"},
    )
    assert response.status_code == 403
    assert not CartLine.objects.exists()


def test_broken_json_from_a_browser_is_a_page_and_no_failure(client, session, soup):
    response = client.post("/table/7/order", "{", content_type="application/json", headers={"accept": PAGE})
    assert response.status_code == 400


def test_the_same_again_fills_the_cart_with_what_is_available(phone, soup, bread):
    phone.open("/table/7")
    for item in (soup, bread):
        phone.post("/table/7/cart", add=str(item.pk))
    phone.open("/table/7/cart").send("/table/7/order")
    first = Order.objects.get()
    assert YOUR_TABLES_ORDERS not in phone.page  # the page shows the only one
    bread.available = False
    bread.save()
    phone.post("/table/7/cart", again=str(first.pk))
    assert (phone.form()["menuItemId"], phone.form()["quantity"]) == ([str(soup.pk)], ["1"])
    phone.send("/table/7/order")
    assert YOUR_TABLES_ORDERS in phone.page
    assert "Total" in phone.page
    assert "€23.25" in phone.page


def test_an_order_of_another_table_is_not_ordered_again(phone, soup):
    other = TableSession.objects.create(table=make_table(8))
    order = Order.objects.create(table=other.table, session=other, total=1)
    phone.open("/table/7").post("/table/7/cart", again=str(order.pk))
    assert phone.response.status_code == 404
    assert not CartLine.objects.exists()


def test_after_closing_the_order_can_not_be_ordered_again_and_the_page_says_why(phone, soup):
    phone.open("/table/7").post("/table/7/cart", add=str(soup.pk)).open("/table/7/cart")
    phone.send("/table/7/order")
    order = Order.objects.get()
    Order.objects.update(status="served")
    assert "Order the same again" in phone.open(f"/orders/{order.pk}").page
    TableSession.objects.update(ended_at=timezone.now())
    phone.post("/table/7/cart", again=str(order.pk))
    assert phone.response.status_code == 409
    assert "scan the code on the table again" in phone.page
    assert f"/orders/{order.pk}" in dict(map(reversed, phone.page.links()))
    phone.open(f"/orders/{order.pk}")
    assert "scan the code on the table again" in phone.page
    assert "the same again" not in phone.page
    assert "/table/7?from=cart" not in dict(map(reversed, phone.page.links()))
    assert not CartLine.objects.exists()


def test_a_dish_that_has_just_sold_out_is_refused_on_the_cart_page_without_its_id(phone, soup):
    soup.available = False
    soup.save()
    phone.post("/table/7/cart", add=str(soup.pk))
    assert phone.response.status_code == 400
    assert "has just sold out" in phone.page
    assert "See the menu" in phone.page
    assert str(soup.pk) not in phone.response.content.decode()


def title_of(phone) -> str:
    return " ".join(phone.page.element.findtext(".//title").split())


def test_the_title_of_an_order_s_page_begins_with_its_status(phone, soup):
    phone.open("/table/7").post("/table/7/cart", add=str(soup.pk)).open("/table/7/cart")
    phone.send("/table/7/order")
    assert title_of(phone).startswith("Order received · Table 7 ·")
    Order.objects.update(status="ready")
    phone.open(f"/orders/{Order.objects.get().pk}")
    assert title_of(phone).startswith("Ready · Table 7 ·")


def test_a_cart_that_was_ordered_on_another_page_is_neither_ordered_nor_filled_again(subtests, phone, soup):
    phone.post("/table/7/cart", add=str(soup.pk))
    other = phone.open("/table/7/cart").form()
    phone.open("/table/7/cart").send("/table/7/order")
    for button in ("", "more", "addBeside"):
        with subtests.test(button=button):
            address = "/table/7/cart" if button else "/table/7/order"
            phone.post(address, **other, **({button: str(soup.pk)} if button else {}))
            assert phone.response.status_code == 409
            assert "changed or sent from another page of this phone" in phone.page
            assert "Your order is empty" in phone.page
            assert (Order.objects.count(), CartLine.objects.count()) == (1, 0)


def test_a_cart_that_was_changed_on_another_page_is_shown_as_it_is_and_ordered_from_there(phone, soup, bread):
    phone.post("/table/7/cart", add=str(soup.pk))
    old = phone.open("/table/7/cart").form()
    phone.post("/table/7/cart", add=str(bread.pk))
    phone.post("/table/7/order", **old)
    assert phone.response.status_code == 409
    assert phone.form()["menuItemId"] == [str(soup.pk), str(bread.pk)]
    again = phone.form()
    phone.post("/table/7/order", **again)
    order = Order.objects.get()
    assert order.items.count() == 2
    phone.post("/table/7/order", **again)  # a repeat with its key
    assert phone.response.request["PATH_INFO"] == f"/orders/{order.pk}"
