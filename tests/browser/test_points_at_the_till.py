"""The counter, in real windows: a card is scanned, points are given, a reward is redeemed and handed out."""

import re

import pytest
import requests
from playwright.sync_api import Page, expect

from tests import decoder
from tests.browser.cameras import CAMERA, NO_CAMERA, SLOW_CAMERA
from tests.browser.kitchen import stop_clock
from tests.servers import PATIENCE, Installation, wait_for

pytestmark = pytest.mark.browser


@pytest.fixture(scope="session")
def token(installation) -> str:
    return installation.token("cashier")


@pytest.fixture
def till(windows, installation, state_of, place) -> Page:
    """A cashier's phone, signed in, at the start of the till."""
    page = windows.open(storage_state=state_of("cashier"), viewport={"width": 360, "height": 740})
    page.goto(f"{installation.base}/till")
    # What it remembers once its place was chosen.
    page.context.add_cookies([{"name": "till_location", "value": place, "url": installation.base}])
    return page


@pytest.fixture(scope="session")
def place(installation) -> str:
    code = "from loyalty.models import Location; print(Location.objects.order_by('name').first().pk)"
    return installation.shell(code)


def regular(installation: Installation, name: str) -> tuple[str, str]:
    """A new member: the id, and what a reader that did not write it finds in the card's code."""
    email = f"{name.replace(' ', '.').lower()}@example.com"
    response = requests.post(f"{installation.base}/members", json={"email": email, "name": name}, timeout=PATIENCE)
    assert response.ok, response.text
    made = response.json()
    picture = requests.get(f"{made['qrCodeUrl']}?size=600", timeout=PATIENCE).content
    return made["customerId"], decoder.read(decoder.picture(picture))


def purchases(installation: Installation, token: str, customer_id: str) -> list[float]:
    headers = {"Authorization": f"Token {token}"}
    card = requests.get(f"{installation.base}/member/{customer_id}", headers=headers, timeout=PATIENCE).json()
    return [each["order_total"] for each in card["activity"] if each["order_total"] is not None]


def test_from_the_card_to_the_reward_in_the_guests_hand(till, windows, installation):
    name = "Bartholomew Featherstonehaugh-Wolfeschlegelsteinhausen"
    customer_id, address = regular(installation, name)
    till.goto(address)
    expect(till).to_have_url(f"{installation.base}/member/{customer_id}")
    expect(till.get_by_role("banner")).to_contain_text("Till")
    expect(till.get_by_role("heading", name=name)).to_be_visible()
    expect(till.locator("#orderTotal")).to_be_focused()

    till.keyboard.type("625,90")
    till.keyboard.press("Enter")
    expect(till.get_by_role("heading", name="€625.90?")).to_be_visible()
    windows.complaints.clear()  # the question is a refusal, which the console lists
    till.get_by_role("button", name="Give 625 points").click()
    expect(till.locator(".result")).to_have_text(re.compile(r"625 points earned\. New balance: 725\."))
    expect(till.locator(".balance")).to_contain_text("725")
    expect(till.get_by_role("button", name="Undo")).to_be_in_viewport()
    till.get_by_text("Take back", exact=True).click()

    till.get_by_role("link", name="Redeem Coffee on Us").click()
    till.get_by_role("button", name="Redeem").click()
    expect(till.locator(".result")).to_contain_text("Redeemed: Coffee on Us")
    till.get_by_role("link", name=re.compile("Hand out Coffee on Us, code RWD-")).click()
    expect(till.get_by_text("Valid", exact=True)).to_be_visible()
    code_page = till.url

    till.get_by_role("button", name=re.compile("Confirm")).click()
    expect(till.get_by_role("heading", name="Handed out")).to_be_visible()
    expect(till.get_by_role("button", name="Undo: not handed out")).to_be_in_viewport()
    assert windows.complaints == []

    till.goto(code_page)
    expect(till.get_by_role("heading", name="Already used")).to_be_visible()
    expect(till.get_by_text("Hand out anyway")).to_have_count(0)  # that is a manager's
    till.get_by_role("main").get_by_role("link", name="Next guest").click()
    expect(till.locator("#q")).to_be_focused()


def test_the_camera_opens_from_the_till_and_reads_a_card_or_says_that_it_is_refused(till, installation):
    customer_id, address = regular(installation, "Seen By Camera")
    till.add_init_script(CAMERA)
    till.goto(f"{installation.base}/till")
    scan = till.get_by_role("button", name="Open the camera")
    expect(scan).to_contain_text("For cards and rewards; a scanner works, too")

    def runs() -> bool:
        return till.evaluate("Boolean(window.camera?.getTracks().some((each) => each.readyState === 'live'))")

    panel, close = till.get_by_role("region", name="Hold the code in front of the camera"), till.locator(".scan button")
    for end in (close.click, lambda: close.press("Escape")):
        scan.press(" ")
        expect(panel).to_be_visible()
        expect(scan).to_be_hidden()
        expect(close).to_be_focused()
        wait_for(runs, "the camera")
        end()
        wait_for(lambda: not runs(), "the camera's end")
        expect(panel).to_be_hidden()
        expect(scan).to_be_focused()
    till.evaluate("""() => {
        window.allowed = navigator.mediaDevices.getUserMedia;
        navigator.mediaDevices.getUserMedia = async () => { throw new Error('refused') };
    }""")
    scan.click()
    expect(till.get_by_role("alert")).to_contain_text("The camera can't be used.")
    expect(till.locator("video")).to_be_hidden()
    close.click()
    till.evaluate("navigator.mediaDevices.getUserMedia = window.allowed")
    scan.click()
    wait_for(runs, "the camera again")
    expect(till.get_by_role("alert")).to_be_hidden()
    till.evaluate("(address) => { window.shown = address }", address)
    till.wait_for_url(f"**/member/{customer_id}")


RUNNING = "cameras.map((each) => each.getTracks().some((track) => track.readyState === 'live'))"


def test_of_two_openings_only_the_last_has_a_camera_and_looks(till, installation):
    till.add_init_script(SLOW_CAMERA)
    till.clock.install()
    till.goto(f"{installation.base}/till")
    scan, close = till.get_by_role("button", name="Open the camera"), till.get_by_role("button", name="Close")
    for _ in range(2):
        scan.click()
        expect(till.locator(".scan")).to_be_visible()
        close.click()
        expect(till.locator(".scan")).to_be_hidden()
    scan.click()
    wait_for(lambda: till.evaluate("waiting.length") == 3, "three questions")
    till.evaluate("waiting.splice(0).forEach((allow) => allow())")
    wait_for(lambda: till.evaluate(RUNNING) == [False, False, True], "the last one's camera alone")
    close.click()
    wait_for(lambda: till.evaluate(RUNNING) == [False, False, False], "its end")
    # A look from before is still to come.
    scan.click()
    wait_for(lambda: till.evaluate("waiting.length") == 1, "the question")
    till.evaluate("waiting.splice(0).forEach((allow) => allow())")
    wait_for(lambda: till.evaluate("cameras.length") == 4, "the camera")
    stop_clock(till)
    till.evaluate("looks = 0")
    till.clock.run_for(1000)
    assert 0 < till.evaluate("looks") <= 7


def test_without_a_reader_of_codes_or_a_camera_the_scan_waits_for_what_a_scanner_types(till, installation):
    customer_id, address = regular(installation, "Typed By Scanner")
    for script in ("", NO_CAMERA):
        till.add_init_script(script)
        till.goto(f"{installation.base}/till")
        till.locator("#q").blur()
        till.get_by_role("button", name="Scan a card or a reward").click()
        expect(till.locator("#q")).to_be_focused()
        expect(till.locator(".scan")).to_be_hidden()
        till.keyboard.type(address)
        till.keyboard.press("Enter")
        till.wait_for_url(f"**/member/{customer_id}")


def test_what_an_amount_gives_is_shown_while_it_is_typed_and_what_is_refused_stays(till, installation):
    customer_id, address = regular(installation, "Preview Golding")
    till.goto(address)
    gives = till.locator(".earn-gives")
    expect(gives).to_have_text("1 point for every €1")
    till.fill("#orderTotal", "1234,99")
    expect(gives).to_have_text("= 1,234 points")
    till.fill("#orderTotal", "1.05")
    expect(gives).to_have_text("= 1 point")
    for typed in ("0.99", "1,234.5", "twelve", f"{installation.base}/q/abcd1234", ""):
        till.fill("#orderTotal", typed)
        expect(gives).to_have_text("1 point for every €1")
    till.fill("#orderTotal", "1,234")
    till.get_by_role("button", name="Add points").click()
    expect(till.locator("#orderTotal")).to_have_accessible_description(re.compile("without a thousands separator"))
    expect(till.locator("#orderTotal")).to_have_value("1,234")
    gold = f"from loyalty.models import Member; Member.objects.filter(pk='{customer_id}').update(tier='gold')"
    installation.shell(gold)
    till.goto(address)
    expect(gives).to_have_text("1.5 points for every €1")
    till.fill("#orderTotal", "65.98")
    expect(gives).to_have_text("= 97 points")
    type_on_the_pad(till)
    expect(gives).to_have_text("= 97 points")
    till.get_by_role("button", name="Add points").click()
    expect(till.locator(".result")).to_contain_text("97 points earned")


def type_on_the_pad(till: Page) -> None:
    """65.98 again: on a wide screen, where somebody asks for the pad; a phone brings its own."""
    field, toggle = till.locator("#orderTotal"), till.get_by_role("button", name="Number pad")
    pad = till.get_by_role("group", name="Number pad")
    expect(toggle).to_be_hidden()
    till.set_viewport_size({"width": 1280, "height": 900})
    expect(pad).to_be_hidden()
    toggle.click()
    expect(field).to_be_focused()
    expect(field).to_have_attribute("inputmode", "none")
    field.select_text()
    for key in ("7", "Delete", "6", "5", ".", "9", "8"):
        pad.get_by_role("button", name=key, exact=True).click()
    expect(field).to_have_value("65.98")
    expect(field).to_be_focused()
    till.set_viewport_size({"width": 360, "height": 740})
    expect(pad).to_be_hidden()
    expect(field).to_have_attribute("inputmode", "decimal")


def test_points_count_once_after_a_double_click_and_whoever_comes_back_is_told(till, installation, token):
    customer_id, address = regular(installation, "Coming Back")
    till.goto(address)
    # In another place than the one it remembers.
    expect(till.get_by_label("Location")).to_be_hidden()
    till.get_by_text("Change", exact=True).click()
    chosen = till.locator("#locationId option").nth(1).inner_text()
    till.get_by_label("Location").select_option(label=chosen)
    till.fill("#orderTotal", "40")
    till.get_by_role("button", name="Add points").dblclick()
    expect(till.locator(".result")).to_contain_text("40 points earned")
    expect(till.locator(".folded-choice > summary")).to_contain_text(chosen)
    assert purchases(installation, token, customer_id) == [40]
    till.get_by_role("link", name="Next guest").click()
    till.wait_for_url("**/till")
    till.go_back()
    expect(till.locator(".notice-warn")).to_contain_text("40 for €40.00")
    expect(till.get_by_role("button", name="Add points")).to_be_enabled()


def test_points_whose_answer_was_lost_are_given_again_and_count_once(till, installation, token):
    customer_id, address = regular(installation, "Lost Answer")
    till.goto(address)
    lost = []

    def lose_the_first_answer(route):
        if lost:
            route.continue_()
            return
        lost.append(route.fetch(max_redirects=0).status)  # the server has it, and its answer never arrives
        route.abort()

    till.route("**/earn", lose_the_first_answer)
    till.fill("#orderTotal", "40")
    till.get_by_role("button", name="Add points").click()
    expect(till.locator("#unsure")).to_have_text("No response yet. Tap again: the points only count once.")
    till.get_by_role("button", name="Add points").click()
    expect(till.locator(".result")).to_contain_text("40 points earned. New balance: 140.")
    assert lost == [303]
    assert purchases(installation, token, customer_id) == [40]


def test_a_scanner_that_types_into_the_amount_opens_the_next_guest_and_no_reward(till, installation, token):
    first, second = regular(installation, "First Guest"), regular(installation, "Second Guest")
    till.goto(first[1])
    expect(till.locator("#orderTotal")).to_be_focused()
    till.keyboard.type(second[1])
    till.keyboard.press("Enter")
    expect(till.get_by_role("heading", name="Second Guest")).to_be_visible()
    assert purchases(installation, token, first[0]) == []

    active = "from loyalty.models import Redemption as R; print(R.objects.filter(status='active')[0].short_url)"
    reward = installation.shell(active).rpartition("/")[2]
    expect(till.locator("#orderTotal")).to_be_focused()
    till.keyboard.type(f"{installation.base}/Q/{reward}")
    till.keyboard.press("Enter")
    expect(till.get_by_role("alert")).to_contain_text("That was a reward's code, not a card.")
    assert purchases(installation, token, second[0]) == []
