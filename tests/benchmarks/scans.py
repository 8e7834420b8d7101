"""Scans per second, compared with a bare Django view that inserts one row, on the same server and database.

    .venv/bin/python -m tests.benchmarks.scans

One Granian worker, 32 connections, 10 seconds, three alternating rounds. Then 4,000 scans, whose number must equal the
number of recorded rows.
"""

import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import requests

from tests.benchmarks.figures import record
from tests.benchmarks.load import CREATE, IPHONE, bare_server, requests_per_second
from tests.servers import Installation

ROUNDS = 3


def counted(installation: Installation, address: str, database: psycopg.Connection) -> tuple[int, int]:
    def some(_: int) -> int:
        with requests.Session() as session:
            session.headers["User-Agent"] = IPHONE
            return sum(session.get(address, allow_redirects=False, timeout=30).status_code == 302 for _ in range(125))

    time.sleep(1)  # until the last requests of the load are recorded
    before = database.execute("SELECT count(*) FROM qrservice_scan").fetchone()[0]
    with ThreadPoolExecutor(32) as pool:
        redirects = sum(pool.map(some, range(32)))
    return redirects, database.execute("SELECT count(*) FROM qrservice_scan").fetchone()[0] - before


def measure(installation: Installation) -> None:
    url = installation.database_url()
    with psycopg.connect(url, autocommit=True) as database, bare_server(installation) as bare:
        database.execute(CREATE)
        slug = database.execute("SELECT slug FROM qrservice_code LIMIT 1").fetchone()[0]
        scan = f"{installation.base}/q/{slug}"
        ours, reference = [], []
        for number in range(ROUNDS):
            reference.append(requests_per_second(bare))
            ours.append(requests_per_second(scan))
            print(f"round {number + 1}: bare view {reference[-1]:,.0f}, scan {ours[-1]:,.0f} requests a second")
        one, other = statistics.median(ours), statistics.median(reference)
        record("scan", one, "/s", reference=other, compared_with="bare view, one INSERT")
        redirects, recorded = counted(installation, scan, database)
        print(f"redirects {redirects:,}, rows recorded {recorded:,}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(Path(folder) / "d", environment={"LIMIT_PUBLIC_READS": "999999999/min"}).start()
        try:
            measure(installation)
        finally:
            installation.stop()


if __name__ == "__main__":
    main()
