"""Causes every fault on a real installation under load, and prints what it did: `python -m tests.faults [name ...]`.

The status is not zero unless every column but the last is: answered and lost, stored twice, missed by a display,
wrong answers (a 5xx that is no 503 with Retry-After), seconds until all is back. It takes some five minutes.
"""

import json
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path

import psycopg
import requests

from tests.faults.faults import FAULTS, Fault, url
from tests.faults.load import Load
from tests.servers import Installation, wait_for

BEFORE, AFTER = 2.0, 2.0  # seconds under load around a fault
BACK_WITHIN = 60.0  # seconds
NO_LIMITS = dict.fromkeys(("LIMIT_PUBLIC_READS", "LIMIT_ORDERS_PER_SESSION"), "1000000/min")
COLUMNS = ("fault", "answered", "lost", "doubled", "missed", "wrong", "longest", "back after")


@dataclass
class Row:
    fault: str
    answered: int
    lost: int
    doubled: int
    missed: int
    wrong: int
    longest: str
    back: str

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled or self.missed or self.wrong)


def is_back(installation: Installation, load: Load) -> bool:
    """Pages are answered by every worker, the installation is ready, and displays are connected."""
    try:
        answers = [requests.get(f"{installation.base}/table/1", timeout=3).status_code for _ in range(6)]
        answers.append(requests.get(f"{installation.base}/readyz", timeout=5).status_code)
    except requests.RequestException:
        return False
    return set(answers) == {200} and all(display.connected.is_set() for display in load.displays)


def run(installation: Installation, prepared: dict, name: str, fault: Fault) -> Row:
    before = stored(installation)
    load = Load(installation, prepared).start()
    wait_for(lambda: all(display.connected.is_set() for display in load.displays), "the displays", 20)
    time.sleep(BEFORE)
    fault(installation)
    began = time.monotonic()
    time.sleep(0.3)
    wait_for(lambda: is_back(installation, load), "the end of the fault", BACK_WITHIN)
    back = time.monotonic() - began
    time.sleep(AFTER)
    load.stop()
    after = stored(installation)
    made = after.orders - before.orders
    with suppress(AssertionError):  # who has missed one is counted
        wait_for(lambda: all(made <= display.seen for display in load.displays), "the last messages", 5)
    return compare(name, load, before, after, back)


@dataclass
class Stored:
    orders: set[str]
    awards: list[str]  # their keys
    scans: int


def stored(installation: Installation) -> Stored:
    with psycopg.connect(url(installation)) as connection:
        orders = connection.execute("SELECT id::text FROM restaurant_order").fetchall()
        awards = connection.execute("SELECT idempotency_key FROM loyalty_pointtransaction WHERE type = 'earn'")
        keys = [row[0] for row in awards.fetchall()]
        scans = connection.execute("SELECT count(*) FROM qrservice_scan").fetchone()[0]
    return Stored({row[0] for row in orders}, keys, scans)


def compare(name: str, load: Load, before: Stored, after: Stored, back: float) -> Row:
    seen = load.seen
    orders, awards = after.orders - before.orders, set(after.awards) - set(before.awards)
    scans = after.scans - before.scans
    lost = len(seen.orders - orders) + len(seen.awards - awards) + max(0, seen.scans - scans)
    # Every key was answered in the end, so what is stored beyond that was stored twice.
    doubled = len(orders - seen.orders) + len(after.awards) - len(before.awards) - len(seen.awards)
    missed = sum(len(orders - display.seen) for display in load.displays)
    answered = len(seen.orders) + len(seen.awards) + seen.scans
    wrong = sum(seen.wrong.values())
    if wrong:
        print(f"{name}: wrong answers {dict(seen.wrong)}", file=sys.stderr)
    return Row(name, answered, lost, doubled, missed, wrong, f"{seen.longest:.1f} s", f"{back:.1f} s")


def close_orders(installation: Installation) -> None:
    """So that the list of open orders stays short."""
    with psycopg.connect(url(installation)) as connection:
        connection.execute("UPDATE restaurant_order SET status = 'completed', completed_at = now()")


def print_table(rows: list[Row]) -> None:
    lines = [COLUMNS, *(tuple(str(value) for value in astuple(row)) for row in rows)]
    widths = [max(len(line[number]) for line in lines) for number in range(len(COLUMNS))]
    for line in lines:
        first, *others = (text.ljust(width) if not number else text.rjust(width)
                          for number, (text, width) in enumerate(zip(line, widths, strict=True)))  # fmt: skip
        print("  ".join([first, *others]))


def main() -> None:
    chosen = {name: fault for name, fault in FAULTS.items() if not sys.argv[1:] or any(a in name for a in sys.argv[1:])}
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(Path(folder) / "data", options=("--workers", "2"), environment=NO_LIMITS).start()
        try:
            prepared = json.loads(installation.shell("from tests.faults.prepare import prepare; prepare()"))
            for name, fault in chosen.items():
                print(f"{name} ...", file=sys.stderr, flush=True)
                rows.append(run(installation, prepared, name, fault))
                close_orders(installation)
            print(installation.manage("check_ledger").strip(), file=sys.stderr)
        finally:
            if installation.process.poll() is None:
                installation.stop()
            print_table(rows)
            if "-v" in sys.argv or not all(row.is_clean for row in rows):
                print(installation.output[-20_000:], file=sys.stderr)
    sys.exit(0 if len(rows) == len(chosen) and all(row.is_clean for row in rows) else 1)


if __name__ == "__main__":
    main()
