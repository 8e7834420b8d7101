"""Runs `manage.py print_tickets` under `serve`, as long as a printer is active."""

import logging
import subprocess
import sys
import time

from django.db import Error as DatabaseError
from django.db import connection

from restaurant.kitchen.printing import active_printers

log = logging.getLogger(__name__)

STEADY = 60.0  # seconds after which a death is the first of a row
PAUSES = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)  # seconds before each next start, of deaths in a row
STOP_WITHIN = 5.0  # seconds


class Printing:
    """Starts and stops the process. Its deaths never end `serve`: guests can order while nothing prints."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.is_wanted = False
        self._deaths = 0
        self._started = 0.0
        self._start_at = 0.0

    def find_printers(self) -> None:
        try:
            self.is_wanted = bool(active_printers())
        except DatabaseError:
            pass  # it stays as it is; the process knows how to wait for the database
        finally:
            connection.close()

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
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE)
        except OSError as error:
            self._start_at = time.monotonic() + PAUSES[-1]
            log.error("Printing can't be started: %s", error)

    def _note_death(self, status: int) -> None:
        if time.monotonic() - self._started > STEADY:
            self._deaths = 0
        pause = PAUSES[min(self._deaths, len(PAUSES) - 1)]
        self._deaths += 1
        self.process = None
        self._start_at = time.monotonic() + pause
        log.error("Printing stopped by itself (status %d). Starting it again in %.0f s.", status, pause)

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(STOP_WITHIN)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None
