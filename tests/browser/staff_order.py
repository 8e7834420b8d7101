"""The page on which staff take an order, as its tests read it."""

from playwright.sync_api import Locator, Page

NAMES = "(all) => all.map((each) => each.querySelector('.dish-name').textContent)"


def dish(page: Page, name: str) -> Locator:
    """Its tile, in its category."""
    found = page.locator(".dish").filter(has=page.locator(".dish-name").get_by_text(name, exact=True))
    category = found.evaluate("(each) => each.closest('.category').querySelector('h2').textContent")
    tab(page, category).click()
    return found


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("navigation", name="Categories").locator("a, button").get_by_text(name, exact=True)


def add(tile: Locator) -> None:
    tile.locator(".add").click()


def shown(page: Page) -> list[str]:
    return page.locator(".dish:visible").evaluate_all(NAMES)


def lines(page: Page) -> list[str]:
    """What the panel says, a line each: how many, of what and how, its note, and what it comes to."""
    found = []
    for each in page.locator(".running-line").all():
        names = (".running-dish", ".running-options", ".running-noted", ".amount")
        texts = [each.locator(name).text_content() for name in names]
        assert each.locator(".running-count").text_content() == f"{each.locator('input').first.input_value()}\u00a0×"
        found.append(" ".join(f"{each.locator('.stepper input').input_value()} {' '.join(texts)}".split()))
    return found


def unfold(page: Page, name: str) -> None:
    """A line of the order: how many, and its note."""
    page.locator(".running-line").get_by_role("button", name=name, expanded=False).click()
