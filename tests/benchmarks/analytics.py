"""The analytics of a code with a million scans: first byte, scans a second, and the server's memory.

    .venv/bin/python -m tests.benchmarks.analytics

One Granian worker, three rounds. The response is read as fast as it arrives, and not parsed.
"""

import json
import statistics
import time

import psutil
import psycopg
import requests

from tests.benchmarks.figures import record
from tests.servers import Installation, installed

SCANS = 1_000_000
ROUNDS = 3

FILL = """
INSERT INTO qrservice_scan (code_id, scanned_at, city, country, device_type)
SELECT %s, now() - make_interval(secs => n * 7), (ARRAY['Bologna', 'Porto', ''])[1 + n %% 3],
       (ARRAY['Italy', 'Portugal', ''])[1 + n %% 3], (ARRAY['iOS', 'Android'])[1 + n %% 2]
  FROM generate_series(1, %s) AS n
"""


def memory(installation: Installation) -> float:
    """Resident megabytes of the HTTP server's processes."""
    servers = [child for child in psutil.Process(installation.process.pid).children() if "http" in child.cmdline()]
    processes = servers + [child for server in servers for child in server.children(recursive=True)]
    return sum(process.memory_info().rss for process in processes) / 1e6


def read(installation: Installation, address: str, key: str) -> tuple[float, float, float, bytes]:
    """Seconds to the first byte, seconds in total, peak megabytes, and the end of the response."""
    start = time.perf_counter()
    headers = {"X-API-Key": key, "Accept-Encoding": "identity"}
    highest, first, tail = 0.0, 0.0, b""
    with requests.get(address, headers=headers, stream=True, timeout=60) as response:
        for number, block in enumerate(response.iter_content(256 * 1024)):
            first = first or time.perf_counter() - start
            tail = (tail + block)[-200:]
            if number % 50 == 0:
                highest = max(highest, memory(installation))
    return first, time.perf_counter() - start, highest, tail


def measure(installation: Installation) -> None:
    key = installation.manage("create_api_key", "built-in").split()[-1]
    with psycopg.connect(installation.database_url(), autocommit=True) as database:
        code_id, analytics_id = database.execute("SELECT id, analytics_id FROM qrservice_code LIMIT 1").fetchone()
        database.execute("DELETE FROM qrservice_scan WHERE code_id = %s", [code_id])
        database.execute(FILL, [code_id, SCANS])
        database.execute("VACUUM ANALYZE qrservice_scan")
    address = f"{installation.base}/v1/analytics/{analytics_id}"
    headers = {"X-API-Key": key}
    requests.get(f"{installation.base}/v1/analytics/unknown", headers=headers, timeout=10)  # warms the server up
    before = memory(installation)
    rounds = [read(installation, address, key) for _ in range(ROUNDS)]
    assert all(json.loads(b"{" + tail.split(b"],")[-1])["total_scans"] == SCANS for *_, tail in rounds)
    first, whole = (statistics.median(seconds) for seconds in list(zip(*rounds, strict=True))[:2])
    grown = max(round_[2] for round_ in rounds) - before
    print(f"{SCANS:,} scans: first byte {first:.3f} s, all in {whole:.1f} s, {SCANS / whole:,.0f} scans a second")
    print(f"server's memory: {before:.0f} MB before, grew by at most {grown:.0f} MB")
    record(f"analytics of {SCANS:,} scans", whole, "s")


def main() -> None:
    with installed() as installation:
        measure(installation)


if __name__ == "__main__":
    main()
