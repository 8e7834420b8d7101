"""Whose a call is, on phones that are open: it rings where it belongs, and falls silent where somebody else goes."""

import pytest
import requests
from playwright.sync_api import expect

from tests.browser.kitchen import COUNT_TONES
from tests.servers import PATIENCE

pytestmark = pytest.mark.browser

SOON = 8000  # milliseconds: before the page would have asked anyway


@pytest.fixture
def table(orders, installation) -> int:
    """The waiter has it; what nobody goes to is everybody's after four seconds."""

    def prepare(seconds: int, tables: list[int]) -> None:
        rules = f"OrderingRules.objects.update_or_create(pk=1, defaults={{'escalate_after': {seconds}}})"
        installation.shell(f"from restaurant.models import OrderingRules; {rules}")
        mine = requests.post(
            f"{orders.base}/floor/mine", json={"tables": tables}, headers=orders.headers, timeout=PATIENCE
        )
        assert mine.json() == {"tables": tables}

    orders.sit_down()
    prepare(4, [orders.table])
    yield orders.table
    prepare(45, [])


def test_it_rings_for_the_waiter_then_for_all_and_for_nobody_once_somebody_goes(windows, state_of, orders, table):
    waiter, manager = (windows.phone(storage_state=state_of(name)) for name in ("floor", "manager"))
    for phone in (waiter, manager):
        phone.add_init_script(COUNT_TONES)
        with phone.expect_response(lambda each: each.url.endswith("/floor") and each.request.resource_type == "fetch"):
            phone.goto(f"{orders.base}/floor")
        phone.get_by_role("heading", level=1).click()
        expect(phone.locator("#sound-button")).to_have_attribute("data-sound", "on")
    body = {"sessionId": orders.session, "kind": "waiter"}
    made = requests.post(f"{orders.base}/table/{table}/calls", json=body, timeout=PATIENCE).json()
    row = f"#call-{made['id']}"
    waiter.wait_for_function("() => tones === 3")
    expect(manager.locator(f"#others {row}")).to_have_count(1)
    assert manager.evaluate("tones") == 0
    # Nobody goes, and nothing happens that would be announced.
    manager.wait_for_function("() => tones === 3", timeout=SOON)
    expect(manager.locator(f"#calls {row}[data-sounds]")).to_contain_text("Nobody has gone")
    # The waiter's phone has not heard that the manager goes.
    waiter.route("**/floor", lambda route: route.abort())
    manager.locator(row).get_by_role("button", name="I'll go").click()
    expect(manager.locator(row)).to_contain_text("You have it")
    expect(manager.locator(f"{row}[data-sounds]")).to_have_count(0)
    waiter.route("**/take", lambda route: (waiter.unroute("**/floor"), route.continue_()))
    waiter.locator(row).get_by_role("button", name="I'll go").click()
    expect(waiter.locator("#toast")).to_contain_text("has it")
    expect(waiter.locator(row)).to_contain_text("has it")
    expect(waiter.locator(f"{row}[data-sounds]")).to_have_count(0)
    waiter.locator(row).get_by_role("button", name="Done").click()
    for phone in (waiter, manager):
        expect(phone.locator(row)).to_have_count(0)
