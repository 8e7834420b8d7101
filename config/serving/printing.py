"""`manage.py print_tickets` while `serve` runs: as long as a printer is active, and for no longer."""

import contextlib
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection

from config.serving.heartbeat import FOLDER
from restaurant.kitchen.printing import active_printers

log = logging.getLogger(__name__)

CHECK_EVERY = 5.0  # seconds between looks for active printers
STEADY = 60.0  # seconds after which a death is one by itself
PAUSES = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)  # seconds before each next start, of deaths in a row
STOP_WITHIN = 5.0  # seconds


class Printing:
    """The process. Unlike a server's, its deaths never end `serve`: guests can order while nothing prints."""

    def __init__(self, heartbeats: str) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.is_wanted = False
        self._environment = os.environ | {FOLDER: heartbeats}
        self._deaths = 0
        self._started = 0.0
        self._start_at = 0.0

    @property
    def groups(self) -> set[int]:
        return {self.process.pid} if self.process else set()

    def check(self) -> None:
        """Start or stop it as needed."""
        if self.process is not None and self.process.poll() is not None:
            self._note_death(self.process.returncode)
        if self.process is None:
            if self.is_wanted and time.monotonic() >= self._start_at:
                self._start()
        elif not self.is_wanted:
            self.stop()

    def _start(self) -> None:
        command = [sys.executable, "manage.py", "print_tickets", "--with-parent"]
        self._started = time.monotonic()
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, cwd=settings.BASE_DIR, env=self._environment, start_new_session=True
            )
        except OSError as error:
            self._start_at = time.monotonic() + PAUSES[-1]
            log.error("Printing can't be started: %s", error)

    def _note_death(self, status: int) -> None:
        if time.monotonic() - self._started > STEADY:
            self._deaths = 0
        pause = PAUSES[min(self._deaths, len(PAUSES) - 1)]
        self._deaths += 1
        self._forget()
        self._start_at = time.monotonic() + pause
        log.error("Printing stopped by itself (status %d). Starting it again in %.0f s.", status, pause)

    def _forget(self) -> None:
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
        self.process = None

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(STOP_WITHIN)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self._forget()


@contextmanager
def printing_while_needed(heartbeats: str) -> Iterator[Printing]:
    """A thread looks for printers: the database may be slow, and `serve` must not wait for it."""
    printing, ended = Printing(heartbeats), threading.Event()

    def look() -> None:
        while True:
            try:
                printing.is_wanted = bool(active_printers())
            except DatabaseError:
                pass  # it stays as it is; the process knows how to wait for the database
            finally:
                connection.close()
            if ended.wait(CHECK_EVERY):
                return

    threading.Thread(target=look, daemon=True).start()
    try:
        yield printing
    finally:
        ended.set()
        printing.stop()
