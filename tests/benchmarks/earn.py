"""Points for purchases a second, beside what pgbench reaches with the same SQL statements on the same server.

    .venv/bin/python -m tests.benchmarks.earn

One Granian worker, 32 connections over 1,000 members, a staff token; 10 seconds, three rounds of each in turn. The
statements are those that one `POST /earn` was seen to run, with the member drawn anew. Afterwards the ledger is
checked, and one process is profiled over 2,000 calls: where the rest of the time goes.
"""

import json
import statistics

from tests.benchmarks import statements
from tests.benchmarks.figures import record
from tests.benchmarks.load import load, median
from tests.servers import Installation, installed

ROUNDS = 3
MEMBERS = 1000
SECONDS = 10
TOTAL = 23.45
BALANCE = 20_000  # platinum: no award changes the tier

POST = """
math.randomseed(%(seed)d)
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Token %(token)s"
request = function()
  local member = string.format("00000000-0000-4000-8000-%%012d", math.random(1, %(members)d))
  local body = '{"customerId": "' .. member .. '", "locationId": "%(location)s", "orderTotal": %(total)s}'
  return wrk.format(nil, "/earn", nil, body)
end
"""


def member_id(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


# --- in the installation's own process --------------------------------------------------------------


def prepare() -> None:
    """Make members, a location and a cashier; print the location, a token, and a pgbench script of one call."""
    from django.contrib.auth.models import Group, User

    from config.models import StaffToken
    from loyalty.models import Location, Member, PointTransaction

    location = Location.objects.create(name="Harbour Street")
    figures = {"points_balance": BALANCE, "lifetime_points": BALANCE, "awards": 1, "tier": "platinum"}
    members = [
        Member(id=member_id(number), email=f"member{number}@example.com", name=f"Member {number}", **figures)
        for number in range(1, MEMBERS + 1)
    ]
    Member.objects.bulk_create(members)
    PointTransaction.objects.bulk_create(
        PointTransaction(customer=member, type="earn", points=BALANCE) for member in members
    )
    cashier = User.objects.create_user("till")
    cashier.groups.add(Group.objects.get(name="Cashiers"))
    token = StaffToken.objects.create(user=cashier, name="benchmark")[1]
    call = caller(str(location.pk), token)
    call(0)
    statements.stored.add(location.pk.hex)
    member = "'00000000-0000-4000-8000-' || lpad(:member::text, 12, '0')"
    sql = statements.seen(lambda: call(0))
    script = statements.script([f"\\set member random(1, {MEMBERS})"], sql, {member_id(1): member})
    print(json.dumps({"location": str(location.pk), "token": token, "script": script}))


def caller(location: str, token: str):
    from django.test import Client

    client = Client(headers={"Authorization": f"Token {token}", "Host": "127.0.0.1"})

    def call(number: int):
        body = {"customerId": member_id(1 + number % MEMBERS), "locationId": location, "orderTotal": TOTAL}
        response = client.post("/earn", body, content_type="application/json")
        assert response.status_code == 200, response.content
        return response

    return call


# --- from outside -----------------------------------------------------------------------------------


def measure(installation: Installation) -> None:
    prepared = json.loads(installation.shell("from tests.benchmarks import earn; earn.prepare()"))
    script, lua = installation.data_dir / "earn.sql", installation.data_dir / "earn.lua"
    script.write_text(prepared["script"])
    ours, reference = [], []
    for number in range(ROUNDS):
        lua.write_text(POST % {**prepared, "members": MEMBERS, "total": TOTAL, "seed": number})
        reference.append(statements.pgbench(installation, script, SECONDS))
        ours.append(load(installation.base, SECONDS, script=lua))
        print(
            f"round {number + 1}: pgbench {reference[-1]:,.0f}, POST /earn {ours[-1].per_second:,.0f} a second",
            flush=True,
        )
    one, other = median(ours), statistics.median(reference)
    compared = {"reference": other, "compared_with": "pgbench, the same SQL", "errors": one.errors}
    record("points for a purchase", one.per_second, "/s", **compared)
    print(installation.manage("check_ledger").strip())
    print("where the time of a call goes, in a process without a server:")
    arguments = f"{prepared['location']!r}, {prepared['token']!r}"
    code = f"from tests.benchmarks import earn, statements; statements.print_profile(earn.caller({arguments}))"
    print(installation.shell(code))


def main() -> None:
    with installed(options=()) as installation:
        measure(installation)


if __name__ == "__main__":
    main()
