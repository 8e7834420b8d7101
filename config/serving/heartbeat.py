"""Lets `serve` notice a process that stands still: every server process touches a file of its own each second."""

import contextlib
import os
import signal
import threading
import time
from pathlib import Path

FOLDER = "SERVE_HEARTBEATS"  # the environment variable that `serve` sets for its servers
EVERY = 1.0  # seconds
STALLED_AFTER = 8  # checks in a row, each EVERY seconds, without a sign of life


def beat() -> None:
    """Give a sign of life of this process."""
    if folder := os.environ.get(FOLDER):
        # Away when `serve` is.
        with contextlib.suppress(OSError):
            (Path(folder) / str(os.getpid())).touch()


def start() -> None:
    """Beat from a thread of this process until it ends."""

    def run() -> None:
        while True:
            beat()
            time.sleep(EVERY)

    threading.Thread(target=run, daemon=True).start()


class Monitor:
    """Kills processes that have stopped beating. Whoever started them starts others.

    Checks are counted, not seconds: after the machine has slept, everybody gets the time to wake up.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seen: dict[Path, tuple[float, int]] = {}  # file -> its latest beat, checks since then
        self._next = 0.0

    def kill_stalled(self, groups: set[int]) -> list[int]:
        """Kill the processes of these process groups that stand still, and return their ids. Call it often."""
        if time.monotonic() < self._next:
            return []
        self._next = time.monotonic() + EVERY
        return [int(file.name) for file in self.folder.iterdir() if self._has_stalled(file) and _kill(file, groups)]

    def _has_stalled(self, file: Path) -> bool:
        latest = file.stat().st_mtime
        before, checks = self._seen.get(file, (0.0, 0))
        self._seen[file] = (latest, checks + 1 if latest == before else 0)
        return self._seen[file][1] >= STALLED_AFTER


def _kill(file: Path, groups: set[int]) -> bool:
    """Return False if the process has ended, and its id may be another process's by now."""
    file.unlink()
    try:
        if os.getpgid(int(file.name)) not in groups:
            return False
        os.kill(int(file.name), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True
