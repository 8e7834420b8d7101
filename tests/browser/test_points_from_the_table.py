"""A guest orders, enrols for the points that wait, says no once, and sees them arrive when the table is closed."""

import re

import pytest
import requests
from playwright.sync_api import expect

from tests.browser import menu
from tests.servers import PATIENCE

pytestmark = pytest.mark.browser

TABLE = 4


def test_a_guest_collects_from_the_first_order_to_the_closed_table(installation, windows):
    phone = windows.phone()
    phone.goto(f"{installation.base}/table/{TABLE}")
    menu.order(phone, "Nocellara Olives")
    first = phone.url
    points = phone.locator("[data-part='points']")
    expect(points.get_by_role("heading")).to_have_text(re.compile(r"^\s*\d+ points wait for you\s*$"))
    points.get_by_role("link", name="Collect them").tap()
    phone.get_by_label("Your name").fill("Grace Hopper")
    phone.get_by_label("Email").fill("grace.hopper@example.com")
    phone.get_by_role("button", name="Get my card and collect").tap()
    phone.wait_for_url(first)
    expect(points).to_contain_text("will be collected on Grace's card when your table is closed.")

    # The next order is not to earn. How many points the total earns is known of the one that the page came with.
    phone.get_by_role("link", name="Order more").tap()
    menu.add(phone, "Nocellara Olives")
    menu.open_cart(phone)
    collect = phone.get_by_role("checkbox", name="Collect points on Grace's card")
    earns = phone.get_by_text(re.compile(r"^\s*It earns \d+ points\.\s*$"))
    expect(collect).to_be_checked()
    expect(earns).to_be_visible()
    phone.get_by_role("button", name="One more").tap()
    expect(earns).to_be_hidden()
    phone.get_by_role("button", name="One fewer").tap()
    expect(earns).to_be_visible()
    with phone.expect_response(lambda response: '"collect":false' in (response.request.post_data or "")):
        collect.uncheck()
    expect(earns).to_be_hidden()
    phone.reload()
    expect(collect).not_to_be_checked()
    menu.place_order(phone)
    expect(points.get_by_role("button", name="Collect on Grace's card")).to_be_visible()

    phone.goto(first)
    staff = {"Authorization": f"Token {installation.token('floor')}"}
    seen = requests.get(f"{installation.base}/floor", headers=staff, timeout=PATIENCE).json()
    own = next(each["session"] for each in seen["tables"] if each["tableNumber"] == TABLE)
    address, body = f"{installation.base}/table/{TABLE}/close", {"sessionId": own["id"]}
    assert requests.post(address, json=body, headers=staff, timeout=PATIENCE).status_code == 200
    expect(points).to_contain_text("are on Grace's card.")  # without a reload
    points.get_by_role("link", name="See your card").tap()
    expect(phone.get_by_role("main")).to_contain_text("Purchase at Fig & Fennel Orchard Row")
    assert windows.complaints == []
