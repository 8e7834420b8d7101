"""Does what `serve` does beside serving, in threads of the socket server's process, which mostly waits."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from django.db import Error as DatabaseError
from django.db import connection
from django.utils import timezone

from config.serving.nightly import Nightly
from config.serving.printing import Printing
from restaurant.billing import fiscal
from restaurant.floor.queries import pushes
from restaurant.ordering.services import order_points
from web.services import push, sealing

log = logging.getLogger(__name__)

COLLECT_EVERY = 300.0  # seconds
FIND_PRINTERS_EVERY = 5.0  # seconds
CHECK_PRINTING_EVERY = 0.2  # seconds
CHECK_CLOCK_EVERY = 10.0  # seconds
SEAL_EVERY = 3.0  # seconds
PUSH_EVERY = 1.0  # seconds


@contextmanager
def work() -> Iterator[None]:
    nightly, printing = Nightly(), Printing()
    try:
        with (
            every(COLLECT_EVERY, collect_points),
            every(CHECK_CLOCK_EVERY, nightly.check),
            every(FIND_PRINTERS_EVERY, printing.find_printers),
            every(CHECK_PRINTING_EVERY, printing.check),
            every(SEAL_EVERY, seal_journal),
            every(SEAL_EVERY, sign_journal),
            every(PUSH_EVERY, partial(send_messages, push.Sender())),
        ):
            yield
    finally:
        printing.stop()


@contextmanager
def every(seconds: float, do: Callable[[], object]) -> Iterator[None]:
    """Do it again and again within the block, in a thread of its own, because the database may be slow."""
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(seconds):
            try:
                do()
            except Exception:  # one failure must not end it for the rest of the evening
                log.exception("What is done every %s seconds has failed", seconds)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(1)


def collect_points() -> None:
    """Collect points as `manage.py collect_points` does."""
    try:
        order_points.collect_all()
    except DatabaseError as error:  # the next time it may be back
        log.info("Points can't be collected at the moment: %s", error)
    finally:
        connection.close()


def sign_journal() -> None:
    """Have a fiscal device sign what is sealed: in a thread of its own, because it may not answer for long."""
    try:
        fiscal.sign()
    finally:
        connection.close()


def seal_journal() -> None:
    """Seal the journal as `manage.py seal_journal` does."""
    try:
        sealing.seal()
    except DatabaseError as error:
        log.info("The journal can't be sealed at the moment: %s", error)
    finally:
        connection.close()


def send_messages(sender: push.Sender) -> None:
    """Send to phones what is due. While nobody is subscribed it takes one query."""
    try:
        if push.is_wanted():
            push.end("order", order__in=pushes.over())
            sender.send(pushes.due(timezone.now()))
    except DatabaseError as error:
        log.info("Messages to phones can't be sent at the moment: %s", error)
    finally:
        connection.close()
