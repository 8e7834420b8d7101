"""How `serve` is stopped: SIGINT, SIGTERM and SIGHUP, from the process's first moment to its last.

The embedded database stops at a regular exit alone, so none of these signals may end the process in another way.
"""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _State:
    asked = False
    put_off = False


class Stop(SystemExit):
    """Somebody asked this process to stop. Uncaught, it ends it with status 0."""


def listen() -> None:
    """Raise `Stop` at the first of the signals; the ones after it change nothing, so that the end is not cut short."""
    for number in SIGNALS:
        signal.signal(number, _stop)


def _stop(number: int, frame: FrameType | None) -> None:
    _State.asked = True
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    if not _State.put_off:
        raise Stop(0)


def check() -> None:
    """Raise `Stop` if somebody asked for it.

    Python drops what a signal's handler raises in some places, as in a finaliser that runs at that moment. So it
    is asked for again between the steps.
    """
    if _State.asked:
        raise Stop(0)


@contextlib.contextmanager
def later() -> Iterator[None]:
    """Put off a stop to the end of the block: for what is worse half done than done."""
    _State.put_off = True
    try:
        yield
    finally:
        _State.put_off = False
    check()
