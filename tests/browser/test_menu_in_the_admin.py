"""The menu's lists, its form and its import, in real windows."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.accessible import CONTRAST, STANDARD, violations

pytestmark = pytest.mark.browser

MENU = "/admin/restaurant/menuitem/"
FILE = (
    "name;price;category;available\nA dish with a long name that has to wrap;12,50;;no\n{name};99,50;{category};yes\n"
)


def manager(windows, installation, **options) -> Page:
    page = windows.open(storage_state={"cookies": [installation.cookie("manager")]}, **options)
    page.goto(f"{installation.base}{MENU}")
    return page


def test_a_click_switches_an_item_and_leaves_what_is_half_edited(windows, installation):
    page = manager(windows, installation)
    price = page.locator("#id_form-1-price")
    price.fill("77")
    button = page.locator(".menu-switch").first
    name = page.locator("#result_list tbody th").first.inner_text()
    for words in ("Sold out", "Available"):
        button.click()
        expect(button).to_have_text(f"{name}: {words}")
        expect(page.locator("#list-status")).to_have_text(f"{name}: {words}")
    expect(price).to_have_value("77")
    assert windows.complaints == []


def test_a_click_works_without_javascript_and_keeps_the_filter(windows, installation):
    page = manager(windows, installation, java_script_enabled=False)
    page.goto(f"{installation.base}{MENU}?q=a&available__exact=1")
    button = page.locator(".menu-switch").first
    pk = button.get_attribute("id")
    button.click()
    assert page.url == f"{installation.base}{MENU}?q=a&available__exact=1#{pk}"
    expect(page.locator("ul.messagelist")).to_contain_text("is sold out")
    page.goto(f"{installation.base}{MENU}?available__exact=0")
    page.locator(f"#{pk}").click()
    expect(page.locator("ul.messagelist")).to_contain_text("is available again")


def test_the_preview_can_be_read_by_everyone_and_confirmed(windows, installation):
    page = manager(windows, installation, color_scheme="light")
    name = page.locator("#result_list tbody th").last.inner_text()
    category = page.locator("#result_list input[list]").last.input_value()
    fits(windows, page, "#changelist-form")
    page.get_by_role("link", name="Import CSV").click()
    page.wait_for_selector("[name=import_file]")
    fits(windows, page, "#content-main")
    file = FILE.format(name=name, category=category)
    page.set_input_files("[name=import_file]", {"name": "m.csv", "mimeType": "text/csv", "buffer": file.encode()})
    page.get_by_role("button", name="Show what would change").click()
    expect(page.locator(".menu-rows tbody tr")).to_have_count(2)
    expect(page.get_by_role("button", name="Confirm import")).to_be_visible()
    fits(windows, page, "#content-main")


@pytest.mark.parametrize("script", [True, False])
def test_a_phone_has_files_in_one_menu_and_dishes_with_their_pictures(windows, installation, script):
    page = manager(windows, installation, viewport={"width": 360, "height": 800}, java_script_enabled=script)
    files = page.get_by_role("link", name=re.compile("(Import|Download) CSV"))
    expect(files).to_have_count(0)
    page.get_by_text("More", exact=True).click()
    expect(files).to_have_count(2)
    row = page.locator("#result_list tbody tr:has(img)").first
    parts = ("img", "th a", ".menu-switch", ".money-field")
    picture, name, switch, price = (row.locator(each).bounding_box() for each in parts)
    assert (picture["width"], picture["height"]) == (40, 40)
    assert picture["x"] + picture["width"] <= name["x"]
    assert name["y"] + name["height"] <= min(switch["y"], price["y"])
    assert switch["x"] + switch["width"] <= price["x"]
    arrow = row.locator(".sort-step").last
    expect(arrow).to_be_visible(visible=not script)
    if script:
        page.keyboard.press("Escape")
        expect(files).to_have_count(0)
        page.get_by_text("More", exact=True).click()
        page.get_by_role("button", name="Change order").click()
        expect(arrow).to_be_visible()
        page.get_by_text("More", exact=True).click()
        page.get_by_role("button", name="Hide the arrows").click()
        expect(arrow).to_be_hidden()
        page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Import CSV").click()
    page.wait_for_selector("[name=import_file]")


def test_a_tablet_shows_pictures_and_whole_categories(windows, installation):
    page = manager(windows, installation, viewport={"width": 768, "height": 1024})
    expect(page.get_by_role("link", name="Download CSV")).to_be_visible()
    expect(page.get_by_text("More", exact=True)).to_be_hidden()
    assert page.locator("#result_list img").first.bounding_box()["width"] == 40
    cut = "fields => fields.filter(each => each.scrollWidth > each.clientWidth).map(each => each.value)"
    categories = page.locator("#result_list input[list]")
    expect(page.locator("[data-heading='Bites & Small Plates']").first).to_be_visible()
    expect(categories.last).to_be_hidden()  # its heading says it
    page = manager(windows, installation, viewport={"width": 768, "height": 1024}, java_script_enabled=False)
    categories = page.locator("#result_list input[list]")
    expect(categories.last).to_be_visible()
    assert "Bites & Small Plates" in [each.input_value() for each in categories.all()]
    assert categories.evaluate_all(cut) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


FRAME = "field => getComputedStyle(field).borderTopColor"
NO_FRAME = "rgba(0, 0, 0, 0)"


def test_a_wide_lists_fields_have_their_frames_and_arrows_wait_for_the_pointer_or_the_keyboard(windows, installation):
    page = manager(windows, installation)
    rows = page.locator("#result_list tbody tr")
    headings = [each.get_attribute("data-heading") for each in rows.all()]
    named = [each for each in headings if each]
    assert len(named) == len(set(named)) > 1
    first = rows.first.locator("td").first
    assert named[0] in first.evaluate("cell => getComputedStyle(cell, '::before').content")
    assert first.get_attribute("data-count") == str(headings.index(named[1]))  # how many it has
    row, other = rows.nth(1), rows.nth(2)
    frame, arrow = row.locator(".money-field"), row.locator(".sort-step").last
    assert frame.evaluate(FRAME) == page.locator("#searchbar").evaluate(FRAME)
    expect(arrow).to_have_css("opacity", "0")
    row.locator("th").hover()
    expect(arrow).to_have_css("opacity", "1")
    other.locator("th a").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(other.locator(".sort-step").last).to_have_css("opacity", "1")


def test_where_no_pointer_comes_arrows_and_frames_are_there(windows, installation):
    tablet = {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "is_mobile": True}
    row = manager(windows, installation, **tablet).locator("#result_list tbody tr").nth(1)
    assert row.locator(".money-field").evaluate(FRAME) != NO_FRAME
    expect(row.locator(".sort-step").last).to_have_css("opacity", "1")
    row = manager(windows, installation, java_script_enabled=False).locator("#result_list tbody tr").nth(1)
    expect(row.locator(".sort-step").last).to_have_css("opacity", "1")


def test_categories_are_sorted_by_drag_and_by_keyboard_and_without_javascript(windows, installation):
    page = manager(windows, installation)
    page.goto(f"{installation.base}/admin/restaurant/category/")
    fits(windows, page, "#changelist-form")
    names = page.locator("#result_list tbody th")
    before = names.all_inner_texts()
    handle, target = page.locator(".sort-handle").nth(0), page.locator(".sort-handle").nth(2)
    handle.scroll_into_view_if_needed()
    start, end = handle.bounding_box(), target.bounding_box()
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + 10, end["y"] + end["height"] - 4, steps=8)
    page.mouse.up()
    moved = [before[1], before[2], before[0], *before[3:]]
    expect(page.locator("#list-status")).to_have_text(f"{before[0]} is number 3 of {len(before)}.")
    assert names.all_inner_texts() == moved
    page.reload()
    assert names.all_inner_texts() == moved

    button = page.get_by_role("button", name=f"Move {before[0]} up", exact=True)
    button.focus()
    for place in (2, 1):
        page.keyboard.press("Enter")
        expect(page.locator("#list-status")).to_have_text(f"{before[0]} is number {place} of {len(before)}.")
        expect(button).to_be_focused()
    assert names.all_inner_texts() == before
    assert windows.complaints == []

    page = manager(windows, installation, java_script_enabled=False)
    for direction in ("down", "up"):
        page.goto(f"{installation.base}/admin/restaurant/category/")
        page.get_by_role("button", name=f"Move {before[0]} {direction}", exact=True).click()
        expect(page.locator("ul.messagelist")).to_contain_text(f"{before[0]} is number")
        expect(page.get_by_role("button", name=f"Move {before[0]} {direction}", exact=True)).to_be_focused()
    assert page.locator("#result_list tbody th").all_inner_texts() == before


@pytest.mark.parametrize("width", [360, 1280])
def test_a_picture_is_chosen_moved_by_keyboard_or_hand_and_kept(windows, installation, width):
    page = manager(windows, installation, viewport={"width": width, "height": 800})
    page.goto(f"{installation.base}{MENU}?q=a")
    page.locator("#result_list tbody th a").last.click()
    page.wait_for_url("**/change/*")
    fits(windows, page, "#content-main")
    file = io.BytesIO()
    wide = Image.new("RGB", (2000, 600), "firebrick")
    wide.paste("navy", (1000, 0, 2000, 600))
    wide.save(file, "JPEG")
    page.set_input_files("#id_picture_file", {"name": "d.jpg", "mimeType": "image/jpeg", "buffer": file.getvalue()})
    view = page.locator(".crop-view")
    expect(view).to_be_visible()
    slider = page.get_by_label("Left to right")
    slider.focus()
    page.keyboard.press("End")
    expect(view).to_have_attribute("aria-label", re.compile("100 % from the left"))
    view.scroll_into_view_if_needed()
    box = view.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 3, box["y"] + 20, steps=5)
    page.mouse.up()
    expect(slider).to_have_value("0")
    page.get_by_label("What it shows").fill("Colours")
    fits(windows, page, "#content-main")
    address = page.url
    page.get_by_role("button", name="Save", exact=True).click()
    page.goto(address)
    shown = page.get_by_role("img", name="Colours")
    expect(shown).to_be_visible()
    red, _green, blue = page.evaluate(
        """async (picture) => {
            await picture.decode();
            const canvas = document.createElement("canvas");
            const context = canvas.getContext("2d");
            context.drawImage(picture, picture.naturalWidth - 5, 5, 1, 1, 0, 0, 1, 1);
            return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
        }""",
        shown.element_handle(),
    )
    assert red > 100 > blue
    box = page.get_by_label("Remove this picture")
    box.check()
    expect(page.get_by_text("Removed when you save")).to_be_visible()
    box.uncheck()
    expect(page.get_by_text("Removed when you save")).to_be_hidden()
    box.check()
    page.set_input_files("#id_picture_file", {"name": "d.jpg", "mimeType": "image/jpeg", "buffer": file.getvalue()})
    expect(shown).to_be_hidden()  # the new one is in its place
    # What can't be used is refused before it is sent.
    refused = page.locator(".field-picture_file .errorlist")
    for name, kind, size, words in (
        ("large.jpg", "image/jpeg", 10 * 1024 * 1024 + 1, "too large: at most 10 MB"),
        ("plan.pdf", "application/pdf", 100, "not a picture that can be used"),
    ):
        page.set_input_files("#id_picture_file", {"name": name, "mimeType": kind, "buffer": b"x" * size})
        expect(refused).to_contain_text(words)
        assert page.eval_on_selector("#id_picture_file", "(input) => input.files.length") == 0
        expect(shown).to_be_visible()
    page.set_input_files("#id_picture_file", [])
    expect(refused).to_have_count(0)
    page.get_by_role("button", name="Save", exact=True).click()
    page.goto(address)
    expect(page.get_by_label("Choose a picture")).to_be_visible()
    expect(page.locator(".field-preview, .bin:visible")).to_have_count(0)
    assert windows.complaints == []


def test_a_groups_choices_are_sorted_and_declared_by_keyboard(windows, installation):
    page = manager(windows, installation, viewport={"width": 360, "height": 800})
    page.goto(f"{installation.base}/admin/restaurant/optiongroup/add/")
    page.get_by_label("Name").first.fill("Sides of a test")
    for number, name in enumerate(("chips", "salad")):
        page.fill(f"#id_choices-{number}-name", name)
    page.locator("#choices-0 summary").press("Enter")
    page.locator("#choices-0 [name=choices-0-allergens-milk][value='']").press("ArrowLeft")
    nowhere = page.locator("#choices-group .sort-step.leads-nowhere:visible")
    expect(nowhere).to_have_count(2)
    expect(page.locator("#choices-0 .is-up")).to_have_class(re.compile("leads-nowhere"))
    page.locator("#choices-1 .sort-step.is-up").press("Enter")
    expect(page.locator("#choices-1 .is-up")).to_have_class(re.compile("leads-nowhere"))
    expect(nowhere).to_have_count(2)
    fits(windows, page, "#content-main")
    save_and_open(page, "Sides of a test")
    expect(page.locator("#id_choices-0-name")).to_have_value("salad")
    expect(page.locator("#choices-1 summary")).to_have_text("Free from milk; 13 not declared")
    fits(windows, page, "#content-main")
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Yes, delete").click()
    expect(page.locator("ul.messagelist")).to_contain_text("was deleted")


def test_a_choice_is_one_line_in_a_wide_window_and_is_dragged_to_its_place(windows, installation):
    page = manager(windows, installation)
    page.goto(f"{installation.base}/admin/restaurant/optiongroup/")
    with page.expect_navigation():
        page.locator("#result_list tbody th a").first.click()
    rows = page.locator(".choices .inline-related:not(.empty-form)")
    names = [each.input_value() for each in rows.locator("[name$=-name]").all()]
    name, summary = (rows.nth(1).locator(each).bounding_box() for each in ("[name$=-name]", "summary"))
    assert name["y"] <= summary["y"] + summary["height"] / 2 <= name["y"] + name["height"]
    start, end = (rows.nth(number).locator(".sort-handle").bounding_box() for number in (0, 1))
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + 10, end["y"] + end["height"], steps=8)
    page.mouse.up()
    moved = [names[1], names[0], *names[2:]]
    assert [each.input_value() for each in rows.locator("[name$=-name]").all()] == moved
    assert [each.input_value() for each in rows.locator(".sort-number").all()] == [
        str(number + 1) for number in range(len(names))
    ]
    assert windows.complaints == []


@pytest.mark.parametrize("script", [True, False])
def test_a_choice_is_struck_through_and_gone_once_the_group_is_saved(windows, installation, script):
    page = manager(windows, installation, viewport={"width": 360, "height": 800}, java_script_enabled=script)
    page.goto(f"{installation.base}/admin/restaurant/optiongroup/add/")
    page.get_by_label("Name").first.fill("Sauces of a test")
    page.fill("#id_max_choices", "2")
    for number, name in enumerate(("mint", "chilli")):
        page.fill(f"#id_choices-{number}-name", name)
    save_and_open(page, "Sauces of a test")
    row, box = page.locator("#choices-1"), page.get_by_label("Remove chilli")
    name, note = row.locator("#id_choices-1-name"), row.get_by_text("Removed when you save")
    expect(note).to_be_hidden()
    box.check()
    expect(note).to_be_visible()
    expect(name).to_be_hidden()
    expect(row.locator(".inline_label")).to_have_css("text-decoration-line", "line-through")
    if script:
        fits(windows, page, "#content-main")
    expect(row.get_by_text("Undo")).to_be_visible()
    box.uncheck()
    expect(row.get_by_text("Undo")).to_be_hidden()
    expect(name).to_be_visible()
    expect(note).to_be_hidden()
    box.check()
    save_and_open(page, "Sauces of a test")
    expect(page.locator("#id_choices-0-name")).to_have_value("mint")
    expect(page.get_by_label("Remove chilli")).to_have_count(0)
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Yes, delete").click()
    assert windows.complaints == []


def save_and_open(page: Page, group: str) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator("#result_list").get_by_role("link", name=group).click()


def fits(windows, page: Page, part: str) -> None:
    """On phones and screens, in the light and in the dark."""
    assert windows.complaints == []
    # A bar at the lower edge covers a target until one scrolls.
    page.evaluate(
        "document.querySelectorAll('.submit-row, .submit-main').forEach((bar) => { bar.style.position = 'static'; })"
    )
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for scheme, rules in (("light", STANDARD), ("dark", CONTRAST)):
            page.emulate_media(color_scheme=scheme)
            found = violations(page, part=part, rules=rules)
            serious = [each for each in found if each["impact"] in {"serious", "critical"}]
            named = [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in serious]
            assert named == [], (width, scheme)
    windows.complaints.clear()  # the inspector's own styles are blocked too
