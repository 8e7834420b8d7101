"""Every page of the admin: what axe finds, how wide it is, and what a finger can hit."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import STANDARD, check, overflow
from tests.browser.conftest import Windows

pytestmark = pytest.mark.browser

RULES = [*STANDARD, "best-practice"]

# Lists with rows, and without; forms that add and that change; questions and histories: as far as an owner may.
FIND = """
import json
from config.admin_words import words
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import RequestFactory
from loyalty.models import Member, PointTransaction
from restaurant.models import MenuItem, Order
request = RequestFactory().get("/admin/")
request.user = User.objects.get(username="owner")
found = ["/admin/", "/admin/search/?q=fi", "/admin/restaurant/menuitem/import/"]
found.append("/admin/restaurant/order/?q=none-of-them")
for model, page in admin.site._registry.items():
    base = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    row = model._default_manager.first()
    if not words(model._meta).is_single:
        found.append(base)
    if page.has_add_permission(request) and model is not Member:
        found.append(f"{base}add/")
    if row is not None:
        found.append(f"{base}{row.pk}/change/")
        if base.split("/")[3] in {"optiongroup", "printer"} and page.has_delete_permission(request, row):
            found += [f"{base}{row.pk}/delete/", f"{base}{row.pk}/history/"]
earned = PointTransaction.objects.filter(type="earn", order_total__isnull=False).first()
member = f"/admin/loyalty/member/{earned.customer_id}/"
dish = MenuItem.objects.filter(option_groups__isnull=False).first()
order = Order.objects.filter(status__in=Order.OPEN).first() or Order.objects.latest("created_at")
found += [
    f"{member}change/", f"{member}points/", f"{member}take-back/{earned.pk}/",
    f"/admin/restaurant/menuitem/{dish.pk}/change/", f"/admin/restaurant/order/{order.pk}/change/",
    f"/admin/auth/user/{request.user.pk}/password/",
]
print(json.dumps(list(dict.fromkeys(found))))
"""

# What is less high than 24 pixels. Boxes have a label beside them, or stand alone.
TOO_SMALL = """[...document.querySelectorAll("main :is(button, summary, select, input, .tool, .button)")]
    .filter((each) => each.offsetParent && !each.matches("[type=checkbox], [type=radio], .visually-hidden"))
    .filter((each) => each.getBoundingClientRect().height < 24).map((each) => each.outerHTML.slice(0, 100))"""


def opened(windows: Windows, installation, **options) -> Page:
    return windows.open(storage_state={"cookies": [installation.cookie("owner")]}, **options)


def open_what_is_folded(page: Page) -> None:
    """A filter, folded parts, and what is done with chosen rows. Bars at the lower edge would cover a target until one
    scrolls, and a filter's choices until it is closed."""
    page.evaluate(
        "document.querySelector('details.filter')?.setAttribute('open', '');"
        "document.querySelectorAll('.fold, fieldset > details').forEach((part) => { part.open = true; });"
        "document.querySelector('.action-select')?.click();"
        "for (const bar of document.querySelectorAll('.submit-row, .submit-main, .actions, .filter > ul'))"
        " bar.style.position = 'static';"
    )


def test_every_page_can_be_used_by_everybody(windows, installation):
    """Each at one of the two widths, light or dark by turns: their colours come from the same tokens."""
    page = opened(windows, installation)
    for number, address in enumerate(json.loads(installation.shell(FIND))):
        page.emulate_media(color_scheme="dark" if number % 2 else "light")
        page.set_viewport_size({"width": 360 if number % 4 < 2 else 1280, "height": 800})
        response = page.goto(installation.base + address)
        assert response.status == 200, address
        open_what_is_folded(page)
        check(page, rules=RULES)
        page.set_viewport_size({"width": 320, "height": 740})
        assert overflow(page) <= 0, address
        assert page.locator("#content").bounding_box()["width"] == 288, address  # all that the window has
        assert page.evaluate(TOO_SMALL) == [], address
    assert windows.complaints == []


def test_a_phone_reads_rows_and_saves_with_what_is_in_reach(windows, installation):
    page = opened(windows, installation, viewport={"width": 320, "height": 640}, has_touch=True)
    page.goto(f"{installation.base}/admin/restaurant/menuitem/")
    check(page, rules=RULES)
    expect(page.get_by_role("button", name="Apply")).to_be_hidden()
    page.locator(".action-select").first.check()
    expect(page.get_by_role("button", name="Apply")).to_be_in_viewport()
    save = page.get_by_role("button", name="Save", exact=True)
    page.locator(".action-select").first.uncheck()
    expect(save).to_be_hidden()
    price = page.locator("#id_form-0-price")
    usual = price.input_value()
    unsaved = page.get_by_text("Not saved yet")
    expect(unsaved).to_be_hidden()
    price.fill("8.75")
    expect(save).to_be_in_viewport()
    expect(unsaved).to_be_visible()
    price.press("Enter")  # saves, and moves no row
    expect(page.locator(".messagelist")).to_contain_text("changed successfully")
    expect(price).to_have_value("8.75")
    price.fill(usual)  # other tests order the dish
    price.press("Enter")
    expect(page.locator(".messagelist")).to_contain_text("changed successfully")
    expect(price).to_have_value(usual)
    page.locator("#result_list tbody th a").first.click()
    expect(save).to_be_disabled()  # until something is changed
    name, discard = page.get_by_label("Name", exact=True), page.get_by_role("link", name="Discard")
    usual = name.input_value()
    name.fill("Another dish")
    expect(save).to_be_in_viewport()
    expect(save).to_be_enabled()
    expect(discard).to_be_in_viewport()
    open_what_is_folded(page)
    check(page, rules=RULES)
    sent = page.request.get(page.url).text()
    assert 'class="default" name="_save">' in sent  # without a script it can be saved
    assert "hidden>Discard</a>" in sent
    page.goto(f"{installation.base}/admin/")
    page.go_back()  # the browser fills in what was written
    expect(name).to_have_value("Another dish")
    expect(save).to_be_enabled()
    page.set_viewport_size({"width": 1280, "height": 800})
    name.fill(usual)
    expect(save).to_be_disabled()
    expect(save).to_be_visible()
    name.fill("Another dish")
    discard.click()
    expect(name).to_have_value(usual)
    expect(discard).to_be_hidden()
    expect(save).to_be_disabled()


def test_filters_open_one_at_a_time_and_close_by_the_keyboard(windows, installation):
    page = opened(windows, installation)
    page.goto(f"{installation.base}/admin/restaurant/order/")
    status, placed = page.locator("details.filter").nth(0), page.locator("details.filter").nth(1)
    status.locator("summary").press("Enter")
    expect(status.get_by_role("link", name="Completed")).to_be_visible()
    placed.locator("summary").click()
    expect(status.get_by_role("link", name="Completed")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(placed.get_by_role("link", name="Today")).to_be_hidden()
    expect(placed.locator("summary")).to_be_focused()
    status.locator("summary").click()
    status.get_by_role("link", name="Completed").click()
    expect(page.locator("details.filter").first.locator("summary")).to_have_text("Status: completed")
    page.get_by_role("link", name="Clear filters").click()
    expect(page.locator(".filter-chosen")).to_have_count(0)
    page.keyboard.press("/")
    expect(page.locator("#search-admin")).to_be_focused()
    page.keyboard.type("a/b")  # where somebody writes it is a letter
    expect(page.locator("#search-admin")).to_have_value("a/b")


def test_on_a_phone_filters_open_behind_one_button(windows, installation):
    page = opened(windows, installation, viewport={"width": 360, "height": 740})
    page.goto(f"{installation.base}/admin/loyalty/member/")
    filters = page.locator("details.filter")
    expect(filters.first).to_be_hidden()
    page.get_by_text("Filter", exact=True).click()
    expect(filters).to_have_count(5)
    for each in filters.all():
        expect(each).to_be_visible()
    check(page, rules=RULES)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.reload()
    expect(filters.first).to_be_visible()
    expect(filters.last).to_be_hidden()
    page.get_by_text("More filters", exact=True).click()
    expect(filters.last).to_be_visible()
    assert windows.complaints == []


def test_the_programme_is_explained_while_it_is_filled_in(windows, installation):
    page = opened(windows, installation)
    page.goto(f"{installation.base}/admin/loyalty/programme/")
    preview = page.get_by_role("region", name="What this means for a guest")
    expect(preview).to_contain_text("This follows what you fill in. Nothing changes until you save.")
    per_unit = page.get_by_label("Points per €1")
    per_unit.fill("3")
    expect(preview).to_contain_text("A bill of €40.00 gives 120 in bronze")
    expect(preview).to_contain_text("As filled in, and not saved yet.")
    per_unit.fill("")
    expect(preview).to_contain_text("Not all of these numbers can be saved.")
    expect(preview).to_contain_text("A bill of €40.00 gives 120 in bronze")  # the last that could be
    check(page, rules=RULES)
    assert windows.complaints == []


def test_the_explanation_of_the_programme_follows_what_the_browser_fills_in_and_is_old_without_an_answer(
    windows, installation
):
    page = opened(windows, installation)
    page.goto(f"{installation.base}/admin/loyalty/programme/")
    explained = page.locator(".programme-preview [data-part=sentences]")
    page.get_by_label("Points per €1").fill("7")
    expect(explained).to_contain_text("A bill of €40.00 gives 280 in bronze")
    page.goto(f"{installation.base}/admin/")
    page.go_back()
    expect(page.get_by_label("Points per €1")).to_have_value("7")
    expect(explained).to_contain_text("A bill of €40.00 gives 280 in bronze")
    expect(explained).not_to_have_class("is-old")
    page.route("**/preview/**", lambda route: route.abort())
    page.get_by_label("Points per €1").fill("8")
    expect(explained).to_have_class("is-old")
    page.unroute("**/preview/**")
    page.get_by_label("Points per €1").fill("9")
    expect(explained).to_contain_text("A bill of €40.00 gives 360 in bronze")
    expect(explained).not_to_have_class("is-old")
    page.route("**/preview/**", lambda route: route.fulfill(status=500))
    page.get_by_label("Points per €1").fill("8")
    expect(explained).to_have_class("is-old")


def test_an_unfolded_row_of_boxes_is_level_with_its_headings(windows, installation):
    page = opened(windows, installation, viewport={"width": 1280, "height": 800})
    for address in ("menuitem", "category", "table"):
        page.goto(f"{installation.base}/admin/restaurant/{address}/")
        middles = page.evaluate(
            """[".action-checkbox-column input", "th"]
            .flatMap((each) => [...document.querySelectorAll(`#result_list thead ${each}`)])
            .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect())
            .map((box) => box.top + box.height / 2)"""
        )
        assert len(middles) > 4, address
        assert max(middles) - min(middles) <= 1, (address, middles)


def test_a_dish_says_what_it_leaves_and_asks_until_when_it_is_sold_out_only_while_it_is(
    installation, windows, state_of
):
    page = windows.open(storage_state=state_of("manager"))
    page.goto(f"{installation.base}/admin/restaurant/menuitem/add/")
    until = page.get_by_label("Sold out until")
    expect(page.get_by_label("Available")).to_be_checked()
    expect(until).to_be_hidden()
    page.get_by_label("Available").uncheck()
    expect(until).to_be_visible()
    page.get_by_label("Price", exact=True).fill("7.00")
    page.get_by_label("Food cost").fill("1.20")
    margin = page.locator(".dish-margin")
    expect(margin).to_be_empty()  # without a rate nobody knows
    page.get_by_label("VAT rate").fill("23")
    expect(margin).to_have_text("Leaves €4.49 of €5.69 without VAT: 79%.")
    page.get_by_label("Food cost").fill("")
    expect(margin).to_be_empty()


def test_on_a_phone_erase_is_at_the_foot_of_a_members_page(installation, windows):
    page = opened(windows, installation, viewport={"width": 360, "height": 740})
    page.goto(f"{installation.base}/admin/loyalty/member/?q=Maeve")
    page.locator("#result_list tbody th a").first.click()
    ledger = page.locator(".ledger-rows").bounding_box()
    erase = page.get_by_role("link", name="Erase").bounding_box()
    assert ledger
    assert erase
    assert erase["y"] > ledger["y"] + ledger["height"]


def test_on_a_phone_the_filters_button_is_beside_the_search(installation, windows):
    page = opened(windows, installation, viewport={"width": 360, "height": 800})
    for address in ("loyalty/member", "restaurant/order", "restaurant/menuitem", "qrservice/code"):
        page.goto(f"{installation.base}/admin/{address}/")
        button = page.locator(".filters-toggle")
        search, beside = page.get_by_role("searchbox").bounding_box(), button.bounding_box()
        assert abs(search["y"] - beside["y"]) < 3
        button.click()
        assert button.bounding_box() == beside
        tops = [each.bounding_box()["y"] for each in page.locator("details.filter").all()]
        assert min(tops) > beside["y"] + beside["height"], address
        assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert windows.complaints == []


def test_a_members_email_is_seen_whole_and_the_printed_code_is_folded(installation, windows):
    found = "from loyalty.models import Member; print(Member.objects.filter(erased_at=None, qr_code_url__gt='')[0].pk)"
    page = opened(windows, installation, viewport={"width": 768, "height": 800})
    page.goto(f"{installation.base}/admin/loyalty/member/{installation.shell(found).split()[-1]}/change/")
    email = page.get_by_label("Email", exact=True)
    assert email.evaluate("(field) => field.scrollWidth <= field.clientWidth && field.clientWidth > 600")
    code = page.get_by_alt_text("QR code of this member")
    expect(code).to_be_hidden()
    page.get_by_text("Printed code").click()
    expect(code).to_be_visible()


PLACED = """
from restaurant.models import Order, TableSession
session = TableSession.objects.earliest("started_at")
order = Order.objects.create(table_id=session.table_id, session=session, status="preparing", total=9)
print(order.pk)
"""


def test_an_order_is_cancelled_from_a_menu_and_its_last_step_ends_where_its_sums_do(installation, windows):
    order = installation.shell(PLACED).split()[-1]
    try:
        page = opened(windows, installation)
        page.goto(f"{installation.base}/admin/restaurant/order/{order}/change/")
        for width in (768, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.locator(".order-way strong").count() == 4
            boxes = [page.locator(part).last.bounding_box() for part in (".order-way strong", ".order-items table")]
            step, sums = (box["x"] + box["width"] for box in boxes)
            assert abs(step - sums) <= 1, (step, sums)
        cancel = page.get_by_role("link", name="Cancel order")
        expect(cancel).to_be_hidden()
        page.get_by_text("More", exact=True).click()
        cancel.click()
        expect(page).to_have_url(re.compile("/cancel"))
    finally:
        installation.shell(f"from restaurant.models import Order; Order.objects.filter(pk='{order}').delete()")
