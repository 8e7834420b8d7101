"""The lists, reports and other pages whose time depends on how much there is, with a million orders and members.

    .venv/bin/python -m tests.benchmarks.lists

`manage.py load_demo --scale` fills an embedded PostgreSQL and measures them, in some four minutes and 4 GB below the
folder for temporary files. With DATA_DIR it measures the database that was filled there before.
"""

import json
import os
import tempfile
from pathlib import Path

from tests.benchmarks.figures import record
from tests.servers import Installation

ORDERS = 1_000_000


# --- in the installation's own process --------------------------------------------------------------


def print_figures() -> None:
    from config.demo.scale import pages

    print(json.dumps([(page.name, page.milliseconds, page.limit) for page in pages.measure()]))


# --- from outside -----------------------------------------------------------------------------------


def measure(installation: Installation) -> None:
    printed = installation.shell("from tests.benchmarks import lists; lists.print_figures()")
    for name, milliseconds, wanted in json.loads(printed):
        record(f"page: {name}", milliseconds, "ms", reference=wanted, compared_with="wanted")
    installation.close_shell()


def main() -> None:
    if filled := os.environ.get("DATA_DIR"):
        measure(Installation(Path(filled)))
        return
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(Path(folder) / "d")
        installation.manage("migrate", "-v0")
        print(installation.manage("load_demo", "--scale", str(ORDERS)))
        measure(installation)


if __name__ == "__main__":
    main()
