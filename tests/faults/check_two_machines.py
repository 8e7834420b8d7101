"""Two machines with `serve` on one PostgreSQL, behind PgBouncer in transaction mode. Run by `make faults`."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from websockets.sync.client import connect

from tests.faults import __main__ as faults
from tests.faults.pooler import Addresses, pooled_database
from tests.servers import PATIENCE, Installation, wait_for

ORDERS = 300
LIMIT = 300
SOON = 6  # seconds: what a process remembers of the menu or a code, it forgets in five


@pytest.fixture(scope="module")
def addresses() -> Iterator[Addresses]:
    with pooled_database() as made:
        yield made


@pytest.fixture(scope="module")
def machines(addresses, tmp_path_factory) -> Iterator[tuple[Installation, Installation]]:
    environment = {
        **faults.NO_LIMITS,
        "DATABASE_URL": addresses.pooled,
        "DATABASE_DIRECT_URL": addresses.direct,
        "SECRET_KEY": "the same on both machines, and long enough for all that it signs",
        "LIMIT_SOLD_OUT_CHECKS": f"{LIMIT}/hour",
    }
    made = [
        Installation(tmp_path_factory.mktemp(name) / "data", options=(), environment=environment).start()
        for name in ("one", "other")
    ]
    yield made[0], made[1]
    for machine in made:
        assert machine.stop() == 0, machine.output


@pytest.fixture(scope="module")
def prepared(machines) -> dict:
    return json.loads(machines[0].shell("from tests.faults.prepare import prepare; prepare()"))


def at_once(call, numbers: range) -> list:
    with ThreadPoolExecutor(16) as pool:
        return list(pool.map(call, numbers))


def test_every_order_reaches_the_displays_of_both(machines, prepared):
    def order(number: int) -> str:
        body = {"sessionId": prepared["sessions"][0], "items": [{"menuItemId": prepared["item"], "quantity": 1}]}
        answered = requests.post(f"{machines[number % 2].base}/table/1/order", json=body, timeout=PATIENCE)
        assert answered.status_code == 200, answered.text
        return answered.json()["orderId"]

    displays = [connect(f"{machine.sockets}/?token={prepared['token']}", max_queue=None) for machine in machines]
    placed = at_once(order, range(ORDERS))
    assert len(set(placed)) == ORDERS
    for display in displays:
        with display:
            heard = [json.loads(display.recv(timeout=SOON)) for _ in range(ORDERS)]
            assert {message["type"] for message in heard} == {"new_order"}
            assert sorted(message["order"]["orderId"] for message in heard) == sorted(placed)
            with pytest.raises(TimeoutError):
                display.recv(timeout=1)


def test_what_sells_out_at_one_can_not_be_ordered_at_the_other(machines, prepared):
    one, other = machines
    headers = {"Authorization": f"Token {prepared['token']}"}
    there = f"{other.base}/table/2"
    assert "Soup" in requests.get(there, timeout=PATIENCE).text
    path = f"/menu/{prepared['item']}/availability"
    changed = requests.post(one.base + path, json={"available": False}, headers=headers, timeout=PATIENCE)
    assert changed.ok, changed.text
    order = {"sessionId": prepared["sessions"][1], "items": [{"menuItemId": prepared["item"], "quantity": 1}]}
    refused = requests.post(f"{there}/order", json=order, timeout=PATIENCE)
    assert refused.status_code == 400, refused.text
    wait_for(lambda: "Soup" not in json.dumps(requests.get(there, timeout=PATIENCE).json()["menu"]), "the menu", SOON)


def test_a_code_leads_elsewhere_at_both_within_seconds_of_a_change_at_one(machines, prepared):
    one, other = machines

    headers = {"X-API-Key": one.manage("create_api_key", "Menu boards").splitlines()[-1]}
    body = {"redirect_url": "https://example.com/menu"}
    made = requests.post(f"{one.base}/v1/generate/dynamic", json=body, headers=headers, timeout=PATIENCE).json()
    path = f"/v1/codes/{made['analytics_id']}"
    slug = one.shell(
        f"from qrservice.models import Code\nprint(Code.objects.get(analytics_id={made['analytics_id']!r}).slug)"
    )

    def leads_to(machine: Installation) -> str:
        scanned = requests.get(f"{machine.base}/q/{slug}", allow_redirects=False, timeout=PATIENCE)
        assert scanned.status_code in (301, 302, 307), scanned.text
        return scanned.headers["Location"]

    for number in range(3):
        leads_to(one), leads_to(other)  # both remember it now
        target = f"https://example.com/{number}"
        changed = requests.patch(one.base + path, json={"redirect_url": target}, headers=headers, timeout=PATIENCE)
        assert changed.ok, changed.text
        for machine in machines:
            wait_for(lambda machine=machine, target=target: leads_to(machine) == target, "the new target", 3)


def test_a_limit_holds_across_both(machines, prepared):
    def ask(number: int) -> int:
        return requests.get(f"{machines[number % 2].base}/table/1/sold-out", timeout=PATIENCE).status_code

    answered = at_once(ask, range(3 * LIMIT))
    assert set(answered) == {200, 429}
    assert 0.85 * LIMIT <= answered.count(200) <= 1.1 * LIMIT


def test_staff_sign_in_and_out_at_both(machines, prepared):
    one, other = machines
    cookie = one.cookie("owner")
    jar = {cookie["name"]: cookie["value"]}
    for machine in machines:
        till = requests.get(f"{machine.base}/till", cookies=jar, allow_redirects=False, timeout=PATIENCE)
        assert till.status_code == 200
    jar["csrftoken"] = "c" * 32
    sent = {"csrfmiddlewaretoken": jar["csrftoken"]}
    left = requests.post(f"{one.base}/sign-out", data=sent, cookies=jar, allow_redirects=False, timeout=PATIENCE)
    assert left.status_code == 302, left.text
    refused = requests.get(f"{other.base}/till", cookies=jar, allow_redirects=False, timeout=PATIENCE)
    assert refused.status_code == 401
