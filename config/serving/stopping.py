"""Stops `serve` by SIGINT, SIGTERM or SIGHUP, from the first moment of its process to the last.

The embedded database stops only at a regular exit, so none of these signals may end the process in another way.
"""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _State:
    requested = False
    is_deferred = False


class Stop(SystemExit):
    """A stop was requested. Uncaught, it ends the process with status 0."""


def listen() -> None:
    """Raise `Stop` at the first of the signals and ignore later ones, so that shutting down is not interrupted."""
    for number in SIGNALS:
        signal.signal(number, _stop)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


def go_on_as(module: str, *arguments: str) -> NoReturn:
    """Run another program in this process, with nothing of this one. Signals wait until it calls `listen`."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    check()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()  # what is buffered for a file would be lost with this program
    os.execv(sys.executable, [sys.executable, "-m", module, *arguments])  # noqa: S606 (this project's modules)


def _stop(number: int, frame: FrameType | None) -> None:
    _State.requested = True
    for later in SIGNALS:
        signal.signal(later, signal.SIG_IGN)
    if not _State.is_deferred:
        raise Stop(0)


def check() -> None:
    """Raise `Stop` if a stop was requested.

    Python drops exceptions of signal handlers in some places, such as a finaliser that is running. So `serve` calls
    this between its steps.
    """
    if _State.requested:
        raise Stop(0)


@contextlib.contextmanager
def deferred() -> Iterator[None]:
    """Defer a stop to the end of the block, for steps that must not be interrupted."""
    _State.is_deferred = True
    try:
        yield
    finally:
        _State.is_deferred = False
    check()
