"""Calls that really arrive at once: threads with connections of their own, let loose together."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import connection


def at_once(calls: list[Callable[[], object]]) -> list[object]:
    """Run every call in a thread, all let go at the same moment; return their results in order."""
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        connection.ensure_connection()
        gate.wait(30)
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(60) for future in [pool.submit(run, call) for call in calls]]
