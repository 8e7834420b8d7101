"""What `serve` does every night, and ten minutes after its start: commands of their own, one after the other.

Also ten minutes after the machine's clock was set, and not before: what they delete and sum up goes by it, and one that
is wrong is mostly set right soon.
"""

import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, time, timedelta
from time import monotonic

from django.conf import settings
from django.utils import timezone

log = logging.getLogger(__name__)

COMMANDS = {"tidy": "Tidying", "expire_points": "The expiry of points"}  # with what to call them in the log
AFTER_START = timedelta(minutes=10)  # for installations that are switched off at night
HOUR = time(4, 30)  # in TIME_ZONE
CHECK_EVERY = 10.0  # seconds
CLOCK_IS_SET = 60.0  # seconds by which it then differs from what has passed


@contextmanager
def tidying_every_night() -> Iterator[None]:
    """It does so in a thread, while `serve` watches over its servers."""
    nightly, ended = Nightly(), threading.Event()

    def run() -> None:
        while not ended.wait(CHECK_EVERY):
            nightly.check()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        nightly.stop()


class Nightly:
    """To be checked regularly. Commands are processes of their own, so that `serve` needs no database connection."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._running = ""
        self._left: list[str] = []
        self._offset = _offset()
        self._next = timezone.now() + AFTER_START

    def check(self) -> None:
        """Start the next command if it is time; report a failure of the last one."""
        if self._process is not None and self._process.poll() is not None:
            if self._process.returncode:
                log.error("%s failed (status %d).", COMMANDS[self._running], self._process.returncode)
            self._process = None
        now, offset = timezone.now(), _offset()
        if abs(offset - self._offset) > CLOCK_IS_SET:
            self._offset, self._next = offset, now + AFTER_START
        if now >= self._next and self._process is None and not self._left:
            self._next, self._left = _next_night(now), list(COMMANDS)
        if self._left and self._process is None:
            self._start(self._left.pop(0))

    def _start(self, name: str) -> None:
        command = [sys.executable, "manage.py", name]
        self._running = name
        try:
            self._process = subprocess.Popen(command, cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL)
        except OSError as error:
            log.error("%s can't be started: %s", COMMANDS[name], error)

    def stop(self) -> None:
        """End what runs; what it has done so far stays done."""
        self._left = []
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


def _offset() -> float:
    """Seconds between the machine's clock and one that nobody sets."""
    return timezone.now().timestamp() - monotonic()


def _next_night(now: datetime) -> datetime:
    local = timezone.localtime(now)
    tonight = datetime.combine(local.date(), HOUR, tzinfo=local.tzinfo)
    return tonight if tonight > now else datetime.combine(local.date() + timedelta(days=1), HOUR, tzinfo=local.tzinfo)
