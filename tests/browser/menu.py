"""The menu under a finger."""

from playwright.sync_api import Page


def add(phone: Page, *names: str) -> None:
    """Dishes of the menu, each by its button.

    In sight first: what is far from the window is laid out when it comes near, and may move what stands below it while
    the page is scrolled. A tap waits until its button stands still, but scrolls after that.
    """
    for name in names:
        dish = phone.locator(".item", has=phone.locator(".item-name").get_by_text(name, exact=True))
        dish.scroll_into_view_if_needed()
        count = dish.locator(".adder-open")
        if count.is_visible():  # on its picture, until it is opened
            count.tap()
        phone.get_by_role("button", name=f"Add {name}").tap()
