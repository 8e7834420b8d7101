"""The menu's list and the form of a dish, in real windows."""

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


def test_a_click_switches_an_item_and_leaves_what_is_half_edited(windows, installation):
    page = manager(windows, installation)
    price = page.locator("#id_form-1-price")
    price.fill("77")
    button = page.locator(".menu-switch").first
    name = page.locator("#result_list tbody th").first.inner_text()
    for words in ("Sold out", "Available"):
        button.click()
        expect(button).to_have_text(f"{name}: {words}")
        expect(page.locator("#menu-status")).to_have_text(f"{name}: {words}")
    expect(price).to_have_value("77")
    page.route("**/availability/", lambda route: route.abort())
    button.click()
    expect(page.locator("#menu-status")).to_have_text("That didn't work. Please try again.")
    expect(price).to_have_value("77")


def test_a_click_works_without_javascript_and_keeps_the_filter(windows, installation):
    page = manager(windows, installation, java_script_enabled=False)
    page.goto(f"{installation.base}{MENU}?q=a&available__exact=1")
    name = page.locator("#result_list tbody th").first.inner_text()
    page.locator(".menu-switch").first.click()
    assert page.url == f"{installation.base}{MENU}?q=a&available__exact=1"
    expect(page.locator("ul.messagelist")).to_contain_text(f"“{name}” is sold out")
    page.goto(f"{installation.base}{MENU}?available__exact=0")
    page.get_by_role("button", name=f"{name}: ").click()
    expect(page.locator("ul.messagelist")).to_contain_text("is available again")


def test_a_phone_has_name_switch_and_price_in_reach(windows, installation):
    page = manager(windows, installation, viewport={"width": 360, "height": 800})
    for part in ("#result_list tbody th a", ".menu-switch", "#id_form-0-price"):
        box = page.locator(part).first.bounding_box()
        assert box["x"] + box["width"] <= 360, part
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert windows.complaints == []


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
    # What can't be used is refused before it is sent.
    refused = page.locator(".field-picture_file .errorlist")
    for name, kind, size, words in (
        ("large.jpg", "image/jpeg", 10 * 1024 * 1024 + 1, "too large: at most 10 MB"),
        ("plan.pdf", "application/pdf", 100, "not a picture that can be used"),
    ):
        page.set_input_files("#id_picture_file", {"name": name, "mimeType": kind, "buffer": b"x" * size})
        expect(refused).to_contain_text(words)
        assert page.eval_on_selector("#id_picture_file", "(input) => input.files.length") == 0
    page.set_input_files("#id_picture_file", [])
    expect(refused).to_have_count(0)
    page.get_by_label("Remove this picture").check()
    page.get_by_role("button", name="Save", exact=True).click()
    page.goto(address)
    expect(page.get_by_label("Choose a picture")).to_be_visible()
    expect(page.locator(".field-preview")).to_have_count(0)
    assert windows.complaints == []
