"""A dinner: six phones, twenty dishes, three of them shared by three, two rates, everything that changes a bill."""

import json
import uuid
from decimal import Decimal
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.servers import Installation

pytestmark = pytest.mark.browser

TABLE = 40
# Twenty dishes at two rates, service for parties of eight, an open drawer, and a code for 10 % off.
PREPARE = """
import json
from decimal import Decimal
from django.contrib.auth.models import User
from restaurant.models import CashDrawer, MenuItem, OrderingRules
from loyalty.models import Member, Reward
from loyalty.rewards.services import redemptions
from restaurant.tables.services import tables
tables.create(table_number=40, section="Garden", capacity=8)
OrderingRules.objects.update_or_create(pk=1, defaults={"service_percent": 10, "service_from_covers": 8})
plain = MenuItem.objects.filter(available=True, portions=None, sold_out_until=None, option_groups=None)
items = list(plain.exclude(category__in=[]).order_by("name")[:20])
for number, item in enumerate(items):
    MenuItem.objects.filter(pk=item.pk).update(vat_rate=Decimal("19" if number % 2 else "7"))
drawer = CashDrawer.objects.create(name="Bar")
reward = Reward.objects.create(name="A tenth off", points_required=1, reward_value={"discount_percent": 10})
member = Member.objects.filter(points_balance__gte=1, erased_at=None).first()
code = redemptions.redeem(member_id=str(member.pk), reward_id=str(reward.pk), expected_price=None).code
print(json.dumps({"items": [str(item.pk) for item in items], "drawer": drawer.pk, "code": code}))
"""
SEND = """async ([path, body, key]) => {
    const headers = {"Content-Type": "application/json", Accept: "application/json"};
    if (key) headers["Idempotency-Key"] = key;
    const token = document.querySelector("[name=csrfmiddlewaretoken]");  // of staff
    if (token) headers["X-CSRFToken"] = token.value;
    const answer = await fetch(path, {method: "POST", headers, body: JSON.stringify(body)});
    return [answer.status, await answer.json()];
}"""
READ = "(path) => fetch(path, {headers: {Accept: 'application/json'}}).then((answer) => answer.json())"


@pytest.fixture
def restaurant(tmp_path, used):
    made = Installation(tmp_path / "d").copy_data(used).start()
    yield made
    made.end()


def send(page: Page, path: str, body: dict, *, key: str = "", status: int = 201) -> Any:
    found, answer = page.evaluate(SEND, [path, body, key])
    assert found == status, answer
    return answer


def lose_the_next_response(page: Page, path: str) -> None:
    """The server does what it is asked, and the connection is cut before it has said so."""

    def cut(route: Route) -> None:
        route.fetch(max_redirects=0)
        route.abort()

    page.route(path, cut, times=1)


def cents(amount: float) -> int:
    return round(amount * 100)


def test_a_dinner_of_eight_is_paid_to_the_cent(windows, chromium, restaurant):
    base, found = restaurant.base, json.loads(restaurant.shell(PREPARE))
    waiter = windows.open(storage_state={"cookies": [restaurant.cookie("floor")]})
    manager = windows.open(storage_state={"cookies": [restaurant.cookie("manager")]})
    for page in (waiter, manager):
        page.goto(f"{base}/floor")
    send(manager, f"/drawers/{found['drawer']}/open", {"float": 100}, status=200)

    # Twenty dishes from six phones; of one the connection is cut after the order, which it sends again.
    phones = [windows.phone() for _ in range(6)]
    for phone in phones:
        phone.goto(f"{base}/table/{TABLE}")
    session = waiter.evaluate(READ, f"/floor/tables/{TABLE}")["session"]["id"]
    bill_path = f"/table/{TABLE}/bill?sessionId={session}"
    orders = []
    for number, phone in enumerate(phones):
        dishes = found["items"][number::6]
        body = {"sessionId": session, "items": [{"menuItemId": item, "quantity": 1} for item in dishes]}
        key = uuid.uuid4().hex
        if number == 3:
            lose_the_next_response(phone, f"**/table/{TABLE}/order")
            with pytest.raises(Exception, match="Failed to fetch"):
                phone.evaluate(SEND, [f"/table/{TABLE}/order", body, key])
        answer = send(phone, f"/table/{TABLE}/order", body, key=key, status=200)
        orders.append((answer["orderId"], len(dishes)))
    assert sum(count for _order, count in orders) == 20
    assert len(waiter.evaluate(READ, f"/floor/tables/{TABLE}")["orders"]) == 6

    # Service for eight, a dish on the house, ten percent for a regular, and a reward.
    send(waiter, f"/table/{TABLE}/covers", {"covers": 8}, status=200)
    comp = {"kind": "comp", "items": [{"orderId": orders[5][0], "position": 0}], "reason": "wait"}
    send(manager, f"/table/{TABLE}/adjustments", comp)
    send(manager, f"/table/{TABLE}/adjustments", {"kind": "discount", "percent": 10, "reason": "regular"})
    used = send(waiter, f"/use/{found['code']}/confirm", {"tableNumber": TABLE, "sessionId": session}, status=200)
    assert used["applied"]["amount"] < 0
    bill = waiter.evaluate(READ, bill_path)
    assert [each["kind"] for each in bill["adjustments"]].count("discount") == 2
    assert cents(bill["total"]) == cents(bill["subtotal"]) + sum(cents(each["amount"]) for each in bill["adjustments"])
    assert sum(cents(tax["gross"]) for tax in bill["taxes"]) == cents(bill["total"])

    # Everybody pays what they had, and three share three bottles.
    shared = [{"orderId": orders[number][0], "position": 0, "share": "1/3"} for number in range(3)]
    for number, phone in enumerate(phones):
        order, count = orders[number]
        own = [{"orderId": order, "position": place} for place in range(1 if number < 3 else 0, count)]
        items = own + (shared if number < 3 else [])
        part = {"name": f"Guest {number}", "items": items}
        send(phone, f"/table/{TABLE}/parts", {"sessionId": session, "by": "items", "parts": [part]})
    bill = waiter.evaluate(READ, bill_path)
    assert sum(cents(part["total"]) for part in bill["parts"]) == cents(bill["total"])

    # Five cards; while they pay, the floor says what is left within two seconds.
    floor = windows.open(storage_state={"cookies": [restaurant.cookie("floor")]})
    floor.goto(f"{base}/floor/tables/{TABLE}")
    left = cents(bill["total"])
    for part in bill["parts"][:5]:
        send(waiter, f"/table/{TABLE}/payments", {"sessionId": session, "method": "card", "partId": part["id"]})
        left -= cents(part["due"])
        expect(floor.locator("#sums")).to_contain_text(f"{left / 100:.2f}", timeout=2000)

    # The sixth pays cash at the waiter's phone, whose connection is cut: the second tap takes nothing more.
    phone_of_waiter = windows.phone(storage_state={"cookies": [restaurant.cookie("floor")]})
    phone_of_waiter.goto(f"{base}{bill_path}")
    phone_of_waiter.get_by_role("radio", name="Guest 5").check()
    phone_of_waiter.get_by_role("radio", name="Cash").check()
    phone_of_waiter.get_by_label("Handed over").fill("200")
    lose_the_next_response(phone_of_waiter, f"**/table/{TABLE}/payments")
    take = phone_of_waiter.get_by_role("button", name="Take payment")
    take.tap()
    expect(phone_of_waiter.locator("#unsure")).to_be_visible()
    take.tap()
    expect(phone_of_waiter.get_by_text("This bill is paid")).to_be_visible()

    paid = waiter.evaluate(READ, bill_path)
    assert (paid["due"], len(paid["payments"]), cents(paid["paid"])) == (0, 6, cents(paid["total"]))
    receipts = [waiter.evaluate(READ, f"/table/{TABLE}/receipt?sessionId={session}&partId={part['id']}")
                for part in paid["parts"]]  # fmt: skip
    for tax in paid["taxes"]:
        shares = [each for receipt in receipts for each in receipt["taxes"] if each["rate"] == tax["rate"]]
        for name in ("net", "tax", "gross"):
            assert sum(cents(share[name]) for share in shares) == cents(tax[name])
    assert len({receipt["number"] for receipt in receipts}) == 6

    # What should be in the drawer is what is in it, and the books are what the journal says.
    send(waiter, f"/table/{TABLE}/close", {"sessionId": session}, status=200)
    cash = next(cents(payment["amount"]) for payment in paid["payments"] if payment["method"] == "cash")
    counted = float(Decimal(10_000 + cash) / 100)
    closed = send(manager, f"/drawers/{found['drawer']}/close", {"amount": counted}, status=200)
    assert (closed["expected"], closed["difference"]) == (counted, 0)
    restaurant.manage("seal_journal")
    assert "The books are what the journal says" in restaurant.manage("verify_journal")
