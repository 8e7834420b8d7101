"""Orders a second, beside what pgbench reaches with the same SQL statements; and did every display get every one?

    .venv/bin/python -m tests.benchmarks.orders

One Granian worker, 32 connections over 50 table sessions, 3 items an order, 20 connected displays; 10 seconds, three
rounds of each in turn; the same with three options an item. Afterwards: orders stored = responses with 200 =
`new_order` messages that each display got.
"""

import contextlib
import json
import statistics
import threading
import time
import uuid

import psycopg
from websockets.sync.client import connect

from tests.benchmarks import statements
from tests.benchmarks.figures import record
from tests.benchmarks.load import load, median
from tests.servers import Installation, installed

ROUNDS = 3
SESSIONS = 50
DISPLAYS = 20
SECONDS = 10
CHECKED = 1600  # orders, at the beginning

POST = """
math.randomseed(%(seed)d)
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
request = function()
  local number = math.random(1, %(sessions)d)
  local session = string.format("00000000-0000-4000-8000-%%012d", number)
  return wrk.format(nil, "/table/" .. number .. "/order", nil, '{"sessionId": "' .. session .. '", "items": %(items)s}')
end
"""


def session_id(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


# --- in the installation's own process --------------------------------------------------------------


def prepare() -> None:
    """Make tables, their sessions and a menu; print the entries of an order, a token, and a pgbench script of one."""
    from django.contrib.auth.models import Group, User

    from config.models import StaffToken
    from restaurant.menu.services.menu import changing
    from restaurant.models import ItemOptionGroup, MenuItem, Option, OptionGroup, Table, TableSession

    tables = Table.objects.bulk_create(Table(table_number=number) for number in range(1, SESSIONS + 1))
    TableSession.objects.bulk_create(TableSession(id=session_id(table.table_number), table=table) for table in tables)
    menu = MenuItem.objects.bulk_create(
        MenuItem(name=f"Dish {number}", price="9.50", category=f"Category {number % 8}") for number in range(50)
    )
    items = [{"menuItemId": str(item.pk), "quantity": 1} for item in menu[:3]]
    with changing():
        group = OptionGroup.objects.create(name="Extras", max_choices=3)
        options = Option.objects.bulk_create(
            Option(group=group, name=f"Extra {number}", price="0.50", allergens={"nuts": "free"}) for number in range(8)
        )
        ItemOptionGroup.objects.bulk_create(ItemOptionGroup(item=item, group=group) for item in menu[3:])
    chosen = [str(option.pk) for option in options[:3]]
    with_options = [{"menuItemId": str(item.pk), "quantity": 1, "options": chosen} for item in menu[3:6]]
    caller(with_options)(0)
    cook = User.objects.create_user("cook")
    cook.groups.add(Group.objects.get(name="Floor"))
    token = StaffToken.objects.create(user=cook, name="benchmark")[1]
    call = caller(items)
    call(0)
    sql = statements.seen(lambda: call(0))
    order_id = next(statement for statement in sql if "pg_notify" in statement).partition('"orderId": "')[2][:36]
    table = "(SELECT id::text FROM restaurant_table WHERE table_number = :number)"
    statements.stored.update(item.pk.hex for item in menu)
    replaced = {
        order_id: "lpad(to_hex(:order), 32, '0')",
        session_id(1): "'00000000-0000-4000-8000-' || lpad(:number::text, 12, '0')",
        str(tables[0].pk): table,
    }
    settings = [f"\\set number random(1, {SESSIONS})", f"\\set order random(1, {2**62})"]
    script = statements.script(settings, sql, replaced)
    entries = {"items": json.dumps(items), "with_options": json.dumps(with_options)}
    print(json.dumps({**entries, "token": token, "script": script}))


def caller(items: list[dict]):
    from django.test import Client

    client = Client(headers={"Host": "127.0.0.1"})

    def call(number: int):
        table = 1 + number % SESSIONS
        body = {"sessionId": session_id(table), "items": items}
        response = client.post(f"/table/{table}/order", body, content_type="application/json")
        assert response.status_code == 200, response.content
        return response

    return call


# --- from outside -----------------------------------------------------------------------------------


class Displays:
    """Connected displays that note the order of every `new_order` that they get."""

    def __init__(self, address: str) -> None:
        self.heard: list[list[str]] = [[] for _ in range(DISPLAYS)]
        self.sockets = [connect(address, max_size=None) for _ in range(DISPLAYS)]
        self.threads = [
            threading.Thread(target=self._listen, args=(socket, heard), daemon=True)
            for socket, heard in zip(self.sockets, self.heard, strict=True)
        ]
        for thread in self.threads:
            thread.start()

    @staticmethod
    def _listen(socket, heard: list[str]) -> None:
        with contextlib.suppress(Exception):
            for text in socket:
                message = json.loads(text)
                if message["type"] == "new_order":
                    heard.append(message["order"]["orderId"])

    def wait_for(self, count: int, patience: float = 60) -> None:
        deadline = time.monotonic() + patience
        while min(map(len, self.heard)) < count and time.monotonic() < deadline:
            time.sleep(0.2)

    def close(self) -> None:
        for socket in self.sockets:
            socket.close()


def ordered(installation: Installation, items: list[dict], count: int) -> set[str]:
    """So many orders from 32 threads: the ids in the responses."""
    from concurrent.futures import ThreadPoolExecutor

    import requests

    def placed(number: int) -> list[str]:
        with requests.Session() as guest:
            body = {"sessionId": session_id(number), "items": items}
            address = f"{installation.base}/table/{number}/order"
            responses = [guest.post(address, json=body, timeout=30) for _ in range(count // 32)]
            return [response.json()["orderId"] for response in responses if response.status_code == 200]

    with ThreadPoolExecutor(32) as pool:
        return {order_id for ids in pool.map(placed, range(1, 33)) for order_id in ids}


def measure(installation: Installation) -> None:
    prepared = json.loads(installation.shell("from tests.benchmarks import orders; orders.prepare()"))
    script, lua = installation.data_dir / "orders.sql", installation.data_dir / "orders.lua"
    script.write_text(prepared["script"])
    wrong = check(installation, prepared)  # before the load, which leaves orders under way
    ours, reference, options = [], [], []
    for number in range(ROUNDS):
        lua.write_text(POST % {**prepared, "sessions": SESSIONS, "seed": number})
        reference.append(statements.pgbench(installation, script, SECONDS))
        ours.append(load(installation.base, SECONDS, script=lua))
        lua.write_text(POST % {"items": prepared["with_options"], "sessions": SESSIONS, "seed": number})
        options.append(load(installation.base, SECONDS, script=lua))
        print(
            f"round {number + 1}: pgbench {reference[-1]:,.0f}, orders {ours[-1].per_second:,.0f},"
            f" with options {options[-1].per_second:,.0f} a second",
            flush=True,
        )
    plain, with_options, sql = median(ours), median(options), statistics.median(reference)
    compared = {"reference": sql, "compared_with": "pgbench, the same SQL", "errors": plain.errors + wrong}
    record("order", plain.per_second, "/s", **compared)
    compared = {"reference": plain.per_second, "compared_with": "without", "errors": with_options.errors}
    record("order with 3 options an entry", with_options.per_second, "/s", **compared)
    print("where the time of a call goes, in a process without a server:")
    code = (
        f"from tests.benchmarks import orders, statements; statements.print_profile(orders.caller({prepared['items']}))"
    )
    print(installation.shell(code))


def check(installation: Installation, prepared: dict) -> int:
    """How many orders were refused, are stored otherwise than the responses say, or did not get to a display, once."""
    stored = "SELECT id FROM restaurant_order"
    with psycopg.connect(installation.database_url(), autocommit=True) as database:
        before = {row[0] for row in database.execute(stored)}
        displays = Displays(f"{installation.sockets}/?token={prepared['token']}")
        given = {uuid.UUID(order_id) for order_id in ordered(installation, json.loads(prepared["items"]), CHECKED)}
        displays.wait_for(len(given))
        # One too many would be as wrong: it would be heard before these.
        given |= {uuid.UUID(order_id) for order_id in ordered(installation, json.loads(prepared["items"]), 32)}
        displays.wait_for(len(given))
        added = {row[0] for row in database.execute(stored)} - before
        heard = [[uuid.UUID(order_id) for order_id in order_ids] for order_ids in displays.heard]
        displays.close()
    complete = sum(sorted(order_ids) == sorted(given) for order_ids in heard)
    print(f"orders stored {len(added):,}, in responses {len(given):,}, the same: {added == given}")
    print(f"displays that got exactly these, each once: {complete} of {DISPLAYS}")
    return CHECKED + 32 - len(given) + len(added ^ given) + DISPLAYS - complete


def main() -> None:
    with installed(options=(), environment={"LIMIT_ORDERS_PER_SESSION": "999999999/min"}) as installation:
        measure(installation)


if __name__ == "__main__":
    main()
