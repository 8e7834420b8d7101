"""Every benchmark, one after the other, and one table of their figures at the end.

    make bench
    .venv/bin/python -m tests.benchmarks scans menu     # these alone

It takes about 30 minutes, and the machine should have nothing else to do. Each benchmark also runs alone, and its own
output says more: `.venv/bin/python -m tests.benchmarks.menu`. A benchmark that failed has a row that says so (without
wrk, Chromium or npm some can't run), and one whose responses were not all as expected says how many; then the exit
status is not zero.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.benchmarks import figures
from tests.servers import ROOT

BENCHMARKS = (
    "scans", "menu", "orders", "earn", "displays", "kitchen_latency", "floor_latency", "analytics", "images",
    "attention", "reports", "lists", "lighthouse", "interaction",
)  # fmt: skip


def run(name: str, file: Path) -> bool:
    """Whether the benchmark succeeded; its figures are appended to `file`."""
    print(f"\n=== {name}", flush=True)
    environment = os.environ | {figures.FILE: str(file)}
    command = [sys.executable, "-m", f"tests.benchmarks.{name}"]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0


def _run_all(names: Iterable[str], file: Path) -> list[str]:
    """Those that failed. Ctrl-C ends the one that runs, which has failed then, and those after it are left out."""
    failed = []
    for name in names:
        try:
            if not run(name, file):
                failed.append(name)
        except KeyboardInterrupt:
            return [*failed, name]
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs the benchmarks and prints a table of their figures.")
    parser.add_argument(
        "names", nargs="*", metavar="benchmark", help=f"of {', '.join(BENCHMARKS)}; all if none is named"
    )
    names = parser.parse_args().names or BENCHMARKS
    if unknown := set(names) - set(BENCHMARKS):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figures"
        failed = _run_all(names, file)
        collected = figures.collected(file)
        print(f"\n{figures.table(collected, failed)}")
    sys.exit(bool(failed) or any(figure.errors for figure in collected))


if __name__ == "__main__":
    main()
