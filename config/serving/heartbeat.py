"""How `serve` notices a process that stands still: every server process touches a file of its own each second."""

import contextlib
import os
import signal
import threading
import time
from pathlib import Path

import psutil

FOLDER = "SERVE_HEARTBEATS"  # the environment variable that `serve` sets for its servers
EVERY = 1.0  # seconds
STALLED_AFTER = 8  # checks in a row, each EVERY seconds, without a sign of life


def beat() -> None:
    """One sign of life of this process."""
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
        self._seen: dict[int, tuple[float, int]] = {}  # by process: its latest beat, checks since then
        self._next = 0.0

    def kill_stalled(self, groups: set[int]) -> list[int]:
        """The processes killed: those of the process groups `groups` that stand still. Call it often."""
        if time.monotonic() < self._next:
            return []
        self._next = time.monotonic() + EVERY
        stalled = [pid for pid in self._beating() if self._checks_in_vain(pid) >= STALLED_AFTER]
        return [pid for pid in stalled if _kill(pid, groups)]

    def _beating(self) -> list[int]:
        pids = [int(each.name) for each in self.folder.iterdir()]
        for pid in pids:
            if not psutil.pid_exists(pid):
                (self.folder / str(pid)).unlink(missing_ok=True)
                self._seen.pop(pid, None)
        return [pid for pid in pids if psutil.pid_exists(pid)]

    def _checks_in_vain(self, pid: int) -> int:
        try:
            latest = (self.folder / str(pid)).stat().st_mtime
        except FileNotFoundError:
            return 0
        before, checks = self._seen.get(pid, (0.0, 0))
        checks = checks + 1 if latest == before else 0
        self._seen[pid] = (latest, checks)
        return checks


def _kill(pid: int, groups: set[int]) -> bool:
    """False if the number belongs to somebody else's process by now."""
    try:
        if os.getpgid(pid) not in groups:
            return False
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True
