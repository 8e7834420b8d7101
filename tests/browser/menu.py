"""The menu under a finger, and the way from it to an order."""

import re

from playwright.sync_api import Locator, Page

ORDER = re.compile(r"/orders/([0-9a-f-]{36})$")


def dish(phone: Page, name: str) -> Locator:
    """A dish of the menu in its category."""
    return phone.get_by_role("listitem").filter(has=phone.get_by_role("heading", name=name, exact=True))


def add(phone: Page, *names: str) -> None:
    """Dishes of the menu, each by its button.

    In sight first: what is far from the window is laid out when it comes near, and may move what stands below it while
    the page is scrolled. A tap waits until its button stands still, but scrolls after that.
    """
    for name in names:
        place = dish(phone, name)
        place.scroll_into_view_if_needed()
        count = place.get_by_role("button", name=re.compile(rf"× {re.escape(name)} in your order$"))
        if count.is_visible():  # on its picture, until it is opened
            count.tap()
        place.get_by_role("button", name=f"Add {name}", exact=True).tap()


def open_cart(phone: Page) -> None:
    """Its scripts run by then, and its requests can be caught."""
    phone.locator("#cart-bar").tap()
    phone.wait_for_url("**/cart", wait_until="load")


def place_order(phone: Page) -> str:
    """Its id, once its page has loaded."""
    phone.get_by_role("button", name="Place order").tap()
    phone.wait_for_url(ORDER)
    return order_id(phone)


def order(phone: Page, *names: str) -> str:
    """These dishes of the menu that is open; the order's id."""
    add(phone, *names)
    open_cart(phone)
    return place_order(phone)


def order_id(phone: Page) -> str:
    return ORDER.search(phone.url)[1]


def stored(phone: Page, table: int) -> list[tuple[str, int, str]]:
    """The cart as the server has it."""
    read = "(address) => fetch(address, {headers: {Accept: 'application/json'}}).then((each) => each.json())"
    lines = phone.evaluate(read, f"/table/{table}/cart")["items"]
    return [(line["name"], line["quantity"], line["specialInstructions"]) for line in lines]
