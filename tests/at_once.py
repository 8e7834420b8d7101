"""Calls that really arrive at once: threads with connections of their own, let loose together."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import connection, transaction

from tests.servers import PATIENCE, wait_for


def at_once(calls: list[Callable[[], object]]) -> list[object]:
    """Run every call in a thread, all let go at the same moment; return their results in order."""
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        connection.ensure_connection()
        gate.wait(PATIENCE)
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(PATIENCE) for future in [pool.submit(run, call) for call in calls]]


def before_commit(change: Callable[[], object], call: Callable[[], object]) -> object:
    """What `call` returns that begins after `change` and before that is committed: as soon as it waits for a lock."""

    def run() -> object:
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            change()
            result = pool.submit(run)
            wait_for(lambda: result.done() or _somebody_waits_for_a_lock(), "the call to wait for a lock")
        return result.result(PATIENCE)


def _somebody_waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # else a transaction sees them once and for all
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return cursor.fetchone()[0] > 0
