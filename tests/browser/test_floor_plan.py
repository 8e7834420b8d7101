"""The tables are arranged by keys and by finger, and the floor shows the room as it stands."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import check

pytestmark = pytest.mark.browser


def at(page: Page, number: int) -> tuple[str, str]:
    row = page.locator(f'[data-table="{number}"]')
    return tuple(row.locator(f"[name={name}-{number}]").input_value() for name in ("column", "row"))


def size(page: Page, name: str) -> int:
    return int(page.locator("#board").evaluate("(board, name) => board.style.getPropertyValue(name)", name))


def drag(page: Page, number: int, to: tuple[int, int] | None) -> None:
    """By the mouse, to the middle of this cell, or out of the board."""
    page.locator(f'.spot[data-number="{number}"]').hover()
    page.mouse.down()
    board = page.locator("#board").bounding_box()
    x, y = ((to[0] - 0.5) / size(page, "--columns"), (to[1] - 0.5) / size(page, "--rows")) if to else (0.5, 1.2)
    page.mouse.move(board["x"] + x * board["width"], board["y"] + y * board["height"], steps=3)
    page.mouse.up()


def test_tables_are_moved_by_keys_and_by_the_mouse_and_the_floor_shows_it(windows, installation, state_of):
    page = windows.open(storage_state=state_of("manager"))
    page.goto(f"{installation.base}/floor/plan?section=Terrace")
    check(page)
    spot = page.locator('.spot[data-number="11"]')
    assert (at(page, 11), at(page, 12)) == (("2", "1"), ("1", "2"))
    save = page.get_by_role("button", name="Save the plan")
    expect(save).to_be_disabled()
    page.locator(".plan-chosen").wait_for(state="hidden")
    spot.click()
    board = page.locator("#board").bounding_box()
    page.mouse.click(board["x"] + board["width"] - 5, board["y"] + 5)  # the chosen table goes to where is tapped
    assert at(page, 11) == ("7", "1")
    assert (size(page, "--columns"), size(page, "--used-columns"), size(page, "--used-rows")) == (9, 7, 3)
    page.get_by_role("button", name="Take it off the plan").click()
    assert at(page, 11) == ("", "")
    page.get_by_role("button", name="Undo all").click()
    expect(save).to_be_disabled()
    assert at(page, 11) == ("2", "1")
    assert (size(page, "--columns"), size(page, "--used-columns")) == (7, 3)  # as far as the floor shows it, and two
    spot.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")  # over table 12 there is no cell left
    assert at(page, 11) == ("2", "2")
    expect(page.locator("#plan-said")).to_have_text("There is no free place in this direction.")
    page.keyboard.press("ArrowRight")  # over table 13
    assert at(page, 11) == ("4", "2")
    expect(page.locator("#plan-said")).to_have_text("Table 11: column 4, row 2")
    page.keyboard.press("Delete")
    assert at(page, 11) == ("", "")
    expect(page.locator("#tray .spot")).to_be_focused()
    drag(page, 11, (5, 3))
    drag(page, 12, (5, 3))  # they change places
    assert (at(page, 11), at(page, 12)) == (("1", "2"), ("5", "3"))
    drag(page, 13, None)
    assert at(page, 13) == ("", "")
    expect(page.locator("#unsaved")).to_be_visible()
    save.click()
    expect(page.get_by_text("The plan is saved.")).to_be_visible()
    expect(page.locator("#unsaved")).to_be_hidden()
    page.goto(f"{installation.base}/floor?section=Terrace")
    boxes = {number: page.locator(f"#tile-{number}").bounding_box() for number in (11, 12, 14)}
    assert boxes[11]["x"] < boxes[14]["x"] < boxes[12]["x"]
    assert boxes[11]["y"] < boxes[14]["y"] == boxes[12]["y"]
    expect(page.locator("#tile-13")).to_be_hidden()
    expect(page.locator("#rest-13")).to_be_visible()
    check(page)
    page.get_by_role("link", name="List").click()
    expect(page.locator("#tile-13")).to_be_visible()
    expect(page.locator("#rest-13")).to_be_hidden()
    page.reload()
    expect(page.locator("#rest-13")).to_be_hidden()
    page.get_by_role("link", name="Plan", exact=True).click()
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator("#tile-13")).to_be_visible()
    assert page.locator(".views").is_hidden()
    check(page)
