"""The venue's form in a real window: what is chosen is shown before it is saved."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_the_page_takes_what_is_chosen_at_once(windows, installation):
    owner = {"cookies": [installation.cookie("owner")]}
    page = windows.open(storage_state=owner)
    page.goto(f"{installation.base}/admin/config/venue/1/change/")
    button = page.locator(".accent-paper.is-light .accent-button")
    expect(button).to_have_css("background-color", "rgb(122, 40, 72)")
    unset = page.get_by_text("No colour of your own yet: pages are in the usual plum.")
    expect(unset).to_be_visible()
    expect(page.get_by_label("Accent colour", exact=True)).to_have_attribute("placeholder", "Not set")
    plum, sea = (page.get_by_role("button", name=name, exact=True) for name in ("Plum", "Sea"))
    expect(plum).to_have_attribute("aria-pressed", "true")
    page.get_by_label("Choose the accent colour").fill("#005f73")
    expect(unset).to_be_hidden()
    expect(plum).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_label("Accent colour", exact=True)).to_have_value("#005f73")
    expect(button).to_have_css("background-color", "rgb(0, 95, 115)")
    dark = page.locator(".accent-paper.is-dark .accent-button")
    expect(dark).not_to_have_css("background-color", "rgb(0, 95, 115)")  # lightened, to be read there
    names = page.locator(".venue-preview [data-part=name]")
    page.get_by_label("Name", exact=True).fill("Chez Nous")
    expect(names).to_have_text(["Chez Nous", "Chez Nous"])
    page.get_by_label("The logo has our name in it").check()
    for name in names.all():
        expect(name).to_be_hidden()
    expect(page.locator(".related-widget-wrapper-link")).to_have_count(0)
    sea.click()
    expect(sea).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_label("Accent colour", exact=True)).to_have_value("#17656b")
    expect(page.get_by_label("Choose the accent colour")).to_have_value("#17656b")
    expect(button).to_have_css("background-color", "rgb(23, 101, 107)")
    page.get_by_label("Accent colour", exact=True).fill("")
    expect(button).to_have_css("background-color", "rgb(122, 40, 72)")
    expect(page.get_by_label("Choose the accent colour")).to_have_value("#7a2848")
    part = page.get_by_label("Part that guests see")
    expect(part).to_be_hidden()
    picture = {"name": "cover.png", "mimeType": "image/png", "buffer": b"not looked at before it is saved"}
    page.locator("#id_cover_file").set_input_files([picture])
    expect(part).to_be_visible()
    page.locator("#id_cover_file").set_input_files([])
    expect(part).to_be_hidden()
    plain = windows.open(storage_state=owner, java_script_enabled=False)
    plain.goto(page.url)
    expect(plain.get_by_label("Part that guests see")).to_be_visible()
