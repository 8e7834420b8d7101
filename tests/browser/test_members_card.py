"""A guest becomes a member on a small phone, and carries the card in it."""

import itertools
import re

import pytest
import requests
from playwright.sync_api import Page, expect

from tests import decoder
from tests.browser.accessible import check
from tests.servers import wait_for

pytestmark = pytest.mark.browser

numbers = itertools.count(1)
SMALL = {"viewport": {"width": 320, "height": 640}}


@pytest.fixture(scope="module")
def location(installation) -> dict[str, str]:
    code = "from loyalty.models import Location as L; each = L.objects.first(); print(each.pk, each.short_url)"
    location_id, address = installation.shell(code).split()[-2:]
    return {"id": location_id, "address": f"{installation.base}/q/{address.rpartition('/')[2]}"}


@pytest.fixture(scope="module")
def token(installation) -> str:
    return installation.token("cashier")


@pytest.fixture
def phone(windows, location) -> Page:
    """At 320 pixels, after the location's code was scanned and the two fields were filled in."""
    phone = windows.phone(**SMALL)
    phone.goto(location["address"])
    expect(phone.get_by_role("heading", level=1)).to_have_text("100 points to get you started")
    check(phone)
    sign_up(phone, f"ada{next(numbers)}@example.com")
    phone.wait_for_url("**/member/*")
    return phone


def sign_up(phone: Page, email: str) -> None:
    phone.get_by_label("Your name").fill("Ada Byrne-Fitzgerald")
    phone.get_by_label("Email").fill(email)
    phone.get_by_role("button", name="Get my card").tap()


def member_id(phone: Page) -> str:
    return member_id_of(phone.url)


def member_id_of(address: str) -> str:
    return re.search(r"/member/([0-9a-f-]{36})", address)[1]


def too_small(phone: Page) -> list[str]:
    """What a thumb would miss."""
    return phone.evaluate(
        "[...document.querySelectorAll('main :is(a, button, input:not([type=hidden]), summary)')]"
        ".filter((e) => e.checkVisibility() && (e.closest('label') ?? e).getBoundingClientRect().height < 43.5)"
        ".map((e) => e.outerHTML)"
    )


def test_the_first_screen_of_the_card_is_read_by_a_scanner(phone, installation):
    check(phone)
    assert too_small(phone) == []
    card = phone.url
    code = phone.get_by_role("img", name="Your card's code")
    assert code.bounding_box()["width"] > 0.7 * 320
    wait_for(lambda: code.evaluate("(image) => image.complete && image.naturalWidth > 0"), "the picture")
    address = decoder.read(decoder.picture(phone.screenshot()))
    assert re.fullmatch(rf"{installation.base}/Q/[0-9A-Z]{{8}}", address, re.IGNORECASE)
    phone.goto(address)
    assert phone.url == card


def test_the_button_that_gets_a_card_is_in_the_first_view(windows, installation, location):
    phone = windows.phone(viewport={"width": 360, "height": 720})
    for query in ("", f"?location={location['id']}"):
        phone.goto(f"{installation.base}/signup{query}")
        expect(phone.get_by_role("button", name="Get my card")).to_be_in_viewport(ratio=1)
    phone.get_by_role("link", name="I already have a card").tap()
    phone.wait_for_url("**/member-sign-in")


def test_a_second_tap_sends_nothing_while_the_first_is_under_way(windows, installation):
    phone = windows.phone(**SMALL)
    phone.goto(f"{installation.base}/signup")
    phone.get_by_label("Your name").fill("Ada")
    phone.get_by_label("Email").fill(f"ada{next(numbers)}@example.com")
    under_way = []
    # Playwright marks the function it is given, which a built-in one does not allow.
    phone.route("**/members", lambda route: under_way.append(route))  # noqa: PLW0108
    phone.get_by_role("button", name="Get my card").evaluate("(it) => { it.click(); setTimeout(() => it.click(), 50) }")
    phone.wait_for_timeout(300)
    assert len(under_way) == 1
    under_way[0].continue_()
    phone.wait_for_url("**/member/*")


def test_a_reward_is_redeemed_and_its_code_is_read_by_a_scanner(phone, installation, location, token):
    earn = {"customerId": member_id(phone), "locationId": location["id"], "orderTotal": 950}
    headers = {"Authorization": f"Token {token}"}
    requests.post(f"{installation.base}/earn", json=earn, headers=headers, timeout=10).raise_for_status()
    phone.reload()
    expect(phone.locator(".balance")).to_have_text("1,050 points")
    expect(phone.locator("#celebration")).to_have_text("You have reached Silver. Thank you for coming back.")
    check(phone)
    phone.reload()
    expect(phone.locator("#celebration")).to_be_empty()
    phone.get_by_role("link", name=re.compile("^Redeem")).first.tap()
    phone.wait_for_url("**/redeem?*")
    check(phone)
    assert too_small(phone) == []
    phone.get_by_role("button", name="Redeem").tap()
    phone.wait_for_url("**?show=RWD-*")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Reward: Coffee on Us")
    expect(phone.get_by_text("Redeemed:")).to_be_visible()
    answer = requests.get(scanned(phone), headers=headers | {"Accept": "application/json"}, timeout=10)
    assert answer.json()["redemption"]["code"] == phone.locator(".code-text").inner_text()
    reward_ground = ground(phone)

    phone.get_by_role("link", name="Your card").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Your card")
    answer = requests.get(scanned(phone), headers={"Accept": "application/json"}, timeout=10)
    assert answer.json()["customerId"] == member_id(phone)
    assert ground(phone) != reward_ground
    phone.get_by_role("link", name="Close").tap()
    expect(phone.get_by_role("link", name="Show the code for Coffee on Us")).to_be_visible()
    expect(phone.get_by_role("link", name="Redeem Coffee on Us")).to_have_count(0)
    phone.get_by_role("link", name="Show the code for Coffee on Us").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Reward: Coffee on Us")
    phone.get_by_role("link", name="Close").tap()
    phone.get_by_text("Give a code back for its points").tap()
    expect(phone.get_by_role("button", name="Give Coffee on Us back for 150 points")).to_be_visible()
    check(phone)
    assert too_small(phone) == []
    phone.get_by_role("link", name="Rewards", exact=True).tap()  # in the first screen
    expect(phone.get_by_role("heading", name="Ready to redeem")).to_be_visible()
    check(phone)
    assert too_small(phone) == []
    expect(phone.get_by_role("heading", name="Your codes")).to_be_visible()
    phone.get_by_role("link", name="Show code for Coffee on Us").tap()
    phone.set_viewport_size({"width": 360, "height": 740})
    expect(phone.get_by_role("button", name="Redeem another")).to_be_hidden()
    expect(phone.get_by_role("img", name="Code for Coffee on Us")).to_be_in_viewport(ratio=1)
    check(phone)
    phone.get_by_text("One more for ").tap()
    expect(phone.get_by_role("button", name="Redeem another for 150 points")).to_be_in_viewport(ratio=1)
    check(phone)
    assert too_small(phone) == []
    phone.get_by_text("One more for ").tap()
    phone.get_by_role("link", name="Full screen: my code").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Reward: Coffee on Us")


def test_the_code_full_screen_keeps_the_screen_on_and_closes_in_three_ways(phone):
    phone.add_init_script(
        "const ask = WakeLock.prototype.request; window.asked = [];"
        "WakeLock.prototype.request = function (kind) { asked.push(kind); return ask.call(this, kind); }"
    )
    card = phone.url
    alone = f"{card}?show=card"
    larger = phone.get_by_role("link", name="Full screen")
    for close in (
        lambda: phone.get_by_role("heading", level=1).tap(),
        lambda: phone.keyboard.press("Escape"),
        phone.go_back,
    ):
        larger.tap()
        phone.wait_for_url(alone)
        assert phone.evaluate("asked") == ["screen"]
        close()
        phone.wait_for_url(card)
    phone.goto(alone)  # where nothing is to go back to
    phone.keyboard.press("Escape")
    phone.wait_for_url(card)


def test_how_to_keep_the_card_on_the_home_screen_is_offered_until_it_is_declined(phone):
    offer = phone.get_by_role("heading", name="Keep your card on your home screen")
    expect(offer).to_be_visible()
    expect(phone.get_by_text("Open your browser's menu")).to_be_visible()  # which has it in every browser
    expect(phone.get_by_role("button", name="Add to home screen")).to_be_hidden()
    check(phone)
    # Chromium without a window never offers it.
    ask = """() => {
        const event = new Event("beforeinstallprompt", { cancelable: true });
        event.prompt = () => (window.prompted = true);
        window.dispatchEvent(event);
        return event.defaultPrevented;
    }"""
    assert phone.evaluate(ask)
    expect(offer).to_be_visible()
    expect(phone.get_by_text("Open your browser's menu")).to_be_hidden()
    check(phone)
    assert too_small(phone) == []
    phone.get_by_role("button", name="Add to home screen").tap()
    assert phone.evaluate("window.prompted")
    expect(offer).to_be_hidden()
    phone.evaluate("localStorage.clear()")
    phone.reload()
    phone.evaluate(ask)
    phone.get_by_role("button", name="Not now").tap()
    phone.reload()
    expect(offer).to_be_hidden()
    phone.evaluate(ask)
    expect(offer).to_be_hidden()


def scanned(phone: Page) -> str:
    """What a scanner reads in a window with one code, which needs no scrolling and is accessible at any width."""
    code = phone.get_by_role("img")
    wait_for(lambda: code.evaluate("(image) => image.complete && image.naturalWidth > 0"), "the picture")
    for width in (1280, 1920, 320):
        phone.set_viewport_size({"width": width, "height": 640})
        expect(code).to_be_in_viewport(ratio=1)
        check(phone)
    assert too_small(phone) == []
    return decoder.read(decoder.picture(phone.screenshot()))


def ground(phone: Page) -> str:
    return phone.evaluate("getComputedStyle(document.body).backgroundColor")


def test_coming_back_checks_in_and_signing_out_leaves_a_guest(phone, location, installation, token):
    card = phone.url
    phone.goto(location["address"])
    expect(phone.get_by_role("heading", level=1)).to_have_text("Welcome, Ada")
    expect(phone.get_by_text("Checked in at")).to_be_visible()
    check(phone)
    earn = {"customerId": member_id_of(card), "locationId": location["id"], "orderTotal": 5}
    headers = {"Authorization": f"Token {token}"}
    requests.post(f"{installation.base}/earn", json=earn, headers=headers, timeout=10).raise_for_status()
    phone.reload()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Welcome back")
    expect(phone.get_by_text("Your last visit here was at")).to_be_visible()
    check(phone)
    phone.get_by_role("link", name=re.compile(r"^Your card: Ada .*points")).tap()
    phone.get_by_role("link", name="Account").tap()
    phone.wait_for_url("**/account")
    check(phone)
    assert too_small(phone) == []
    phone.get_by_role("button", name="Sign out").tap()
    phone.wait_for_url(f"{installation.base}/")
    phone.goto(card)
    expect(phone.get_by_role("heading", name="Is this your card?")).to_be_visible()
    check(phone)


def test_a_member_changes_their_details_and_agrees_to_offers(phone):
    phone.get_by_role("link", name="Account").tap()
    phone.get_by_label("Name").fill("Ada King")
    phone.get_by_label("Phone").fill("+353 20 917 0142")
    phone.get_by_label("Send me offers by email").check()
    phone.get_by_role("button", name="Save").tap()
    expect(phone.get_by_role("status")).to_have_text("Your details are saved.")
    expect(phone.get_by_label("Name")).to_have_value("Ada King")
    expect(phone.get_by_label("Phone")).to_have_value("+353 20 917 0142")
    expect(phone.get_by_label("Send me offers by email")).to_be_checked()
    check(phone)
    assert too_small(phone) == []
    phone.get_by_label("Name").fill(" ")
    phone.get_by_role("button", name="Save").tap()
    expect(phone.get_by_role("alert")).to_contain_text("Nothing was saved.")
    expect(phone.get_by_label("Name")).to_have_accessible_description("This field may not be blank.")
    check(phone)


def test_the_ladders_numbers_stand_under_their_steps_and_apart(phone):
    phone.get_by_role("link", name="Rewards", exact=True).tap()
    for width in (320, 360, 768, 1280):
        phone.set_viewport_size({"width": width, "height": 740})
        labels = [each.bounding_box() for each in phone.locator(".ladder .amount").all()]
        steps = [each.bounding_box() for each in phone.locator(".ladder li").all()]
        assert len(labels) == len(steps) > 2
        for label, step in zip(labels, steps, strict=True):
            middle = step["x"] + step["width"] - 6  # half a dot
            assert abs(label["x"] + label["width"] / 2 - middle) < 1, width
        for left, right in itertools.pairwise(labels):
            assert left["x"] + left["width"] < right["x"], width
        card = phone.locator(".rewards-balance").bounding_box()
        assert labels[-1]["x"] + labels[-1]["width"] < card["x"] + card["width"], width


def email_of(phone: Page) -> str:
    """From the card, by the account's page, which stays open."""
    phone.get_by_role("link", name="Account").tap()
    return phone.locator("summary", has_text="Email").locator(".soft").inner_text()


def test_signing_up_again_leads_to_the_card_by_a_link_in_a_mail(phone, windows, installation):
    card, email = phone.url, email_of(phone)
    other = windows.phone(**SMALL)
    other.goto(f"{installation.base}/signup")
    sign_up(other, "ada@nowhere")
    expect(other.get_by_text("Enter a valid email address.")).to_be_visible()
    check(other)
    sign_up(other, email)
    expect(other.get_by_role("heading", name="You already have a card")).to_be_visible()
    check(other)
    other.get_by_role("button", name="Email me a link to my card").tap()
    expect(other.get_by_role("heading", level=1)).to_have_text("Check your inbox")
    check(other)
    mails = rf"To: {re.escape(email)}\n.*?({re.escape(installation.base)}/member-sign-in/\S+)"
    link = wait_for(lambda: re.search(mails, installation.output, re.DOTALL), "the mail")[1]
    other.goto(link)
    check(other)
    other.get_by_role("button", name="Open my card").tap()
    other.wait_for_url(card)
    assert email_of(other) == email
    other.goto(link)
    expect(other.get_by_text("This link has already been used")).to_be_visible()
    check(other)


def test_a_member_sees_what_expires_takes_their_data_and_leaves(phone, installation):
    use = "from loyalty.models import Programme as P; "
    installation.shell(use + "P.objects.update_or_create(defaults={'expires_after_months': 12})")
    card, email = phone.url, email_of(phone)
    phone.goto(card)
    expect(phone.locator(".expiring")).to_contain_text("100 points expire on")
    check(phone)
    installation.shell(use + "P.objects.all().delete()")
    phone.get_by_role("link", name="Account").tap()
    with phone.expect_download() as download:
        phone.get_by_role("link", name="Download your data").tap()
    assert email in download.value.path().read_text()
    phone.get_by_role("link", name="Leave the programme").tap()
    phone.get_by_role("button", name="Email me a link").tap()
    mails = rf"To: {re.escape(email)}\n.*?({re.escape(installation.base)}/member-sign-in/\S+)"
    phone.goto(wait_for(lambda: re.search(mails, installation.output, re.DOTALL), "the mail")[1])
    phone.get_by_role("button", name="Open my card").tap()
    phone.wait_for_url(card)
    phone.get_by_role("link", name="Account").tap()
    phone.get_by_role("link", name="Leave the programme").tap()
    expect(phone.get_by_role("listitem").first).to_contain_text("100 points")
    check(phone)
    assert too_small(phone) == []
    phone.get_by_role("button", name="Delete my data and leave").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("You have left the programme")
    check(phone)
