"""Keeps alive what `serve` started: the two servers and the embedded database.

`serve` goes on as this program once everything is prepared. It imports no Django, which would take 100 MB for as long
as the restaurant is open.

What dies is started again, at once and then with a growing pause. A fifth death within a minute ends everything.
"""

import argparse
import contextlib
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections import deque
from pathlib import Path
from typing import NoReturn, Self

from config.serving import embedded, heartbeat, ports, stopping
from config.serving.cluster import CannotStart
from config.serving.servers import GRACE
from web.log import JSONFormatter, LineFormatter, ProblemFilter

log = logging.getLogger("config.serving.supervision")  # it runs as __main__

GREETING = "SERVE_GREETING"  # the environment variable with what to print when the servers are ready
READY_WITHIN = 30.0  # seconds
DEATHS = 5  # within MINUTE
MINUTE = 60.0  # seconds
PAUSES = (0.0, 1.0, 2.0, 4.0)  # seconds before the first, second, third and fourth start within MINUTE
RETRY = 0.5  # seconds between attempts to start a database that does not start


class Supervised(ABC):
    """A process that is started again when it dies."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._deaths: deque[float] = deque(maxlen=DEATHS)
        self._start_at: float | None = None  # while it is dead

    @abstractmethod
    def death(self) -> str:
        """Return how it has died, or nothing."""

    @abstractmethod
    def start(self) -> bool:
        """Return whether it runs again."""

    def check(self) -> None:
        """Start it again if it has died. Raises SystemExit for one death too many."""
        if self._start_at is None and (death := self.death()):
            self._start_at = time.monotonic() + self._pause_after(death)
        if self._start_at is not None and time.monotonic() >= self._start_at:
            self._start_at = None if self.start() else time.monotonic() + RETRY

    def _pause_after(self, death: str) -> float:
        now = time.monotonic()
        self._deaths.append(now)
        recent = sum(now - at < MINUTE for at in self._deaths)
        if recent >= DEATHS:
            sys.exit(f"The {self.name} {death}, for the fifth time within a minute.")
        pause = PAUSES[recent - 1]
        log.error("The %s %s. Starting it again%s.", self.name, death, f" in {pause:.0f} s" if pause else "")
        return pause


class Server(Supervised):
    """A server as a child process, in a session of its own so that Ctrl-C stops it through `serve`."""

    def __init__(self, name: str, *arguments: str) -> None:
        super().__init__(f"{name} server")
        self._command = [sys.executable, "-m", "config.serving.servers", *arguments, "--with-parent"]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Stop it, and what it has started."""
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE)
        self._kill_group()
        self.process.wait()

    def start(self) -> bool:
        self.process = subprocess.Popen(self._command, stdin=subprocess.PIPE, start_new_session=True)
        return True

    def death(self) -> str:
        if self.process.poll() is None:
            return ""
        self._kill_group()
        return f"stopped by itself (status {self.process.returncode})"

    def _kill_group(self) -> None:
        """HTTP workers outlive a killed parent, and hold the port."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)


class EmbeddedDatabase(Supervised):
    def __init__(self, data_dir: Path) -> None:
        super().__init__("embedded database")
        self._server = embedded.EmbeddedServer(data_dir)
        self._server.attempt()
        self._is_reported = False

    def death(self) -> str:
        return "" if self._server.is_alive() else "has died"

    def start(self) -> bool:
        """Try to start it, as often as needed: a full disk may be full for hours."""
        try:
            with stopping.deferred():
                self._server.attempt()
        except (CannotStart, subprocess.SubprocessError, AssertionError, OSError, ValueError) as error:
            if not self._is_reported:
                log.error("The embedded database does not start and is tried again (%s): %s", error, self._server.log)
            self._is_reported = True
            return False
        self._is_reported = False
        log.error("The embedded database is back.")
        return True


def run(options: argparse.Namespace, databases: list[EmbeddedDatabase]) -> NoReturn:
    host, greeting = options.host, os.environ.pop(GREETING, "")
    http = ["--host", host, "--port", str(options.port), "--workers", str(options.workers)]
    sockets = ["--host", host, "--port", str(options.kitchen_port), "--with-background"]
    with tempfile.TemporaryDirectory(prefix="regulars-") as folder:
        os.environ[heartbeat.FOLDER] = folder
        with Server("HTTP", "http", *http) as pages, Server("kitchen's socket", "sockets", *sockets) as displays:
            _wait_until_ready([pages, displays], [(host, options.port), (host, options.kitchen_port)])
            _print(greeting)
            _watch([pages, displays], databases, heartbeat.Monitor(Path(folder)))


def _wait_until_ready(servers: list[Server], addresses: list[tuple[str, int]]) -> None:
    deadline = time.monotonic() + READY_WITHIN
    while not all(ports.accepts(*address) for address in addresses):
        stopping.check()
        for server in servers:
            if death := server.death():
                sys.exit(f"The {server.name} {death}.")
        if time.monotonic() > deadline:
            sys.exit(f"The servers did not start within {READY_WITHIN:.0f} seconds.")
        time.sleep(0.05)


def _watch(servers: list[Server], databases: list[EmbeddedDatabase], monitor: heartbeat.Monitor) -> NoReturn:
    while True:
        stopping.check()
        for supervised in (*databases, *servers):
            supervised.check()
        for pid in monitor.kill_stalled({server.process.pid for server in servers}):
            log.error("Process %d gave no sign of life and was killed. Another one takes its place.", pid)
        time.sleep(0.2)


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _log_as_servers_do() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(JSONFormatter() if os.environ.get("LOG_FORMAT", "").lower() == "json" else LineFormatter())
    handler.addFilter(ProblemFilter())
    logging.basicConfig(handlers=[handler], level=os.environ.get("LOG_LEVEL", "WARNING").upper())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--kitchen-port", type=int, required=True)
    parser.add_argument("--workers", type=int, required=True)
    options = parser.parse_args()
    _log_as_servers_do()
    # Before signals are heard: whoever has joined stops it.
    folder = os.environ.get(embedded.FOLDER)
    databases = [EmbeddedDatabase(Path(folder))] if folder else []
    with contextlib.suppress(stopping.Stop):
        stopping.listen()
        run(options, databases)
    _print("Stopped.")


if __name__ == "__main__":
    main()
