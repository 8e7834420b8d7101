"""Staff take an order and a payment on a phone, over a network that loses the first response."""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, Route, expect, sync_playwright

from restaurant.models import Order, OrderItem, Payment
from tests.browser.conftest import CHROMIUM
from tests.conftest import make_item, make_table, make_user
from tests.restaurant.menus import make_burger
from tests.servers import http_server

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@contextmanager
def staff_phone(port: int, cookie: str) -> Iterator[Page]:
    """Narrow, and signed in. The database can't be read while it is open: Playwright runs an event loop."""
    base = f"http://127.0.0.1:{port}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(base_url=base, viewport={"width": 320, "height": 640})
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": base}])
        context.set_default_timeout(30_000)
        yield context.new_page()
        browser.close()


def check(page: Page) -> None:
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}).response
    assert [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def send_twice(page: Page, address: str, button: str, message: str) -> None:
    """Press the button; the response is lost on its way; press it again."""

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(address, lose)
    page.click(button)
    page.locator(message).get_by_text("Tap again").wait_for()
    page.unroute(address)
    page.click(button)


def choose_variants(page: Page) -> None:
    """Two burgers that differ. What must be chosen is asked for before the order is sent."""
    page.fill("#search-field", "burger")
    burger = page.locator(".dish:visible")
    burger.locator(".add").click()
    page.click("#send")
    page.locator("#message").get_by_text("Please choose “How done?” for Burger.").wait_for()
    burger.get_by_label("Rare").check()
    burger.get_by_label("Cheese").check()
    burger.locator(".variant-done:visible").click()
    burger.locator(".add").click()
    burger.locator(".variant").nth(1).get_by_label("Well done").check()


def test_an_order_and_its_payment_are_sent_once_whatever_the_network_loses():
    make_table()
    make_item("Ribollita", "9.50")
    make_item("Crème brûlée", "6.00", category="Sweets")
    make_burger()
    client = Client()
    client.force_login(make_user("Managers"))
    with http_server() as port, staff_phone(port, client.cookies[settings.SESSION_COOKIE_NAME].value) as page:
        page.goto("/floor/tables/7/order")
        page.fill("#search-field", "creme")
        assert page.locator(".dish:visible").count() == 1
        for _ in range(2):
            page.locator(".dish:visible .add").click()
        page.locator("#sum-open").click()
        page.locator(".running-what").click()
        page.locator(".running-note").click()
        page.keyboard.type("Without mint")
        page.locator("#sum-open").click()
        assert page.inner_text("#total") == "€12.00"
        choose_variants(page)
        assert page.inner_text("#total") == "€42.50"
        check(page)
        send_twice(page, "**/table/7/order", "#send", "#message")
        page.wait_for_url("**/floor/tables/7")
        assert page.locator(".chosen-options").all_inner_texts() == ["Rare, Cheese (+€1.50)", "Well done"]

        page.goto("/table/7/bill")
        page.locator("#more").click()
        assert page.inner_text("#shares span") == "2 people pay €21.25 each"
        page.locator(".take-share").click()
        page.get_by_label("Card").check()
        check(page)
        send_twice(page, "**/table/7/payments", "#pay-form button", "#unsure")
        page.get_by_text("€21.25 is still due.").wait_for()
        check(page)
    order = Order.objects.get()
    assert [(item.name, item.quantity, item.special_instructions) for item in order.items.all()] == [
        ("Crème brûlée", 2, "Without mint"),
        ("Burger", 1, ""),
        ("Burger", 1, ""),
    ]
    payment = Payment.objects.get()
    assert (payment.method, payment.amount, payment.session_id) == ("card", Decimal("21.25"), order.session_id)


# Of the figure alone: what comes after it in its cell is the letter of its tax rate.
ENDS = """(cells) => cells.map((cell) => {
    const figure = document.createRange();
    figure.selectNodeContents(cell.firstChild);
    return Math.round(figure.getBoundingClientRect().right);
})"""


def test_all_figures_of_a_bill_on_a_sheet_end_at_one_edge():
    make_table()
    dishes = [make_item("Ribollita", "109.50"), make_item("House white", "6.00")]
    client = Client()
    client.force_login(make_user("Managers"))
    body = {"items": [{"menuItemId": str(dish.pk), "quantity": 1} for dish in dishes]}
    assert client.post("/table/7/order", body, content_type="application/json").status_code == 200
    for dish, rate in zip(dishes, ("13.5", "23"), strict=True):
        OrderItem.objects.filter(menu_item=dish).update(vat_rate=Decimal(rate))
    with http_server() as port, staff_phone(port, client.cookies[settings.SESSION_COOKIE_NAME].value) as page:
        page.set_viewport_size({"width": 800, "height": 1000})
        page.emulate_media(media="print")
        page.goto("/table/7/bill?paper=a4")
        letters = page.locator(".bill-rate")
        assert letters.all_inner_texts() == ["A", "B"]
        assert len({box["x"] for each in letters.all() if (box := each.bounding_box())}) == 1
        figures = page.locator(".bill-lines td:last-child, .bill-sums dd, .bill-taxes td:last-child")
        ends = figures.evaluate_all(ENDS)
        assert len(ends) == 6
        assert max(ends) - min(ends) <= 1
        # On a phone, the letters go with the table that explains them.
        page.emulate_media(media="screen")
        page.set_viewport_size({"width": 360, "height": 740})
        expect(letters.first).to_be_visible()
        page.get_by_text("VAT included: €").click()
        expect(letters.first).to_be_hidden()
