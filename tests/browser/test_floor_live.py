"""The floor on a waiter's phone: what happens is on it at once, and nothing is taken away from under a finger."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import requests
from playwright.sync_api import Page, expect

from tests.browser.cameras import CAMERA
from tests.browser.kitchen import COUNT_TONES
from tests.servers import PATIENCE

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def _a_table_of_its_own(orders):
    orders.sit_down()


@pytest.fixture
def phone(windows, state_of) -> Page:
    return windows.phone(storage_state=state_of("floor"))


@pytest.fixture
def floor(phone, orders) -> Page:
    return open_floor(phone, orders.base)


def open_floor(page: Page, base: str, path: str = "/floor") -> Page:
    """Opened, and connected to the socket: the page reads itself anew then."""
    with page.expect_response(lambda each: each.url.endswith(path) and each.request.resource_type == "fetch"):
        page.goto(base + path)
    return page


def call(orders, kind: str = "waiter") -> str:
    body = {"sessionId": orders.session, "kind": kind}
    response = requests.post(f"{orders.base}/table/{orders.table}/calls", json=body, timeout=PATIENCE)
    assert response.ok, response.text
    return response.json()["id"]


@pytest.fixture
def approval(installation):
    """Every order of a guest waits for a member of staff; undone afterwards."""

    def rule(values: str) -> None:
        code = f"from restaurant.models import OrderingRules; OrderingRules({values}).save()"
        installation.shell(code)

    rule("gate='approved'")
    yield
    rule("")


def test_a_call_comes_by_the_socket_and_is_done_once_also_on_a_phone_whose_clock_is_wrong(phone, orders):
    began = datetime.now(UTC) - timedelta(hours=3)
    phone.clock.install(time=began)
    phone.clock.pause_at(began + timedelta(seconds=1))  # it asks for nothing by itself
    floor = open_floor(phone, orders.base)
    floor.evaluate("window.isSamePage = true")
    found = floor.locator(f"#call-{call(orders, 'bill')}")
    expect(found).to_contain_text("Wants the bill")
    expect(found.locator("time")).to_have_text("now")
    expect(floor.locator("#announcer")).to_have_text(f"Table {orders.table} wants the bill")
    expect(floor.locator(f"#tile-{orders.table}")).to_contain_text("Wants the bill")
    floor.clock.resume()
    floor.clock.set_system_time(datetime.now(UTC))
    expect(floor.locator(f"#call-{call(orders)}").locator("time")).to_have_text("now")  # also once it is right
    posts = []
    floor.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    found.get_by_role("button", name="Done").dblclick()
    expect(found).to_have_count(0)
    assert len(posts) == 1
    assert floor.evaluate("window.isSamePage") is True


def test_calls_and_held_orders_sound_and_an_order_is_refused_or_approved(phone, orders, approval):
    phone.add_init_script(COUNT_TONES)
    floor = open_floor(phone, orders.base)
    expect(floor.locator("#sound-button")).to_have_attribute("data-sound", re.compile("blocked|on"))
    floor.get_by_role("heading", level=1).click()
    expect(floor.locator("#sound-button")).to_have_attribute("data-sound", "on")
    called = floor.locator(f"#call-{call(orders)}")
    floor.wait_for_function("() => tones === 3")
    called.get_by_role("button", name="Done").click()
    expect(called).to_have_count(0)
    refused = orders.place()
    floor.wait_for_function("() => tones === 5")
    found = floor.locator(f"#held-{refused}")
    found.locator("summary").click()
    floor.locator("#sound-button").click()
    expect(floor.locator("#sound-button")).to_have_attribute("data-sound", "off")
    order = orders.place(items=2)
    other = floor.locator(f"#held-{order}")
    expect(other.locator(".entries li")).to_have_count(2)
    assert floor.evaluate("tones") == 5
    reason = found.get_by_role("button", name="Sold out")
    expect(reason).to_be_visible()  # still open
    reason.click()
    expect(found).to_have_count(0)
    cancelled = requests.get(f"{orders.base}/orders/{refused}", timeout=PATIENCE).json()["cancelled"]
    assert (cancelled["by"], cancelled["reason"]) == ("staff", "sold_out")

    assert order not in [each["orderId"] for each in orders.all_open()]
    other.get_by_role("button", name="Approve").click()
    expect(other).to_have_count(0)
    expect(floor.locator(f"#tile-{orders.table}")).to_contain_text("Ordered")
    assert order in [each["orderId"] for each in orders.all_open()]


def test_what_the_bar_is_done_with_rings_and_is_carried_before_the_rest(phone, orders):
    phone.add_init_script(COUNT_TONES)
    floor = open_floor(phone, orders.base)
    floor.get_by_role("heading", level=1).click()
    expect(floor.locator("#sound-button")).to_have_attribute("data-sound", "on")
    order = orders.place(items=8)  # of the bar and of the stove
    items = next(each["items"] for each in orders.all_open() if each["orderId"] == order)
    drinks = [position for position, item in enumerate(items) if item["station"] == "bar"]
    assert 0 < len(drinks) < len(items)
    for position in drinks:
        orders._post(f"/orders/{order}/items/{position}/done", {"done": True})
    part = floor.locator(f"#ready-{order}-bar")
    expect(part).to_contain_text("Ready to carry: Bar")
    expect(floor.locator("#announcer")).to_contain_text(f"Ready to carry: table {orders.table}, Bar: 1 ")
    floor.wait_for_function("() => tones === 2")
    part.get_by_role("button", name="Served").click()
    expect(part).to_have_count(0)
    served = requests.get(f"{orders.base}/orders/{order}", timeout=PATIENCE).json()["items"]
    assert [position for position, item in enumerate(served) if item.get("served")] == drinks


def test_what_is_ready_is_folded_on_a_phone_and_served_on_the_tables_page(phone, orders):
    order = orders.place(items=3)
    orders.move(order, "ready")
    floor = open_floor(phone, orders.base)
    entries, fold = (floor.locator(f"#ready-{order}").locator(each) for each in (".entries", "summary"))
    expect(entries).to_be_hidden()
    fold.click()
    expect(entries.get_by_role("listitem")).to_have_count(3)
    expect(entries).to_be_visible()
    fold.click()
    floor.set_viewport_size({"width": 1280, "height": 800})  # beside the tables there is room for them
    expect(entries).to_be_visible()
    expect(fold).to_be_hidden()

    page = open_floor(phone, orders.base, f"/floor/tables/{orders.table}")
    later = page.locator(f"#order-{orders.place()}")
    expect(later).to_be_visible()
    found = page.locator(f"#order-{order}")
    found.get_by_role("button", name="Served").click()
    expect(found).to_contain_text("Served")
    expect(found.get_by_role("button", name="Served")).to_have_count(0)


def test_what_is_looked_at_and_focused_stays_where_it_is_and_the_section_for_the_next_visit(floor, orders):
    tile = floor.locator(f"#tile-{orders.table} a")
    tile.focus()
    tile.evaluate("each => each.scrollIntoView({ block: 'center' })")
    before = tile.bounding_box()["y"]
    assert floor.evaluate("scrollY") > 0
    expect(floor.locator(f"#call-{call(orders)}")).to_be_attached()
    expect(tile).to_contain_text("Calls")
    expect(tile).to_be_focused()
    assert abs(tile.bounding_box()["y"] - before) < 3

    floor.get_by_role("link", name="Kitchen tests").click()
    expect(floor).to_have_url(f"{orders.base}/floor?section=Kitchen%20tests")
    floor.goto(f"{orders.base}/floor")
    expect(floor.locator(f"#tile-{orders.table}")).to_be_visible()
    expect(floor.locator("#tile-1")).to_have_count(0)
    floor.get_by_role("link", name="All", exact=True).click()
    expect(floor.locator("#tile-1")).to_be_visible()


def test_a_lost_connection_is_said_and_neither_a_call_nor_a_tap_is_lost(floor, orders):
    found = floor.locator(f"#call-{call(orders)}")
    expect(found).to_be_visible()
    floor.context.set_offline(True)
    expect(floor.locator("#offline")).to_contain_text("Not connected since")
    missed = call(orders, "bill")
    found.get_by_role("button", name="Done").click()
    expect(found).to_contain_text("Not confirmed: no response. Please tap again.")
    floor.context.set_offline(False)
    expect(floor.locator(f"#call-{missed}")).to_be_visible()
    expect(floor.locator("#offline")).to_be_hidden()
    found.get_by_role("button", name="Done").click()
    expect(found).to_have_count(0)


def test_without_the_socket_the_page_asks_every_few_seconds(phone, orders):
    phone.clock.install()
    phone.route_web_socket(re.compile("^ws:"), lambda route: route.close())
    phone.goto(f"{orders.base}/floor")
    phone.clock.run_for(3_500)
    expect(phone.locator("#offline")).to_contain_text("Live updates are interrupted")
    made = call(orders)
    phone.clock.run_for(4_500)
    expect(phone.locator(f"#call-{made}")).to_be_visible()


def test_the_camera_of_a_table_s_page_reads_a_reward_for_its_bill_whatever_happens_meanwhile(phone, orders):
    phone.add_init_script(CAMERA)
    orders.place()
    floor = open_floor(phone, orders.base, f"/floor/tables/{orders.table}")
    floor.get_by_text("Use a guest's reward").click()
    floor.get_by_role("button", name="Open the camera").click()
    expect(floor.locator(f"#call-{call(orders)}")).to_be_visible()  # the page has read itself anew
    expect(floor.locator("video")).to_be_visible()
    floor.evaluate("(address) => { window.shown = address }", f"{orders.base}/use/RWD-ABCDEF")
    floor.wait_for_url(f"**/use/RWD-ABCDEF?tableNumber={orders.table}&sessionId={orders.session}")
