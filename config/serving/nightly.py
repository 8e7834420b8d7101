"""Runs commands every night, and ten minutes after the start of `serve`, one after the other.

Also ten minutes after the machine's clock was set, and not before: what they delete and sum up goes by it, and one that
is wrong is mostly set right soon.
"""

import logging
import subprocess
import sys
from datetime import datetime, time, timedelta
from time import monotonic

from django.utils import timezone

log = logging.getLogger(__name__)

COMMANDS = {"tidy": "Tidying", "expire_points": "The expiry of points"}  # and their names in the log
AFTER_START = timedelta(minutes=10)  # for installations that are switched off at night
HOUR = time(4, 30)  # in TIME_ZONE
CLOCK_IS_SET = 60.0  # seconds by which it then differs from what has passed


class Nightly:
    def __init__(self) -> None:
        self._offset = _offset()
        self._next = timezone.now() + AFTER_START

    def check(self) -> None:
        """Run the commands if it is time. They end with this process, but what they have done stays done."""
        now, offset = timezone.now(), _offset()
        if abs(offset - self._offset) > CLOCK_IS_SET:
            self._offset, self._next = offset, now + AFTER_START
        if now >= self._next:
            self._next = _next_night(now)
            for command, name in COMMANDS.items():
                _run(command, name)


def _run(command: str, name: str) -> None:
    try:
        status = subprocess.call([sys.executable, "manage.py", command], stdout=subprocess.DEVNULL)
    except OSError as error:
        log.error("%s can't be started: %s", name, error)
    else:
        if status:
            log.error("%s failed (status %d).", name, status)


def _offset() -> float:
    """Return the seconds between the machine's clock and one that nobody sets."""
    return timezone.now().timestamp() - monotonic()


def _next_night(now: datetime) -> datetime:
    local = timezone.localtime(now)
    tonight = datetime.combine(local.date(), HOUR, tzinfo=local.tzinfo)
    return tonight if tonight > now else tonight + timedelta(days=1)
