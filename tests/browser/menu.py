"""The menu under a finger."""

from playwright.sync_api import Page


def add(phone: Page, *names: str) -> None:
    """Dishes of the menu, each by its button.

    In sight first: what is far from the window is laid out when it comes near, and may move what stands below it while
    the page is scrolled. A tap waits until its button stands still, but scrolls after that.
    """
    for name in names:
        button = phone.get_by_role("button", name=f"Add {name}")
        button.scroll_into_view_if_needed()
        button.tap()
