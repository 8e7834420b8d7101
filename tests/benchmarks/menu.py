"""The menu page of 200 items, beside a bare view that updates one row and answers the same bytes from a constant.

    .venv/bin/python -m tests.benchmarks.menu

One Granian worker with four threads, PostgreSQL, 32 connections over 50 tables; 10 seconds, three rounds of each in
turn. Phones ask as browsers do: for HTML, compressed, with the cookies of an earlier visit. The bare view answers the
bytes that our page had. The limit of reads is out of the way: all the load comes from one address. Then what has
changed must show on the next page, and the page's size is told.
"""

import gzip
import json
import random
import statistics
import tempfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import psycopg
import requests

from tests.benchmarks.figures import record
from tests.benchmarks.load import IPHONE, bare_server, requests_per_second
from tests.servers import Installation

ROUNDS = 3
TABLES = 50
ITEMS = 200
IN_CART = 3  # items that a phone has chosen, in the last measurement
BROWSER = {
    "User-Agent": IPHONE,
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Encoding": "gzip, deflate",
    "Accept-Language": "en-GB,en;q=0.9",
}

OURS = """
math.randomseed(%(seed)d)
local sessions = {%(sessions)s}
request = function()
  local number = math.random(1, #sessions)
  local cookies = "csrftoken=%(token)s; sessionId=phone%(phone)s" .. number .. "; tableSession=" .. sessions[number]
  local headers = {%(headers)s, Cookie = cookies}
  return wrk.format("GET", "/table/" .. number, headers)
end
"""
BARE = """
math.randomseed(%(seed)d)
request = function() return wrk.format("GET", "/bare/" .. math.random(1, %(tables)d)) end
"""
CREATE = f"""
CREATE TABLE bare_session (id integer PRIMARY KEY, total_scans integer NOT NULL);
INSERT INTO bare_session SELECT number, 0 FROM generate_series(1, {TABLES}) AS number
"""  # noqa: S608 (a constant)
WORDS = """
slow-cooked lamb shoulder lemon thyme roast potatoes charred broccoli smoked almonds burrata tomato basil oil sourdough
pickled fennel orange anchovy butter wild mushroom risotto aged parmesan hazelnut brown rocket pear walnut honey goat's
cheese crisp sage squash ricotta nutmeg lime chilli prawn ginger rice coconut spinach garlic caper shallot veal cod
"""
CATEGORIES = "Breakfast Starters Soups Salads Pasta Pizza Fish Grill Sides Desserts Drinks Wine"


# --- in the installation's own process --------------------------------------------------------------


def prepare() -> None:
    """Make the tables, their sessions, and a menu of varied words; print the sessions' ids."""
    from restaurant.models import CartLine, MenuItem, Table, TableSession

    drawn = random.Random(1)

    def words(count: int) -> str:
        return " ".join(drawn.sample(WORDS.split(), count)).capitalize()

    tables = Table.objects.bulk_create(Table(table_number=number) for number in range(1, TABLES + 1))
    sessions = TableSession.objects.bulk_create(TableSession(table=table) for table in tables)
    items = MenuItem.objects.bulk_create(
        MenuItem(
            name=words(3),
            description=f"{words(9)}.",
            price=Decimal(drawn.randrange(300, 3500)) / 100,
            category=CATEGORIES.split()[number % 12],
        )
        for number in range(ITEMS)
    )
    CartLine.objects.bulk_create(
        CartLine(session=session, guest=f"phone-hungry{number}", menu_item=item)
        for number, session in enumerate(sessions, 1)
        for item in drawn.sample(items, IN_CART)
    )
    print(json.dumps([str(session.pk) for session in sessions]))


# --- from outside -----------------------------------------------------------------------------------


def compressed(address: str) -> bytes:
    """The page of a table as it travels."""
    with requests.get(address, headers=BROWSER, stream=True, timeout=10) as answer:
        assert answer.status_code == 200, answer.text
        return answer.raw.read(decode_content=False)


def page(installation: Installation) -> str:
    return gzip.decompress(compressed(f"{installation.base}/table/1")).decode()


def speed(installation: Installation, bare: str, folder: Path, sessions: list[str]) -> None:
    quoted = ", ".join(f'"{each}"' for each in sessions)
    headers = ", ".join(f'["{name}"] = "{value}"' for name, value in BROWSER.items())
    ours_lua, bare_lua = folder / "ours.lua", folder / "bare.lua"
    calls: dict[str, Callable[[], float]] = {
        "bare view": lambda: requests_per_second(bare, script=bare_lua),
        "menu": lambda: requests_per_second(installation.base, script=ours_lua),
    }
    seen: dict[str, list[float]] = {name: [] for name in [*calls, "menu with a cart"]}
    for seed in range(ROUNDS):
        values = {"seed": seed, "sessions": quoted, "headers": headers, "tables": TABLES, "token": "x" * 32}
        bare_lua.write_text(BARE % values)
        ours_lua.write_text(OURS % {**values, "phone": ""})
        for name, call in calls.items():
            seen[name].append(call())
        ours_lua.write_text(OURS % {**values, "phone": "-hungry"})
        seen["menu with a cart"].append(calls["menu"]())
        print(f"round {seed + 1}: " + ", ".join(f"{name} {each[-1]:,.0f}" for name, each in seen.items()), flush=True)
    medians = {name: statistics.median(each) for name, each in seen.items()}
    for name in ("menu", "menu with a cart"):
        record(name, medians[name], "/s", reference=medians["bare view"], compared_with="bare view, one UPDATE")


def changes_show(installation: Installation, database: psycopg.Connection) -> None:
    """A price and an availability, changed by others, stand on the next page."""
    item, name = database.execute("SELECT id, name FROM restaurant_menuitem ORDER BY id LIMIT 1").fetchone()
    before = page(installation)
    database.execute("UPDATE restaurant_menuitem SET price = 4321.98 WHERE id = %s", [item])
    dearer = page(installation)
    database.execute("UPDATE restaurant_menuitem SET available = false WHERE id = %s", [item])
    gone = page(installation)
    price_shows = "4,321.98" in dearer and "4,321.98" not in before
    print(f"a changed price shows on the next page: {price_shows}")
    print(f"what is not available any more ({name}) is gone from the next page: {str(item) not in gone}")


def measure(installation: Installation, folder: Path) -> None:
    code = "from tests.benchmarks.menu import prepare; prepare()"
    sessions = json.loads(installation.manage("shell", "-v0", "-c", code).splitlines()[-1])
    body = folder / "page.gz"
    body.write_bytes(compressed(f"{installation.base}/table/1"))
    plain = gzip.decompress(body.read_bytes())
    print(f"{ITEMS} items: {len(plain):,} bytes, {body.stat().st_size:,} compressed", flush=True)
    record("menu, compressed", body.stat().st_size / 1000, "KB", reference=len(plain) / 1000, compared_with="plain")
    with psycopg.connect(installation.database_url(), autocommit=True) as database:
        database.execute(CREATE)
        with bare_server(installation, BARE_BODY=str(body)) as bare:
            speed(installation, bare.removesuffix("/bare"), folder, sessions)
        changes_show(installation, database)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        # By the second: DRF keeps the times of all requests that it counts together.
        environment = {"LIMIT_PUBLIC_READS": "999999999/s"}
        installation = Installation(Path(folder) / "d", options=(), environment=environment).start()
        try:
            measure(installation, Path(folder))
        finally:
            installation.stop()


if __name__ == "__main__":
    main()
