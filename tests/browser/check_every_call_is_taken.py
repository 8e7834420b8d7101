"""An evening of 200 calls and three waiters: one phone is dead and one locked. Times are scaled down."""

import json
import time
from statistics import median

import pytest
import requests

from tests.servers import Installation

pytestmark = pytest.mark.browser

CALLS = 200
AT_ONCE = 6  # calls that are open
ESCALATE_AFTER = 6.0  # seconds, for 45
UNSEEN = 2 * ESCALATE_AFTER  # for 90
SILENT_WITHIN = 1.0  # seconds, not scaled
PATIENCE = 600.0
# Of forty tables each of three has ten, and nobody the rest.
PREPARE = f"""
import json
from django.contrib.auth.models import Group, User
from restaurant.floor.services.owners import take_tables
from restaurant.models import OrderingRules, TableCall, TableSession
from restaurant.tables.services import tables
OrderingRules.objects.update_or_create(pk=1, defaults={{"escalate_after": {ESCALATE_AFTER}}})
TableCall.objects.all().delete()
sessions = {{}}
for number in range(51, 91):
    sessions[number] = str(TableSession.objects.create(table=tables.create(table_number=number, section="Hall")).pk)
for first, name in ((51, "ana"), (61, "ben"), (71, "cleo"), (0, "wall")):
    user = User.objects.create(username=name)
    user.groups.add(Group.objects.get(name="Floor"))
    if first:
        take_tables(user=user, numbers=range(first, first + 10), sections=[])
print(json.dumps(sessions))
"""
ROWS = """
import json
from restaurant.models import TableCall
calls = TableCall.objects.select_related("session__table")
print(json.dumps([
    [str(call.pk), call.table.table_number, call.created_at.timestamp(), call.taken_at.timestamp(), call.taken_by_name]
    for call in calls
]))
"""
# Whoever has this phone goes to what it rings for.
GOES = """() => {
    window.taps = {};
    setInterval(() => {
        for (const item of document.querySelectorAll("#calls > [data-sounds]")) {
            const button = item.querySelector("form[data-send=take] button");
            if (!button || button.disabled) continue;
            taps[item.id] = (taps[item.id] ?? 0) + 1;
            button.click();
        }
    }, 100);
}"""
# When a call that rang here rings no more.
LISTENS = """() => {
    window.silent = {};
    setInterval(() => {
        for (const item of document.querySelectorAll("[id^=call-][data-sounds]")) silent[item.id] ??= 0;
        for (const id of Object.keys(silent).filter((each) => !silent[each])) {
            if (!document.getElementById(id)?.hasAttribute("data-sounds")) silent[id] = Date.now() / 1000;
        }
    }, 20);
}"""


@pytest.fixture
def restaurant(tmp_path, used):
    made = Installation(tmp_path / "d").copy_data(used).start()
    yield made
    made.end()


def test_each_call_is_taken_once_none_is_unseen_and_the_others_fall_silent(windows, chromium, restaurant):
    sessions = json.loads(restaurant.shell(PREPARE))
    phones = {}
    for name in ("ana", "ben", "cleo"):
        phones[name] = windows.phone(storage_state={"cookies": [restaurant.cookie(name)]})
        phones[name].goto(f"{restaurant.base}/floor")
    phones["wall"] = windows.open(storage_state={"cookies": [restaurant.cookie("wall")]})
    phones["wall"].goto(f"{restaurant.base}/floor?all=1")
    phones["ana"].evaluate(GOES)
    phones["ben"].context.set_offline(True)
    for name in ("cleo", "wall"):
        phones[name].evaluate(LISTENS)

    staff = requests.Session()
    staff.headers.update({"Authorization": f"Token {restaurant.token('ana')}", "Accept": "application/json"})
    made, deadline = 0, time.monotonic() + PATIENCE
    while True:
        assert time.monotonic() < deadline
        waiting = staff.get(f"{restaurant.base}/floor").json()["calls"]
        if made == CALLS and not waiting:
            break
        silent = phones["wall"].evaluate("silent")
        for call in waiting:  # done once the others are silent, so that it is the taking that silences them
            if call.get("takenBy") and silent.get(f"call-{call['id']}", True):
                assert staff.post(f"{restaurant.base}/calls/{call['id']}/done").status_code == 200
        taken = {call["tableNumber"] for call in waiting}
        while made < CALLS and len(taken) < AT_ONCE and (number := 51 + made % 40) not in taken:
            body = {"sessionId": sessions[str(number)], "kind": "waiter"}
            response = requests.post(f"{restaurant.base}/table/{number}/calls", json=body, timeout=PATIENCE)
            assert response.status_code == 201
            taken.add(number)
            made += 1

    rows = json.loads(restaurant.shell(ROWS))
    assert len(rows) == CALLS
    assert {name for *_, name in rows} == {"ana"}
    assert phones["ana"].evaluate("taps") == {f"call-{pk}": 1 for pk, *_ in rows}
    waits = {pk: taken_at - created_at for pk, _number, created_at, taken_at, _name in rows}
    assert max(waits.values()) < UNSEEN
    of_others = [waits[pk] for pk, number, *_ in rows if 61 <= number <= 80]
    assert len(of_others) == CALLS // 2
    assert min(of_others) >= ESCALATE_AFTER
    for name, count in (("wall", CALLS), ("cleo", CALLS // 2)):  # hers, and nobody's; the rest if it waits
        silent = phones[name].evaluate("silent")
        after = [
            silent[f"call-{pk}"] - taken_at
            for pk, _number, _created_at, taken_at, _name in rows
            if f"call-{pk}" in silent
        ]
        assert len(after) >= count * 0.9
        assert median(after) < SILENT_WITHIN
    print(f"waited at most {max(waits.values()):.1f} s; silent after {median(after):.2f} s")
