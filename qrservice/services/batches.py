"""Scans that wait together are stored by one statement and one COMMIT.

The first thread to come writes its scan at once. Those that come meanwhile wait, and when it has finished one of them
writes all of theirs, while others come: so nobody waits for a clock, and a scan that comes alone waits for nothing.
Everyone is told only after the COMMIT.

It replaces `scans.record`, one INSERT for each scan, which stays for scans that come by Django's view, and for those
of a batch that the database has refused. With it a server process takes about half the processor time for a scan, and
PostgreSQL two fifths.
"""

import json
import threading
from collections.abc import Callable
from enum import Enum, auto

from django.db import Error, InterfaceError, OperationalError, connection

from qrservice.services import scans

# One parameter, so that the statement is the same for every number of scans, and is prepared.
_INSERT = """
INSERT INTO qrservice_scan (code_id, scanned_at, city, country, device_type)
SELECT (scan ->> 0)::bigint, clock_timestamp(), scan ->> 1, scan ->> 2, scan ->> 3 FROM json_array_elements(%s) AS scan
"""


class _Outcome(Enum):
    STORED = auto()
    REFUSED = auto()  # by the database: nothing of the batch is stored
    NO_DATABASE = auto()


class _Waiting:
    """A thread's scan. It leads if it is to write those of others too."""

    __slots__ = ("leads", "outcome", "row", "turn")

    def __init__(self, row: scans.Row) -> None:
        self.row = row
        self.leads = False
        self.outcome = _Outcome.NO_DATABASE
        self.turn = threading.Lock()  # held until it leads, or has an outcome
        self.turn.acquire()


class Batches:
    def __init__(self, write: Callable[[list[scans.Row]], None]) -> None:
        self._write = write
        self._queue: list[_Waiting] = []
        self._is_led = False
        self._lock = threading.Lock()

    def record(self, row: scans.Row) -> None:
        """Return when the scan is stored. Raises what `scans.record` does."""
        own = _Waiting(row)
        with self._lock:
            self._queue.append(own)
            if not self._is_led:
                self._is_led = own.leads = True
        if not own.leads:
            own.turn.acquire()
        if own.leads:
            self._lead()
        if own.outcome is _Outcome.NO_DATABASE:
            raise OperationalError("the database can't be used: another scan found out")
        if own.outcome is _Outcome.REFUSED:
            scans.record(row)  # because of one of them, perhaps another one

    def _lead(self) -> None:
        """Write everything that waits."""
        with self._lock:
            batch, self._queue = self._queue, []
        outcome = _Outcome.NO_DATABASE
        try:
            self._write([each.row for each in batch])
            outcome = _Outcome.STORED
        except (OperationalError, InterfaceError):
            pass
        except Error:
            outcome = _Outcome.REFUSED
        finally:
            self._finish(batch, outcome)

    def _finish(self, batch: list[_Waiting], outcome: _Outcome) -> None:
        """Let the next one lead, and tell everyone of the batch."""
        with self._lock:
            if outcome is _Outcome.NO_DATABASE:
                # Nor do others wait for a database that has not answered: Django decides about each.
                batch, self._queue = batch + self._queue, []
            following = self._queue[0] if self._queue else None
            self._is_led = following is not None
        if following is not None:
            following.leads = True
            following.turn.release()
        for each in batch:
            each.outcome = outcome
            each.turn.release()


def _insert(rows: list[scans.Row]) -> None:
    if len(rows) == 1:
        scans.record(rows[0])
        return
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, [json.dumps(rows)])


_batches = Batches(_insert)  # of this process
record = _batches.record
