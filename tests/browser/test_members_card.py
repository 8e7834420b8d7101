"""A guest becomes a member on a small phone, and carries the card in it."""

import re

import pytest
import requests
from playwright.sync_api import Page, expect

from tests import decoder
from tests.servers import PATIENCE, wait_for

pytestmark = pytest.mark.browser

SMALL = {"viewport": {"width": 320, "height": 640}}


@pytest.fixture(scope="module")
def location(installation) -> dict[str, str]:
    code = "from loyalty.models import Location as L; each = L.objects.first(); print(each.pk, each.short_url)"
    location_id, address = installation.shell(code).split()[-2:]
    return {"id": location_id, "address": f"{installation.base}/q/{address.rpartition('/')[2]}"}


def fill_in(phone: Page, email: str) -> None:
    phone.get_by_label("Your name").fill("Ada Byrne-Fitzgerald")
    phone.get_by_label("Email").fill(email)


def scanned(phone: Page) -> str:
    """What a scanner reads of the page's code, which needs no scrolling."""
    code = phone.get_by_role("img", name=re.compile("code", re.IGNORECASE))
    expect(code).to_be_in_viewport(ratio=1)
    wait_for(lambda: code.evaluate("(image) => image.complete && image.naturalWidth > 0"), "the picture")
    return decoder.read(decoder.picture(phone.screenshot()))


ASKED = """window.asked = []; const ask = WakeLock.prototype.request;
WakeLock.prototype.request = function (kind) { asked.push(kind); return ask.call(this, kind); }"""
# Chromium without a window never offers it.
OFFER = """() => {
    const event = new Event("beforeinstallprompt", { cancelable: true });
    event.prompt = () => (window.prompted = true);
    window.dispatchEvent(event);
    return event.defaultPrevented;
}"""


def test_a_guest_signs_up_and_keeps_the_card_at_hand(windows, installation, location):
    phone = windows.phone(**SMALL)
    phone.add_init_script(ASKED)
    phone.goto(location["address"])
    expect(phone.get_by_role("heading", level=1)).to_have_text("100 points to get you started")
    fill_in(phone, "ada@example.com")
    # A second tap sends nothing while the first is under way.
    sent = []
    phone.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    get = phone.get_by_role("button", name="Get my card")
    get.evaluate("(button) => { button.click(); setTimeout(() => button.click()); }")
    phone.wait_for_url("**/member/*")
    assert len(sent) == 1

    card = phone.url
    address = scanned(phone)
    assert re.fullmatch(rf"{installation.base}/Q/[0-9A-Z]{{8}}", address, re.IGNORECASE)
    phone.goto(address)
    assert phone.url == card
    # Full screen it keeps the screen on, and closes in three ways.
    alone = f"{card}?show=card"
    for close in (
        lambda: phone.get_by_role("heading", level=1).tap(),
        lambda: phone.keyboard.press("Escape"),
        phone.go_back,
    ):
        phone.get_by_role("link", name="Full screen").tap()
        phone.wait_for_url(alone)
        assert phone.evaluate("asked") == ["screen"]
        close()
        phone.wait_for_url(card)
    phone.goto(alone)  # where nothing is to go back to
    assert scanned(phone) == address
    phone.keyboard.press("Escape")
    phone.wait_for_url(card)

    # How to keep it on the home screen is offered until it is declined.
    offer = phone.get_by_role("heading", name="Keep your card on your home screen")
    by_menu, add = phone.get_by_text("Open your browser's menu"), phone.get_by_role("button", name="Add to home screen")
    expect(offer).to_be_visible()
    expect(by_menu).to_be_visible()  # which has it in every browser
    expect(add).to_be_hidden()
    assert phone.evaluate(OFFER)
    expect(offer).to_be_visible()
    expect(by_menu).to_be_hidden()
    add.tap()
    expect(offer).to_be_hidden()
    assert phone.evaluate("window.prompted")
    phone.evaluate("localStorage.clear()")
    phone.reload()
    expect(offer).to_be_visible()
    phone.evaluate(OFFER)
    phone.get_by_role("button", name="Not now").tap()
    phone.reload()
    expect(offer).to_be_hidden()
    phone.evaluate(OFFER)
    expect(offer).to_be_hidden()


def test_a_new_tier_is_celebrated_once_and_the_code_of_a_reward_is_read_by_a_scanner(windows, installation, location):
    phone = windows.phone(**SMALL)
    phone.goto(f"{installation.base}/signup")
    fill_in(phone, "ben@example.com")
    phone.get_by_role("button", name="Get my card").tap()
    phone.wait_for_url("**/member/*", wait_until="load")
    member = phone.url.rpartition("/")[2]
    headers = {"Authorization": f"Token {installation.token('cashier')}", "Accept": "application/json"}
    earn = {"customerId": member, "locationId": location["id"], "orderTotal": 950}
    requests.post(f"{installation.base}/earn", json=earn, headers=headers, timeout=PATIENCE).raise_for_status()
    phone.reload()
    expect(phone.get_by_text("1,050 points", exact=True)).to_be_visible()
    celebration = phone.locator("#celebration")
    expect(celebration).to_have_text("You have reached Silver. Thank you for coming back.")
    phone.reload()
    expect(phone.get_by_text("1,050 points", exact=True)).to_be_visible()
    expect(celebration).to_be_empty()
    phone.get_by_role("link", name="Redeem Coffee on Us").tap()
    phone.get_by_role("button", name="Redeem").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Reward: Coffee on Us")
    redemption = requests.get(scanned(phone), headers=headers, timeout=PATIENCE).json()["redemption"]
    expect(phone.get_by_text(redemption["code"], exact=True)).to_be_visible()
    assert windows.complaints == []
