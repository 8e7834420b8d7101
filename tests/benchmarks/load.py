"""Bounded load on servers of this machine, and what it needs."""

import os
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.servers import ROOT, Installation, free_port, is_listening, wait_for

CONNECTIONS = 32
# The reference's table.
CREATE = (
    "CREATE TABLE IF NOT EXISTS bare_scan (id bigserial PRIMARY KEY, code_id bigint NOT NULL,"
    " scanned_at timestamptz NOT NULL, city varchar(200) NOT NULL, country varchar(100) NOT NULL,"
    " device_type varchar(50) NOT NULL)"
)
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)


@dataclass(frozen=True, slots=True)
class Answered:
    per_second: float
    slowest: float  # milliseconds, within which 99 of 100 were answered
    errors: int  # responses that were no success, and those that never came


def load(address: str, seconds: int = 10, *, script: Path | None = None) -> Answered:
    """By wrk, with 32 connections; `script` is one of its Lua scripts."""
    if shutil.which("wrk") is None:
        sys.exit("The load comes from wrk: apt install wrk")
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency", "-H", f"User-Agent: {IPHONE}"]
    command += ["-s", str(script)] if script else []
    command.append(address)
    output = subprocess.check_output(command, text=True)
    slow = re.search(r" 99%\s+([\d.]+)(us|ms|s)\s", output)
    assert slow, output
    number, unit = slow.groups()
    slowest = float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]
    return Answered(float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1]), slowest, errors(output))


def errors(output: str) -> int:
    """What wrk counts as `Non-2xx or 3xx responses: 5` and `Socket errors: connect 0, read 0, write 0, timeout 3`."""
    counted = re.findall(r"Non-2xx or 3xx responses: \d+|Socket errors: .*", output)
    return sum(int(number) for line in counted for number in re.findall(r"(?<= )\d+\b", line))


def median(rounds: list[Answered]) -> Answered:
    """The medians of the rounds, and the errors of all."""
    rates, slowest = ([getattr(round_, name) for round_ in rounds] for name in ("per_second", "slowest"))
    return Answered(statistics.median(rates), statistics.median(slowest), sum(round_.errors for round_ in rounds))


@contextmanager
def bare_server(installation: Installation, **environment: str) -> Iterator[str]:
    """The reference on the same database."""
    port = free_port()
    env = os.environ | {"DATABASE_URL": installation.database_url()} | environment
    process = subprocess.Popen([sys.executable, "-m", "tests.benchmarks.bare", str(port)], cwd=ROOT, env=env)
    try:
        wait_for(lambda: is_listening(port), "the bare server")
        yield f"http://127.0.0.1:{port}/bare"
    finally:
        process.terminate()
        process.wait(15)
