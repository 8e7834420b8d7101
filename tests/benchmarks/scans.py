"""Scans per second, compared with a bare Django view that inserts one row, on the same server and database.

    .venv/bin/python -m tests.benchmarks.scans

200 codes in turn, 32 connections, five alternating rounds of 5 seconds: one Granian worker, then two (the bare view
has one). Then 4,000 scans, whose number must equal the number of recorded rows.
"""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import requests

from tests.benchmarks.figures import record
from tests.benchmarks.load import CREATE, IPHONE, bare_server, load, median
from tests.servers import Installation, installed

ROUNDS = 5
SECONDS = 5
CODES = 200
THREADS, EACH = 32, 125
COUNTED = THREADS * EACH
IN_TURN = """
local slugs, last = {%s}, 0
request = function()
  last = last %% #slugs + 1
  return wrk.format("GET", "/q/" .. slugs[last])
end
"""


def counted(installation: Installation, address: str, database: psycopg.Connection) -> tuple[int, int]:
    def scanned(_: int) -> int:
        with requests.Session() as session:
            session.headers["User-Agent"] = IPHONE
            return sum(session.get(address, allow_redirects=False, timeout=30).status_code == 302 for _ in range(EACH))

    before = database.execute("SELECT count(*) FROM qrservice_scan").fetchone()[0]
    with ThreadPoolExecutor(THREADS) as pool:
        redirects = sum(pool.map(scanned, range(THREADS)))
    return redirects, database.execute("SELECT count(*) FROM qrservice_scan").fetchone()[0] - before


def make_codes(installation: Installation) -> list[str]:
    code = "from qrservice import gateway\nfor n in range({}): gateway.create_code(redirect_url=f'https://example.com/{n}')"
    installation.shell(code.replace("{}", str(CODES)))
    with psycopg.connect(installation.database_url()) as database:
        slugs = [row[0] for row in database.execute("SELECT slug FROM qrservice_code LIMIT %s", [CODES])]
    (installation.data_dir / "codes.lua").write_text(IN_TURN % ", ".join(f'"{slug}"' for slug in slugs))
    return slugs


def measure(installation: Installation, name: str) -> None:
    slugs = make_codes(installation)
    with psycopg.connect(installation.database_url(), autocommit=True) as database, bare_server(installation) as bare:
        database.execute(CREATE)
        # Before the load, which leaves requests under way.
        redirects, recorded = counted(installation, f"{installation.base}/q/{slugs[0]}", database)
        print(f"redirects {redirects:,}, rows recorded {recorded:,}", flush=True)
        ours, reference = [], []
        for number in range(ROUNDS):
            reference.append(load(bare, SECONDS))
            ours.append(load(installation.base, SECONDS, script=installation.data_dir / "codes.lua"))
            one, other = ours[-1].per_second, reference[-1].per_second
            print(f"round {number + 1}: bare view {other:,.0f}, {name} {one:,.0f} requests a second", flush=True)
        one, other = median(ours), median(reference)
        errors = one.errors + other.errors + COUNTED - redirects + abs(recorded - redirects)
        compared = {"compared_with": "bare view, one INSERT", "errors": errors}
        record(name, one.per_second, "/s", reference=other.per_second, **compared)
        record(f"{name}, 99 of 100 within", one.slowest, "ms", reference=other.slowest, **compared)


def main() -> None:
    for workers, name in ((1, "scan"), (2, "scan, two workers")):
        options, environment = ("--workers", str(workers)), {"LIMIT_PUBLIC_READS": "999999999/min"}
        with installed(options, environment=environment) as installation:
            measure(installation, name)


if __name__ == "__main__":
    main()
