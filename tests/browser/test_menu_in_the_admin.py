"""The menu's lists, its form and its import, in real windows."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

MENU = "/admin/restaurant/menuitem/"


def manager(windows, installation, **options) -> Page:
    page = windows.open(storage_state={"cookies": [installation.cookie("manager")]}, **options)
    page.goto(f"{installation.base}{MENU}")
    return page


def test_a_click_switches_an_item_in_its_category_and_leaves_what_is_half_edited(windows, installation):
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
    # A category is the heading of its rows.
    headings = [each.get_attribute("data-heading") for each in page.locator("#result_list tbody tr").all()]
    named = [each for each in headings if each]
    assert len(named) == len(set(named)) > 1
    count = page.locator("#result_list tbody td").first.get_attribute("data-count")
    assert count == str(headings.index(named[1]))  # it has so many
    expect(page.locator("#result_list input[list]").last).to_be_hidden()
    assert windows.complaints == []


def test_a_click_works_without_javascript_and_keeps_the_filter(windows, installation):
    page = manager(windows, installation, java_script_enabled=False)
    page.goto(f"{installation.base}{MENU}?q=a&available__exact=1")
    expect(page.locator("#result_list input[list]").last).to_be_visible()
    button = page.locator(".menu-switch").first
    pk = button.get_attribute("id")
    button.click()
    assert page.url == f"{installation.base}{MENU}?q=a&available__exact=1#{pk}"
    expect(page.locator("ul.messagelist")).to_contain_text("is sold out")
    page.goto(f"{installation.base}{MENU}?available__exact=0")
    page.locator(f"#{pk}").click()
    expect(page.locator("ul.messagelist")).to_contain_text("is available again")


def test_a_phone_has_files_and_arrows_behind_one_menu(windows, installation):
    page = manager(windows, installation, viewport={"width": 360, "height": 800})
    files = page.get_by_role("link", name=re.compile("(Import|Download) CSV"))
    more, arrow = page.get_by_text("More", exact=True), page.locator("#result_list .sort-step").last
    expect(files).to_have_count(0)
    more.click()
    expect(files).to_have_count(2)
    page.keyboard.press("Escape")
    expect(files).to_have_count(0)
    expect(arrow).to_be_hidden()
    for words, shown in (("Change order", True), ("Hide the arrows", False)):
        more.click()
        page.get_by_role("button", name=words).click()
        expect(arrow).to_be_visible(visible=shown)
    page = manager(windows, installation, viewport={"width": 360, "height": 800}, java_script_enabled=False)
    expect(page.locator("#result_list .sort-step").last).to_be_visible()
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Import CSV").click()
    expect(page.locator("[name=import_file]")).to_be_visible()


def test_categories_are_sorted_by_drag_and_by_keyboard_and_without_javascript(windows, installation):
    page = manager(windows, installation)
    page.goto(f"{installation.base}/admin/restaurant/category/")
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


def test_a_picture_is_chosen_moved_by_keyboard_or_hand_and_kept(windows, installation):
    page = manager(windows, installation)
    page.goto(f"{installation.base}{MENU}?q=a")
    page.locator("#result_list tbody th a").last.click()
    page.wait_for_url("**/change/*")
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


def test_a_groups_choices_are_sorted_and_declared_by_keyboard_and_dragged(windows, installation):
    page = manager(windows, installation)
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
    save_and_open(page, "Sides of a test")
    expect(page.locator("#id_choices-0-name")).to_have_value("salad")
    expect(page.locator("#choices-1 summary")).to_have_text("Free from milk; 13 not declared")
    start, end = (page.locator(f"#choices-{number} .sort-handle").bounding_box() for number in (0, 1))
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + 10, end["y"] + end["height"], steps=8)
    page.mouse.up()
    rows = page.locator(".choices .inline-related:not(.empty-form)")
    expect(rows.nth(0).locator("[name$=-name]")).to_have_value("chips")
    expect(rows.nth(1).locator("[name$=-name]")).to_have_value("salad")
    assert [each.input_value() for each in rows.locator(".sort-number").all()][:2] == ["1", "2"]
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Yes, delete").click()
    expect(page.locator("ul.messagelist")).to_contain_text("was deleted")


@pytest.mark.parametrize("script", [True, False])
def test_a_choice_is_crossed_out_and_gone_once_the_group_is_saved(windows, installation, script):
    page = manager(windows, installation, viewport={"width": 360, "height": 800}, java_script_enabled=script)
    page.goto(f"{installation.base}/admin/restaurant/optiongroup/add/")
    page.get_by_label("Name").first.fill("Sauces of a test")
    page.fill("#id_max_choices", "2")
    for number, name in enumerate(("mint", "chilli")):
        page.fill(f"#id_choices-{number}-name", name)
    save_and_open(page, "Sauces of a test")
    row, box = page.locator("#choices-1"), page.get_by_label("Remove chilli")
    name, note, undo = (
        row.locator("#id_choices-1-name"),
        row.get_by_text("Removed when you save"),
        row.get_by_text("Undo"),
    )
    for is_removed in (False, True, False):
        box.set_checked(is_removed)
        for part, shown in ((note, is_removed), (undo, is_removed), (name, not is_removed)):
            expect(part).to_be_visible(visible=shown)
    box.check()
    save_and_open(page, "Sauces of a test")
    expect(page.locator("#id_choices-0-name")).to_have_value("mint")
    expect(page.get_by_label("Remove chilli")).to_have_count(0)
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Yes, delete").click()
    expect(page.locator("ul.messagelist")).to_contain_text("was deleted")
    assert windows.complaints == []


def save_and_open(page: Page, group: str) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator("#result_list").get_by_role("link", name=group).click()
