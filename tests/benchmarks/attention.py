"""What needs attention, which every page of staff asks: the statement compiled once, and by the ORM each time.

    .venv/bin/python -m tests.benchmarks.attention

In the process of an installation with the demonstration restaurant: one call after the other, by turns.
"""

import json
import statistics
import time
from collections.abc import Callable

from tests.benchmarks.figures import record
from tests.servers import installed

CALLS = 200

# --- in the installation's own process --------------------------------------------------------------


def print_figures() -> None:
    from datetime import timedelta

    from django.utils import timezone

    from restaurant.floor.queries.attention import attention, rows_at

    late_after = timedelta(minutes=15)

    def milliseconds(call: Callable[[], object]) -> float:
        began = time.perf_counter()
        call()
        return (time.perf_counter() - began) * 1000

    pairs = [
        (
            milliseconds(lambda: attention(now=timezone.now(), late_after=late_after)),
            milliseconds(lambda: list(rows_at(timezone.now(), late_after))),
        )
        for _ in range(CALLS)
    ]
    print(json.dumps([statistics.median(side) for side in zip(*pairs, strict=True)]))


# --- from outside -----------------------------------------------------------------------------------


def main() -> None:
    with installed() as installation:
        printed = installation.shell("from tests.benchmarks import attention; attention.print_figures()")
    compiled_once, by_the_orm = json.loads(printed)
    record("what needs attention", compiled_once, "ms", reference=by_the_orm, compared_with="by the ORM")


if __name__ == "__main__":
    main()
