"""The eight reports on a busy restaurant's two years, beside SQL written by hand; and with half as many orders.

    .venv/bin/python -m tests.benchmarks.reports

One HTTP worker on the embedded PostgreSQL, filled as by `load_demo --scale`; it takes some eight minutes. For each
report, by turns in 15 rounds: the whole call for its JSON on a persistent connection, the statements of
`tests.benchmarks.report_sql` on another, their rows fetched, and the call for its page. Medians. "Own SQL" is what the
report's own statements take in a process without a server, and its ratio is to the SQL by turns with them there; those
of authentication are not counted.

What is called today depends on the clock: the time zone is one where it is evening.
"""

import http.client
import json
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import psycopg
from psycopg.rows import dict_row

from tests.benchmarks.figures import record
from tests.benchmarks.report_sql import REPORTS, Arguments, Report
from tests.servers import Installation, database_url, installed

ORDERS = 500_000  # and as many members, and ten times as many scans
ROUNDS = 15
WARM_UP = 2
ZONES = (
    "Europe/Vienna", "America/New_York", "America/Los_Angeles", "Pacific/Honolulu", "Pacific/Auckland", "Asia/Tokyo",
    "Asia/Kolkata", "Asia/Dubai", "America/Sao_Paulo",
)  # fmt: skip
AUTHENTICATION = ("config_stafftoken", "auth_", "django_session")  # tables


def evening_zone() -> str:
    def clock(name: str) -> tuple[int, int]:
        local = datetime.now(ZoneInfo(name))
        return local.hour, local.minute

    return max((name for name in ZONES if clock(name) < (23, 30)), key=clock)


# --- in the installation's own process --------------------------------------------------------------


def fill(orders: int) -> None:
    """Fill the demonstration, and print the member with a code whose transactions are the most."""
    from django.db.models import Count

    from config.demo.scale import filling
    from loyalty.models import Member

    filling.fill(orders)
    with_code = Member.objects.exclude(qr_analytics_id="").annotate(number=Count("transactions"))
    print(with_code.order_by("-number", "pk")[0].pk)


def print_own_sql(token: str, arguments: dict[str, Any]) -> None:
    """Print for each report the number of its own statements, their seconds, and the seconds of the SQL that is run by
    turns with them; None for a report that is refused.
    """
    from django.db import connection
    from django.test import Client

    client = Client(headers={"Authorization": f"Token {token}", "Host": "127.0.0.1"})
    seconds: list[float] = []

    def watch(execute: Callable, sql: str, *arguments: Any) -> Any:
        start = time.perf_counter()
        try:
            return execute(sql, *arguments)
        finally:
            if not any(table in sql for table in AUTHENTICATION):
                seconds.append(time.perf_counter() - start)

    figures: list[tuple[int, float, float] | None] = []
    with by_hand_on(database_url()) as database:
        for report in REPORTS.values():
            own, by_hand = [], []
            for _ in range(WARM_UP + ROUNDS):
                seconds.clear()
                with connection.execute_wrapper(watch):
                    response = client.get(report.path.format(**arguments))
                own.append(sum(seconds))
                start = time.perf_counter()
                rows_of(report, database, arguments)
                by_hand.append(time.perf_counter() - start)
            medians = statistics.median(own[WARM_UP:]), statistics.median(by_hand[WARM_UP:])
            figures.append((len(seconds), *medians) if response.status_code == 200 else None)
    print(json.dumps(figures))


# --- by hand ----------------------------------------------------------------------------------------


def by_hand_on(address: str) -> psycopg.Connection[dict[str, Any]]:
    """A connection that plans each statement anew, with its values, as Django's do."""
    return psycopg.connect(address, autocommit=True, prepare_threshold=None, row_factory=dict_row)


def rows_of(
    report: Report, database: psycopg.Connection[dict[str, Any]], arguments: dict[str, Any]
) -> tuple[Arguments, Any]:
    """The arguments now, and the rows of each statement."""
    now = Arguments(now=datetime.now(UTC), days=report.days, **arguments)
    return now, [database.execute(sql, values).fetchall() for sql, values in report.statements(now)]


# --- are both responses the same? ------------------------------------------------------------------


def plain(value: Any) -> Any:
    """What JSON would make of a row's value."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, UUID):
        return str(value)
    return float(value)


def differences(expected: Any, actual: Any, path: str = "") -> list[str]:
    """Return the paths at which the response differs from what is expected. It may have more fields."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        return [line for name in expected for line in differences(expected[name], actual.get(name), f"{path}.{name}")]
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        pairs = enumerate(zip(expected, actual, strict=True))
        return [line for number, (one, other) in pairs for line in differences(one, other, f"{path}[{number}]")]
    if expected == actual or moment(expected) == moment(actual) is not None:
        return []
    return [f"{path}: {json.dumps(actual)[:60]}, but SQL has {json.dumps(expected)[:60]}"]


def moment(value: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None


# --- from outside -----------------------------------------------------------------------------------


class Measured:
    """One report: medians in seconds, by what was timed; and where the response is another than that of SQL."""

    def __init__(self, report: Report, path: str, arguments: dict[str, Any]) -> None:
        self.report, self.path, self.arguments = report, path, arguments
        self.times: dict[str, list[float]] = {"json": [], "sql": [], "page": []}
        self.problem = ""
        self.different = 0  # rounds
        self.refused = 0  # responses
        self.own: tuple[int, float, float] | None = None

    def median(self, kind: str) -> float:
        return statistics.median(self.times[kind][WARM_UP:] or [float("nan")])

    @property
    def differs(self) -> bool:
        return self.different > ROUNDS // 5

    def run(self, browser: "Browser", database: psycopg.Connection[dict[str, Any]]) -> None:
        for _ in range(WARM_UP + ROUNDS):
            status, body = self._timed("json", lambda: browser.get(self.path, "application/json"))
            now, rows = self._timed("sql", lambda: rows_of(self.report, database, self.arguments))
            if status != 200:
                self.problem = "not there" if status == 404 else f"status {status}"
                self.refused += 1
                self.times["json"].clear()
                continue
            if self._timed("page", lambda: browser.get(self.path, "text/html"))[0] != 200:
                self.refused += 1
                self.problem = "no page"
            expected = json.loads(json.dumps(self.report.response(now, *rows), default=plain))
            self._note(differences(expected, json.loads(body)))

    def _note(self, lines: list[str]) -> None:
        """The two run one after the other: meanwhile a member's day may end, in a round or two but not in all."""
        self.different += bool(lines)
        if lines and self.differs:
            self.problem = "; ".join(lines[:2])

    def _timed(self, kind: str, call: Callable[[], Any]) -> Any:
        start = time.perf_counter()
        result = call()
        self.times[kind].append(time.perf_counter() - start)
        return result


class Browser:
    def __init__(self, installation: Installation, token: str) -> None:
        self.connection = http.client.HTTPConnection(installation.host, installation.port, timeout=60)
        self.token = token

    def get(self, path: str, accept: str) -> tuple[int, bytes]:
        self.connection.request("GET", path, headers={"Authorization": f"Token {self.token}", "Accept": accept})
        response = self.connection.getresponse()
        return response.status, response.read()


def measure(*, orders: int, zone: str) -> dict[str, Measured]:
    with installed(environment={"TIME_ZONE": zone}) as installation:
        start = time.perf_counter()
        member = installation.shell(f"from tests.benchmarks import reports; reports.fill({orders})")
        print(f"{orders:,} orders in {time.perf_counter() - start:.0f} seconds", flush=True)
        return _measure(installation, {"zone": zone, "member": member, "table_number": 1})


def _measure(installation: Installation, arguments: dict[str, Any]) -> dict[str, Measured]:
    token = installation.token("owner")
    browser = Browser(installation, token)
    measured = {name: Measured(report, report.path.format(**arguments), arguments) for name, report in REPORTS.items()}
    with by_hand_on(installation.database_url()) as database:
        for report in measured.values():
            report.run(browser, database)
    code = f"from tests.benchmarks import reports; reports.print_own_sql({token!r}, {arguments!r})"
    for report, own_sql in zip(measured.values(), json.loads(installation.shell(code)), strict=True):
        report.own = own_sql
    return measured


def show(whole: dict[str, Measured], half: dict[str, Measured]) -> None:
    print(f"\n{'milliseconds':<15}{'JSON':>8}{'SQL':>8}{'ratio':>7}{'own SQL':>9}{'in':>4}{'ratio':>7}"
          f"{'page':>8}{'JSON at half':>14}{'SQL at half':>13}{'growth':>8}")  # fmt: skip
    for name, report in whole.items():
        json_, sql, page = (report.median(kind) for kind in ("json", "sql", "page"))
        before = half[name].median("json")
        number, own, beside = report.own or (0, float("nan"), float("nan"))
        print(f"{name:<15}{json_ * 1e3:>8.1f}{sql * 1e3:>8.1f}{json_ / sql:>7.2f}{own * 1e3:>9.1f}{number:>4}"
              f"{own / beside:>7.2f}{page * 1e3:>8.1f}{before * 1e3:>14.1f}{half[name].median('sql') * 1e3:>13.1f}"
              f"{json_ / before:>8.2f}")  # fmt: skip
    for name, report in whole.items():
        errors = report.refused + (report.different if report.differs else 0)
        compared = {"reference": report.median("sql") * 1e3, "compared_with": "SQL", "errors": errors}
        record(f"report: {name}", report.median("json") * 1e3, "ms", **compared)
    problems = [f"{name}: {report.problem}" for name, report in whole.items() if report.problem]
    print("\n".join(["", *problems]) if problems else "\nEvery response is the one that SQL gives.")


def main() -> None:
    zone = evening_zone()
    print(f"It is evening in {zone}.")
    half = measure(orders=ORDERS // 2, zone=zone)
    whole = measure(orders=ORDERS, zone=zone)
    show(whole, half)
    sys.exit(any(value.problem for value in whole.values()))


if __name__ == "__main__":
    main()
