"""Printing of waiting dockets: a thread for each active printer, so that one that is off delays no other."""

import logging
import threading
import time
from datetime import datetime

from django.db import Error as DatabaseError
from django.db import connection
from django.utils import timezone, translation

from restaurant.events import CHANNEL
from restaurant.kitchen.printing import jobs, layout
from restaurant.kitchen.printing.device import Device, Patience, Trouble
from restaurant.kitchen.printing.escpos import PULSE, to_bytes
from restaurant.ordering.models import PrintJob
from web import languages

log = logging.getLogger(__name__)

GIVE_UP_EVERY = 60.0  # seconds


class Printing:
    """Prints until `stop` is called from another thread or a signal's handler."""

    def __init__(self, patience: Patience | None = None) -> None:
        self._patience = patience or Patience()
        self._stopping = threading.Event()
        self._workers: dict[int, Worker] = {}
        self._give_up_at = 0.0
        self._is_away = False  # the database

    def stop(self) -> None:
        self._stopping.set()

    def run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._listen()
            except DatabaseError as error:
                if not self._is_away:
                    log.warning("Printing lost the database: %s", error)
                self._is_away = True
                connection.close()
                self._stopping.wait(self._patience.poll)
        self._end(list(self._workers.values()))
        connection.close()

    def _listen(self) -> None:
        connection.ensure_connection()
        with connection.cursor() as cursor:
            cursor.execute(f"LISTEN {CHANNEL}")
        self._is_away = False
        while not self._stopping.is_set():
            self._follow_printers()
            for worker in self._workers.values():
                worker.wake()
            self._wait()

    def _wait(self) -> None:
        """Wait for a notification, or until it is time to look without one."""
        with connection.wrap_database_errors:
            # Short waits: a signal's handler runs between them.
            until = time.monotonic() + self._patience.poll
            while time.monotonic() < until and not self._stopping.is_set():
                for _notification in connection.connection.notifies(timeout=min(0.25, self._patience.poll)):
                    return

    def _follow_printers(self) -> None:
        """Start a worker for each active printer, and end those of the others."""
        if time.monotonic() >= self._give_up_at:
            self._give_up_at = time.monotonic() + GIVE_UP_EVERY
            jobs.give_up()
        active = jobs.active_printers()
        ended = [pk for pk, worker in self._workers.items() if pk not in active or not worker.is_alive()]
        self._end([self._workers.pop(pk) for pk in ended])
        for printer_id, name in active.items():
            if printer_id not in self._workers:
                self._workers[printer_id] = Worker(printer_id, name, self._patience)
                self._workers[printer_id].start()

    def _end(self, workers: list["Worker"]) -> None:
        """End the workers. A docket that is being printed gets a moment; after that, a copy is printed later."""
        for worker in workers:
            worker.stop()
        until = time.monotonic() + self._patience.stop
        for worker in workers:
            worker.join(max(until - time.monotonic(), 0.0))


class Worker(threading.Thread):
    """Prints one printer's dockets, the oldest first."""

    def __init__(self, printer_id: int, name: str, patience: Patience) -> None:
        super().__init__(name=f"printer-{printer_id}", daemon=True)
        self._printer_id = printer_id
        self._printer_name = name
        self._patience = patience
        self._stopping = threading.Event()
        self._woken = threading.Event()
        self._device: Device | None = None
        self._holds = False  # the printer's lock, by this thread's connection
        self._failures = 0
        self._trouble = ""  # what was reported last
        # Printed, and not stored yet: (job, slips that it made needless, when).
        self._printed: list[tuple[int, list[int], datetime]] = []

    def wake(self) -> None:
        self._woken.set()

    def stop(self) -> None:
        self._stopping.set()
        self._woken.set()

    def run(self) -> None:
        while not self._stopping.is_set():
            pause = self._step()
            if pause is None:
                self._woken.wait(self._patience.poll)
                self._woken.clear()
            else:
                self._stopping.wait(pause)
        self._close()
        connection.close()  # and the lock with it

    def _step(self) -> float | None:
        """Print one docket; return seconds until the next attempt, None to wait for work."""
        try:
            with translation.override(languages.of_kitchen()):
                return self._work()
        except DatabaseError as error:
            log.info("The printer %s lost the database: %s", self._printer_name, error)
            self._holds = False  # the lock went with the connection
            connection.close()
            self._close()
            return self._patience.poll
        except Exception:
            log.exception("The printer %s has failed", self._printer_name)
            self._close()
            return self._patience.longest_pause

    def _work(self) -> float | None:
        self._store()
        if not self._holds:
            self._holds = jobs.hold(self._printer_id)
            if not self._holds:
                return None
        job = None
        try:
            job = self._next()
            if job is None:
                self._close()  # many printers have one connection, and others may want it
                return None
            self._print(job)
        except Trouble as trouble:
            self._close()
            return self._report(str(trouble), job)
        if self._trouble:
            log.warning("The printer %s prints again.", self._printer_name)
        self._failures, self._trouble = 0, ""
        return 0.0

    def _next(self) -> jobs.Job | None:
        """Read the next job when the printer is ready, so that the docket is up to date. Raises Trouble."""
        printer = jobs.printer_with_work(self._printer_id)
        if printer is None:
            return None
        if self._device is None or self._device.address != (printer.host, printer.port):
            self._close()
            self._device = Device(printer.host, printer.port, self._patience)
        if not self._device.is_open:
            self._device.open()
        return jobs.following(self._printer_id)

    def _print(self, job: jobs.Job) -> None:
        is_pulse = job.row.kind == PrintJob.Kind.PULSE
        lines = [] if is_pulse else _lines(job)
        if not lines and not is_pulse:
            jobs.set_needless(job)
            return
        docket = PULSE if is_pulse else to_bytes(lines)
        if jobs.begin(job):
            assert self._device is not None  # noqa: S101 (for the type checker)
            self._device.print(docket, len(lines))
            self._printed.append((job.row.pk, job.covered_slips, timezone.now()))
            self._store()

    def _store(self) -> None:
        """Store what was printed, also while the database was away, so that it is not printed again."""
        while self._printed:
            jobs.set_printed(*self._printed[0])
            self._printed.pop(0)

    def _report(self, trouble: str, job: jobs.Job | None) -> float:
        """Report the trouble; return the seconds until the next attempt."""
        if trouble != self._trouble:
            log.warning("The printer %s: %s", self._printer_name, trouble)
        self._trouble = trouble
        jobs.set_failed(self._printer_id, trouble)
        longest = self._patience.longest_after_copy if job else self._patience.longest_pause
        pause = min(self._patience.pause * 2**self._failures, longest)
        self._failures = min(self._failures + 1, 10)
        return pause

    def _close(self) -> None:
        if self._device is not None:
            self._device.close()


def _lines(job: jobs.Job) -> list[layout.Line]:
    try:
        return layout.docket(job.row, is_copy=job.row.attempts > 0)
    except Exception:
        log.exception("The docket of %s can't be made", job.row)
        return layout.unreadable(job.row)
