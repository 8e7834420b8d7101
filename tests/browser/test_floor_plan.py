"""The tables are arranged by keys and by finger, and the floor shows the room as it stands."""

import pytest
from playwright.sync_api import Page, expect

from tests.servers import Installation

pytestmark = pytest.mark.browser


def at(page: Page, number: int) -> tuple[str, str]:
    row = page.locator(f'[data-table="{number}"]')
    return tuple(row.locator(f"[name={name}-{number}]").input_value() for name in ("column", "row"))


def features(page: Page) -> list[str]:
    """`bar,1,4,2,1,The bar`; without those that were taken off."""
    fields = page.evaluate("[...new FormData(document.getElementById('plan'))]")
    found: dict[str, dict[str, str]] = {}
    for name, text in fields:
        key, _, pk = name.partition("-")
        if len(pk) == 36:
            found.setdefault(pk, {})[key] = text
    names = ("kind", "column", "row", "width", "height", "text")
    return sorted(",".join(each[name] for name in names) for each in found.values() if each["kind"])


def size(page: Page, name: str) -> int:
    return int(page.locator("#board").evaluate("(board, name) => board.style.getPropertyValue(name)", name))


def middle(page: Page, column: float, row: float) -> tuple[float, float]:
    """Of this cell, in pixels of the window."""
    board = page.locator("#board").bounding_box()
    x, y = (column - 0.5) / size(page, "--columns"), (row - 0.5) / size(page, "--rows")
    return board["x"] + x * board["width"], board["y"] + y * board["height"]


def drag(page: Page, number: int, to: tuple[int, int] | None) -> None:
    """By the mouse, to the middle of this cell, or out of the board."""
    page.locator(f'.spot[data-key="{number}"]').hover()
    page.mouse.down()
    page.mouse.move(*(middle(page, *to) if to else (10, 10)), steps=3)
    page.mouse.up()


def add_and_change_features(page: Page) -> None:
    plants = ["plant,1,1,1,1,", "plant,1,3,1,1,", "plant,3,1,1,1,", "plant,3,3,1,1,"]
    wall = "wall,1,4,3,0,Garden wall"
    assert features(page) == [*plants, wall]
    page.get_by_role("button", name="Bar", exact=True).click()
    expect(page.locator(".thing.feature-bar")).to_be_focused()
    for key in ("ArrowDown", "Shift+ArrowRight", "Shift+ArrowUp"):  # a cell less than one cell is none
        page.keyboard.press(key)
    bar = features(page)[0].split(",")
    expect(page.locator("#plan-said")).to_have_text(f"Bar: Column {bar[1]}, row {bar[2]}, 3 wide, 1 high")
    page.get_by_label("Text on the plan").fill("Oysters, wine")
    page.get_by_role("button", name="Narrower").click()
    page.get_by_role("button", name="Turn").click()
    page.mouse.click(*middle(page, 1, 4))  # goes where is tapped
    assert features(page)[0] == "bar,1,4,1,2,Oysters, wine"
    page.locator(".thing-handle").hover()
    page.mouse.down()
    page.mouse.move(*middle(page, 3.3, 4.2), steps=3)
    page.mouse.up()
    assert features(page)[0] == "bar,1,4,3,1,Oysters, wine"
    page.locator(".thing.feature-wall").focus()
    page.keyboard.press("Delete")
    expect(page.locator("#plan-said")).to_have_text("Wall “Garden wall”: taken off")
    assert features(page) == ["bar,1,4,3,1,Oysters, wine", *plants]


def test_tables_are_moved_by_keys_and_by_the_mouse_and_the_floor_shows_it(windows, installation, state_of):
    page = windows.open(storage_state=state_of("manager"))
    page.goto(f"{installation.base}/floor/plan?section=Terrace")
    spot = page.locator('.spot[data-key="11"]')
    assert (at(page, 11), at(page, 12)) == (("2", "1"), ("1", "2"))
    save = page.get_by_role("button", name="Save the plan")
    expect(save).to_be_disabled()
    page.locator(".plan-chosen").wait_for(state="hidden")
    spot.click()
    board = page.locator("#board").bounding_box()
    page.mouse.click(board["x"] + board["width"] - 5, board["y"] + 5)  # the chosen table goes to where is tapped
    assert at(page, 11) == ("8", "1")
    assert (size(page, "--columns"), size(page, "--used-columns"), size(page, "--used-rows")) == (10, 8, 3)
    page.get_by_role("button", name="Take off the plan").click()
    assert at(page, 11) == ("", "")
    page.get_by_role("button", name="Undo all").click()
    expect(save).to_be_disabled()
    assert at(page, 11) == ("2", "1")
    assert (size(page, "--columns"), size(page, "--used-columns")) == (8, 3)  # as many as there is room for
    spot.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")  # over table 12 there is no cell left
    assert at(page, 11) == ("2", "2")
    expect(page.locator("#plan-said")).to_have_text("There is no free place in this direction.")
    page.keyboard.press("ArrowRight")  # over table 13
    assert at(page, 11) == ("4", "2")
    expect(page.locator("#plan-said")).to_have_text("Table 11: Column 4, row 2")
    page.keyboard.press("Delete")
    assert at(page, 11) == ("", "")
    expect(page.locator('#tray .spot[data-key="11"]')).to_be_focused()
    drag(page, 11, (5, 3))
    drag(page, 12, (5, 3))  # they change places
    assert (at(page, 11), at(page, 12)) == (("1", "2"), ("5", "3"))
    drag(page, 13, None)
    assert at(page, 13) == ("", "")
    page.locator('.spot[data-key="14"]').click()
    page.get_by_role("button", name="Round").click()
    add_and_change_features(page)
    expect(page.locator("#unsaved")).to_be_visible()
    save.click()
    expect(page.get_by_text("The plan is saved.")).to_be_visible()
    expect(page.locator("#unsaved")).to_be_hidden()
    page.goto(f"{installation.base}/floor?section=Terrace")
    expect(page.locator("#tile-13")).to_be_hidden()
    expect(page.locator("#rest-13")).to_be_visible()
    expect(page.locator("#tile-14")).to_have_class("place place-round")
    expect(page.locator(".feature-bar")).to_be_visible()
    boxes = {number: page.locator(f"#tile-{number}").bounding_box() for number in (11, 12, 14)}
    assert boxes[11]["x"] < boxes[14]["x"] < boxes[12]["x"]
    assert boxes[11]["y"] < boxes[14]["y"] == boxes[12]["y"]
    page.get_by_role("link", name="List").click()
    expect(page.locator(".feature-bar")).to_be_hidden()
    expect(page.locator("#tile-13")).to_be_visible()
    expect(page.locator("#rest-13")).to_be_hidden()
    page.reload()
    expect(page.locator("#rest-13")).to_be_hidden()
    page.get_by_role("link", name="Plan", exact=True).click()
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator("#tile-13")).to_be_visible()
    expect(page.locator(".views")).to_be_hidden()
    add_a_table(page, installation)


def add_a_table(page: Page, installation: Installation) -> None:
    """On a phone. The server is not reached: other tests count its tables."""
    page.goto(f"{installation.base}/floor/plan?section=Window")
    page.route("**/tables", lambda route: route.fulfill(status=409, json={"error": "This number is taken."}))
    page.get_by_role("button", name="Table", exact=True).click()
    page.get_by_role("textbox", name="Seats").fill("6")
    page.get_by_role("button", name="Add the table").click()
    expect(page.get_by_role("alert")).to_have_text("This number is taken.")
    page.route("**/tables", lambda route: route.fulfill(status=201, json={"tableNumber": 90}))
    page.get_by_role("textbox", name="Number").fill("90")
    page.get_by_role("button", name="Add the table").click()
    expect(page.locator('#board .spot[data-key="90"]')).to_be_focused()
    expect(page.get_by_role("link", name="Print its card")).to_have_attribute("href", "/tables/print?numbers=90")
    assert all(at(page, 90))
    assert page.locator("[name=seen]").input_value().endswith(" 90@,,long,6")
    page.locator("#new-section").click()
    code = "from restaurant.models import Table; print(Table.objects.latest('table_number').table_number)"
    highest = max(90, int(installation.shell(code)))  # other tests may have added tables
    expect(page.get_by_role("textbox", name="First table")).to_have_value(str(highest + 1))
