"""The menu of 200 items with pictures and options, beside a bare view: one UPDATE, and the same bytes as a constant.

    .venv/bin/python -m tests.benchmarks.menu

One Granian worker with four threads, PostgreSQL, 32 connections over 50 tables; 10 seconds, three rounds of each in
turn. Phones send what browsers send: they accept HTML, compressed, and have the cookies of an earlier visit. The bare
view sends the bytes of our page. The limit of reads is switched off, because all the load comes from one address. Then
changes must show on the next page. To keep: 12 % of the bare view without a cart, 5 % with one, under 40 KB.
"""

import gzip
import json
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable

import psycopg
import requests

from tests.benchmarks.figures import record
from tests.benchmarks.load import IPHONE, Answered, bare_server, load, median
from tests.servers import Installation, installed

ROUNDS = 3
TABLES = 50
ITEMS = 200
READ = 60  # times each, in one process
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
  local cookies = "sessionId=phone%(phone)s" .. number .. "; tableSession=" .. sessions[number]
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


# --- in the installation's own process --------------------------------------------------------------


def prepare() -> None:
    """Make the tables, their sessions, and a menu with pictures and options; print the sessions' ids."""
    from restaurant.models import CartLine, Table, TableSession
    from tests.restaurant.menu.dishes import large_menu

    tables = Table.objects.bulk_create(Table(table_number=number) for number in range(1, TABLES + 1))
    sessions = TableSession.objects.bulk_create(TableSession(table=table) for table in tables)
    chance, items = random.Random(1), large_menu(ITEMS)
    CartLine.objects.bulk_create(
        CartLine(session=session, guest=f"phone-hungry{number}", menu_item=item)
        for number, session in enumerate(sessions, 1)
        for item in chance.sample(items, IN_CART)
    )
    print(json.dumps([str(session.pk) for session in sessions]))


def in_german() -> None:
    """Print the milliseconds of a German phone's page in turn: with words in three languages, and as it was written.

    Of each both the page that is in the cache and the one that is not.
    """
    from django.core.cache import cache
    from django.test import Client

    from restaurant.models import MenuItem
    from web import venue

    languages = ("de", "fr", "ja")
    for item in MenuItem.objects.all():
        words = {code: {"name": f"{code} {item.name}", "description": item.description} for code in languages}
        MenuItem.objects.filter(pk=item.pk).update(words=words)
    phone, taken = Client(headers=BROWSER | {"Accept-Language": "de", "Host": "127.0.0.1"}), defaultdict(list)
    for number in range(4 * READ):
        is_cached, languages_now = number >= 2 * READ, languages if number % 2 else ()
        venue.remember(venue.Venue(menu_languages=languages_now))
        phone.get("/table/1")
        if not is_cached:
            cache.clear()
        began = time.process_time()
        assert phone.get("/table/1").status_code == 200
        taken[f"{is_cached} {bool(languages_now)}"].append(1000 * (time.process_time() - began))
    print(json.dumps({name: statistics.median(times) for name, times in taken.items()}))


# --- from outside -----------------------------------------------------------------------------------


def compressed(address: str) -> bytes:
    """The page of a table as it travels."""
    with requests.get(address, headers=BROWSER, stream=True, timeout=10) as response:
        assert response.status_code == 200, response.text
        return response.raw.read(decode_content=False)


def page(installation: Installation) -> str:
    return gzip.decompress(compressed(f"{installation.base}/table/1")).decode()


def speed(installation: Installation, bare: str, sessions: list[str]) -> None:
    quoted = ", ".join(f'"{session}"' for session in sessions)
    headers = ", ".join(f'["{name}"] = "{value}"' for name, value in BROWSER.items())
    ours_lua, bare_lua = installation.data_dir / "ours.lua", installation.data_dir / "bare.lua"
    calls: dict[str, Callable[[], Answered]] = {
        "bare view": lambda: load(bare, script=bare_lua),
        "menu": lambda: load(installation.base, script=ours_lua),
    }
    seen: dict[str, list[Answered]] = {name: [] for name in [*calls, "menu with a cart"]}
    for seed in range(ROUNDS):
        values = {"seed": seed, "sessions": quoted, "headers": headers, "tables": TABLES}
        bare_lua.write_text(BARE % values)
        ours_lua.write_text(OURS % {**values, "phone": ""})
        for name, call in calls.items():
            seen[name].append(call())
        ours_lua.write_text(OURS % {**values, "phone": "-hungry"})
        seen["menu with a cart"].append(calls["menu"]())
        print(
            f"round {seed + 1}: " + ", ".join(f"{name} {rounds[-1].per_second:,.0f}" for name, rounds in seen.items()),
            flush=True,
        )
    medians = {name: median(rounds) for name, rounds in seen.items()}
    bare = medians.pop("bare view")
    for name, answered in medians.items():
        compared = {"reference": bare.per_second, "compared_with": "bare view, one UPDATE"}
        record(name, answered.per_second, "/s", **compared, errors=answered.errors + bare.errors)


def changes_show(installation: Installation) -> None:
    """A price and an availability, changed by another process, show on the next page; otherwise this fails."""
    before = page(installation)
    item = save_item(installation, price="4321.98")
    after = page(installation)
    assert ["4,321.98" in text for text in (before, after)] == [False, True], "a changed price must show"
    save_item(installation, available=False)
    assert [item in text for text in (before, page(installation))] == [True, False], "a sold-out item must be gone"


def save_item(installation: Installation, **values: object) -> str:
    """Change the first item; return its id."""
    code = (
        "from restaurant.models import MenuItem\n"
        "item = MenuItem.objects.earliest('pk')\n"
        f"for name, value in {values!r}.items(): setattr(item, name, value)\n"
        "item.save()\n"
        "print(item.pk)"
    )
    return installation.shell(code)


def measure(installation: Installation) -> None:
    sessions = json.loads(installation.shell("from tests.benchmarks import menu; menu.prepare()"))
    body = installation.data_dir / "page.gz"
    body.write_bytes(compressed(f"{installation.base}/table/1"))
    plain = gzip.decompress(body.read_bytes())
    print(f"{ITEMS} items: {len(plain):,} bytes, {body.stat().st_size:,} compressed", flush=True)
    record("menu, compressed", body.stat().st_size / 1000, "KB", reference=len(plain) / 1000, compared_with="plain")
    with psycopg.connect(installation.database_url(), autocommit=True) as database:
        database.execute(CREATE)
        with bare_server(installation, BARE_BODY=str(body)) as bare:
            speed(installation, bare.removesuffix("/bare"), sessions)
    changes_show(installation)
    taken = json.loads(installation.shell("from tests.benchmarks import menu; menu.in_german()"))
    for name, is_cached in (("menu in German", True), ("menu in German, not cached", False)):
        record(name, taken[f"{is_cached} True"], "ms", reference=taken[f"{is_cached} False"], compared_with="no words")


def main() -> None:
    with installed(options=(), environment={"LIMIT_PUBLIC_READS": "999999999/s"}) as installation:
        measure(installation)


if __name__ == "__main__":
    main()
