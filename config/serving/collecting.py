"""What `manage.py collect_points` does, while `serve` runs: every few minutes."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error as DatabaseError
from django.db import connection

from restaurant.ordering.services import collecting

log = logging.getLogger(__name__)

EVERY = 300.0  # seconds


@contextmanager
def collecting_now_and_then() -> Iterator[None]:
    """In a thread: the database may be slow, and `serve` must not wait for it."""
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(EVERY):
            try:
                collecting.collect_all()
            except DatabaseError as error:  # it is away: the next time
                log.info("Points can't be collected at the moment: %s", error)
            finally:
                connection.close()

    threading.Thread(target=run, daemon=True).start()
    try:
        yield
    finally:
        ended.set()
