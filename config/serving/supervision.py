"""Keeps alive what `serve` started: the two servers and the embedded database.

What dies is started again, at once and then with a growing pause. A fifth death within a minute ends everything.
"""

import contextlib
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from django.conf import settings
from django.core.management.base import CommandError

from config.serving import ports, stopping
from config.serving.cluster import CannotStart
from config.serving.embedded import Server as Database
from config.serving.heartbeat import FOLDER, Monitor
from config.serving.printing import Printing
from config.serving.servers import GRACE

log = logging.getLogger(__name__)

READY_WITHIN = 30.0  # seconds
DEATHS = 5  # within MINUTE
MINUTE = 60.0  # seconds
PAUSES = (0.0, 1.0, 2.0, 4.0)  # seconds before the first, second, third and fourth start within MINUTE
RETRY = 0.5  # seconds between attempts to start a database that does not start


class Deaths:
    """When something has died lately, and when it may be started again."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._times: deque[float] = deque(maxlen=DEATHS)

    def count(self, what: str) -> float:
        """Count a death; return the moment of the next start. Raises CommandError for one too many."""
        now = time.monotonic()
        self._times.append(now)
        recent = [each for each in self._times if now - each < MINUTE]
        if len(recent) >= DEATHS:
            raise CommandError(f"The {self.name} {what}, for the fifth time within a minute.")
        pause = PAUSES[len(recent) - 1]
        log.error("The %s %s. Starting it again%s.", self.name, what, f" in {pause:.0f} s" if pause else "")
        return now + pause


class Server:
    """A server as a child process, in a session of its own so that Ctrl-C stops it through `serve`."""

    def __init__(self, name: str, arguments: list[str], environment: dict[str, str]) -> None:
        self.name = name
        self._command = [sys.executable, "-m", "config.serving.servers", *arguments]
        self._environment = os.environ | environment
        self._deaths = Deaths(f"{name} server")
        self._start_at: float | None = None
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        self._start_at = None
        return subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            cwd=settings.BASE_DIR,
            env=self._environment,
            start_new_session=True,
        )

    def check(self) -> None:
        """Start it again if it has died. Raises CommandError."""
        if self._start_at is not None:
            if time.monotonic() >= self._start_at:
                self.process = self._start()
        elif self.process.poll() is not None:
            self._kill_group()
            self._start_at = self._deaths.count(f"stopped by itself (status {self.process.returncode})")

    def _kill_group(self) -> None:
        """HTTP workers outlive a killed parent, and hold the port."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._kill_group()
            self.process.wait()


class EmbeddedDatabase:
    """The database that this process has started, if it did."""

    def __init__(self, server: Database | None) -> None:
        self._server = server
        self._deaths = Deaths("embedded database")
        self._start_at: float | None = None
        self._is_reported = False

    def check(self) -> None:
        """Start it again if it has died. Raises CommandError."""
        if self._server is None:
            return
        if self._start_at is not None:
            if time.monotonic() >= self._start_at:
                self._try(self._server)
        elif not self._server.is_alive():
            self._start_at = self._deaths.count("has died")

    def _try(self, server: Database) -> None:
        """As often as needed: a full disk may be full for hours."""
        try:
            with stopping.deferred():
                server.attempt()
        except (CannotStart, subprocess.SubprocessError, AssertionError, OSError, ValueError) as error:
            self._start_at = time.monotonic() + RETRY
            if not self._is_reported:
                log.error("The embedded database does not start and is tried again (%s): %s", error, server.log)
            self._is_reported = True
            return
        self._start_at, self._is_reported = None, False
        log.error("The embedded database is back.")


@contextlib.contextmanager
def servers(commands: dict[str, list[str]]) -> Iterator[tuple[list[Server], Monitor]]:
    """The servers of these names and arguments, while they are needed."""
    with tempfile.TemporaryDirectory(prefix="regulars-") as folder, contextlib.ExitStack() as stack:
        started = []
        for name, arguments in commands.items():
            started.append(Server(name, arguments, {FOLDER: folder}))
            stack.callback(started[-1].stop)
        yield started, Monitor(Path(folder))


def wait_until_ready(started: list[Server], ends: list[tuple[str, int]]) -> None:
    deadline = time.monotonic() + READY_WITHIN
    while not all(ports.accepts(*end) for end in ends):
        stopping.check()
        for server in started:
            if server.process.poll() is not None:
                status = server.process.returncode
                raise CommandError(f"The {server.name} server stopped by itself (status {status}).")
        if time.monotonic() > deadline:
            raise CommandError(f"The servers did not start within {READY_WITHIN:.0f} seconds.")
        time.sleep(0.05)


def watch(started: list[Server], monitor: Monitor, database: EmbeddedDatabase, printing: Printing) -> NoReturn:
    while True:
        stopping.check()
        database.check()
        for server in started:
            server.check()
        printing.check()
        for pid in monitor.kill_stalled({server.process.pid for server in started} | printing.groups):
            log.error("Process %d gave no sign of life and was killed. Another one takes its place.", pid)
        time.sleep(0.2)
