"""The counter, in real windows: a card is scanned, points are given, a reward is redeemed and handed out."""

import re

import pytest
import requests
from playwright.sync_api import Page, expect

from tests import decoder
from tests.browser import accessible
from tests.servers import Installation, wait_for

pytestmark = pytest.mark.browser

WIDTHS = (320, 360, 1280, 1920)


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
    response = requests.post(f"{installation.base}/members", json={"email": email, "name": name}, timeout=10)
    assert response.ok, response.text
    made = response.json()
    picture = requests.get(f"{made['qrCodeUrl']}?size=600", timeout=10).content
    return made["customerId"], decoder.read(decoder.picture(picture))


def purchases(installation: Installation, token: str, customer_id: str) -> list[float]:
    headers = {"Authorization": f"Token {token}"}
    card = requests.get(f"{installation.base}/member/{customer_id}", headers=headers, timeout=10).json()
    return [each["order_total"] for each in card["activity"] if each["order_total"] is not None]


def check(page: Page) -> None:
    """Without violations at the smallest and the largest width, and nothing wider than the window at any."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 740})
        assert accessible.overflow(page) <= 0, f"{page.url} is too wide for {width}"
        if width in (320, 1280):
            accessible.check(page)
    page.set_viewport_size({"width": 360, "height": 740})


def test_from_the_card_to_the_reward_in_the_guests_hand(till, windows, installation):
    name = "Bartholomew Featherstonehaugh-Wolfeschlegelsteinhausen"
    customer_id, address = regular(installation, name)
    check(till)
    till.goto(address)
    expect(till).to_have_url(f"{installation.base}/member/{customer_id}")
    expect(till.get_by_role("heading", name=name)).to_be_visible()
    expect(till.locator("#orderTotal")).to_be_focused()
    check(till)

    till.keyboard.type("625,90")
    till.keyboard.press("Enter")
    expect(till.get_by_role("heading", name="€625.90?")).to_be_visible()
    check(till)
    windows.complaints.clear()  # the question is a refusal, which the console lists
    till.get_by_role("button", name="Give 625 points").click()
    expect(till.locator(".result")).to_have_text(re.compile(r"625 points earned\. New balance: 725\."))
    expect(till.locator(".balance")).to_contain_text("725")
    expect(till.get_by_role("button", name="Undo")).to_be_in_viewport()
    till.get_by_text("Take back", exact=True).click()
    check(till)

    till.get_by_role("link", name="Redeem Coffee on Us").click()
    till.get_by_role("button", name="Redeem").click()
    expect(till.locator(".result")).to_contain_text("Redeemed: Coffee on Us")
    check(till)
    till.get_by_role("link", name=re.compile("Hand out Coffee on Us, code RWD-")).click()
    expect(till.get_by_text("Valid", exact=True)).to_be_visible()
    code_page = till.url
    check(till)

    confirm = till.get_by_role("button", name=re.compile("Confirm"))
    assert confirm.bounding_box()["height"] >= 64
    confirm.click()
    expect(till.get_by_role("heading", name="Handed out")).to_be_visible()
    expect(till.get_by_role("button", name="Undo: not handed out")).to_be_in_viewport()
    check(till)
    assert windows.complaints == []

    till.goto(code_page)
    expect(till.get_by_role("heading", name="Already used")).to_be_visible()
    expect(till.get_by_text("Hand out anyway")).to_have_count(0)  # that is a manager's
    check(till)
    till.get_by_role("main").get_by_role("link", name="Next guest").click()
    expect(till.locator("#q")).to_be_focused()


# This browser has no reader of codes of its own: one that reads what is set, and a camera that shows a canvas.
CAMERA = """
window.BarcodeDetector = class {
  static async getSupportedFormats() { return ["qr_code"]; }
  async detect() { return window.shown ? [{ rawValue: window.shown }] : []; }
};
navigator.mediaDevices.enumerateDevices = async () => [{ kind: "videoinput" }];
navigator.mediaDevices.getUserMedia = async () => {
  const canvas = document.createElement("canvas");
  canvas.getContext("2d").fillRect(0, 0, 9, 9);
  return (window.camera = canvas.captureStream());
};
"""


def test_the_camera_opens_from_the_till_and_reads_a_card(till, installation):
    customer_id, address = regular(installation, "Seen By Camera")
    till.add_init_script(CAMERA)
    till.goto(f"{installation.base}/till")
    scan = till.get_by_role("button", name="Open the camera")
    assert scan.bounding_box()["y"] < 200
    assert scan.bounding_box()["height"] >= 104
    expect(scan).to_contain_text("for cards and rewards; a scanner works, too")

    def runs() -> bool:
        return till.evaluate("Boolean(window.camera?.getTracks().some((each) => each.readyState === 'live'))")

    panel, close = till.get_by_role("region", name="Hold the code in front of the camera"), till.locator(".scan button")
    for end in (close.click, lambda: close.press("Escape")):
        scan.press(" ")
        expect(panel).to_be_visible()
        expect(scan).to_be_hidden()
        expect(close).to_be_focused()
        check(till)
        wait_for(runs, "the camera")
        end()
        wait_for(lambda: not runs(), "the camera's end")
        expect(panel).to_be_hidden()
        expect(scan).to_be_focused()
    scan.click()
    wait_for(runs, "the camera again")
    till.evaluate("(address) => { window.shown = address }", address)
    till.wait_for_url(f"**/member/{customer_id}")


# Each opening waits until it is allowed, and each camera and each look is kept.
SLOW_CAMERA = f"""{CAMERA}
window.cameras = [];
window.waiting = [];
window.looks = 0;
const camera = navigator.mediaDevices.getUserMedia;
navigator.mediaDevices.getUserMedia = async () => {{
  await new Promise((allow) => window.waiting.push(allow));
  const stream = await camera();
  window.cameras.push(stream);
  return stream;
}};
BarcodeDetector.prototype.detect = async () => {{
  window.looks += 1;
  return [];
}};
"""
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
    till.evaluate("looks = 0")
    till.clock.run_for(1000)
    assert 0 < till.evaluate("looks") <= 7


def test_a_camera_that_is_refused_says_what_to_do(till, installation):
    till.add_init_script(CAMERA + "navigator.mediaDevices.getUserMedia = async () => { throw new Error('refused') };")
    till.goto(f"{installation.base}/till")
    till.get_by_role("button", name="Open the camera").click()
    expect(till.get_by_role("alert")).to_contain_text("The camera can't be used.")
    expect(till.locator("video")).to_be_hidden()
    check(till)


NO_CAMERA = CAMERA + "navigator.mediaDevices.enumerateDevices = async () => [{ kind: 'audioinput' }];"


@pytest.mark.parametrize("script", ["", NO_CAMERA], ids=["no reader of codes", "no camera"])
def test_without_a_camera_the_scan_waits_for_what_a_scanner_types(till, installation, script):
    till.add_init_script(script)
    customer_id, address = regular(installation, f"Typed By Scanner{len(script)}")
    till.goto(f"{installation.base}/till")
    till.locator("#q").blur()
    till.get_by_role("button", name="Scan a card or a reward").click()
    expect(till.locator("#q")).to_be_focused()
    expect(till.locator(".scan")).to_be_hidden()
    till.keyboard.type(address)
    till.keyboard.press("Enter")
    till.wait_for_url(f"**/member/{customer_id}")


def test_the_other_pages_fit_and_read_well(till, installation):
    for path in ("/", "/till?q=an", "/till?q=nobody-has-this-name", "/use/RWD-AAAAAA"):
        till.goto(f"{installation.base}{path}")
        check(till)


def test_a_verdict_and_what_to_do_about_it_are_one_card_at_every_width(till, windows, installation):
    till.goto(f"{installation.base}/use/RWD-ZZZZZZ")
    windows.complaints.clear()  # the code is unknown, which the console lists
    for width in (360, 768, 1280):
        till.set_viewport_size({"width": width, "height": 740})
        card, verdict, act = (till.locator(each).bounding_box() for each in (".verdict-page", ".verdict", ".confirm"))
        assert verdict["y"] + verdict["height"] <= act["y"] + 1
        assert abs(2 * (act["x"] - card["x"]) + act["width"] - card["width"]) <= 2
        assert card["x"] + card["width"] / 2 == pytest.approx(width / 2, abs=8)  # of a scroll bar
        assert act["y"] - verdict["y"] - verdict["height"] < 48


def test_the_header_names_the_till_beside_the_way_to_the_next_guest(till, installation):
    till.goto(regular(installation, "Header Till")[1])
    named = till.locator(".shell-here")
    expect(named).to_have_text("Till")
    next_guest = till.get_by_role("banner").get_by_role("link", name="Next guest").bounding_box()
    box = named.bounding_box()
    assert box["width"] > 20
    assert box["x"] + box["width"] < next_guest["x"]


def test_a_refused_amount_is_read_with_the_field_it_belongs_to(till, installation):
    till.goto(regular(installation, "Refused Amount")[1])
    till.fill("#orderTotal", "1,234")
    till.get_by_role("button", name="Add points").click()
    expect(till.locator("#orderTotal")).to_have_accessible_description(re.compile("without a thousands separator"))
    expect(till.locator("#orderTotal")).to_have_value("1,234")
    check(till)


def test_what_an_amount_gives_is_shown_while_it_is_typed(till, installation, place):
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
    gold = f"from loyalty.models import Member; Member.objects.filter(pk='{customer_id}').update(tier='gold')"
    installation.shell(gold)
    till.reload()
    expect(gives).to_have_text("1.5 points for every €1")
    till.fill("#orderTotal", "65.98")
    expect(gives).to_have_text("= 97 points")
    check(till)
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
    accessible.check(till)
    field.select_text()
    for key in ("7", "Delete", "6", "5", ".", "9", "8"):
        pad.get_by_role("button", name=key, exact=True).click()
    expect(field).to_have_value("65.98")
    expect(field).to_be_focused()
    till.set_viewport_size({"width": 360, "height": 740})
    expect(pad).to_be_hidden()
    expect(field).to_have_attribute("inputmode", "decimal")


def test_a_remembered_location_is_changed_in_place(till, installation):
    till.goto(regular(installation, "Other Location")[1])
    expect(till.get_by_label("Location")).to_be_hidden()
    till.get_by_text("Change", exact=True).click()
    check(till)
    chosen = till.locator("#locationId option").nth(1).inner_text()
    till.get_by_label("Location").select_option(label=chosen)
    till.fill("#orderTotal", "10")
    till.get_by_role("button", name="Add points").click()
    expect(till.locator(".where-kept summary")).to_contain_text(chosen)


def test_a_double_click_gives_points_once(till, installation, token):
    customer_id, address = regular(installation, "Double Click")
    till.goto(address)
    till.fill("#orderTotal", "40")
    till.get_by_role("button", name="Add points").dblclick()
    expect(till.locator(".result")).to_contain_text("40 points earned")
    assert purchases(installation, token, customer_id) == [40]


def test_who_comes_back_to_a_guest_is_told_what_was_given_already(till, installation):
    address = regular(installation, "Coming Back")[1]
    till.goto(address)
    till.fill("#orderTotal", "40")
    till.get_by_role("button", name="Add points").click()
    expect(till.locator(".result")).to_contain_text("40 points earned")
    till.get_by_role("link", name="Next guest").click()
    till.wait_for_url("**/till")
    till.go_back()
    expect(till.locator(".notice-warn")).to_contain_text("40 for €40.00")
    expect(till.get_by_role("button", name="Add points")).to_be_enabled()
    check(till)


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
    check(till)
    till.get_by_role("button", name="Add points").click()
    expect(till.locator(".result")).to_contain_text("40 points earned. New balance: 140.")
    assert lost == [303]
    assert purchases(installation, token, customer_id) == [40]


def test_a_scanner_that_types_into_the_amount_opens_the_next_guest(till, installation, token):
    first, second = regular(installation, "First Guest"), regular(installation, "Second Guest")
    till.goto(first[1])
    expect(till.locator("#orderTotal")).to_be_focused()
    till.keyboard.type(second[1])
    till.keyboard.press("Enter")
    expect(till.get_by_role("heading", name="Second Guest")).to_be_visible()
    assert purchases(installation, token, first[0]) == []


def test_a_reward_that_is_scanned_into_the_amount_gives_no_points_and_a_sentence(till, installation, token):
    customer_id, address = regular(installation, "Reward Scanned")
    active = "from loyalty.models import Redemption as R; print(R.objects.filter(status='active')[0].short_url)"
    reward = installation.shell(active).rpartition("/")[2]
    till.goto(address)
    expect(till.locator("#orderTotal")).to_be_focused()
    till.keyboard.type(f"{installation.base}/Q/{reward}")
    till.keyboard.press("Enter")
    expect(till.get_by_role("alert")).to_contain_text("That was a reward's code, not a card.")
    check(till)
    assert purchases(installation, token, customer_id) == []
