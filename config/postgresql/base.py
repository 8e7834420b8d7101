"""Django's PostgreSQL, with a cheaper trial of kept connections.

Django asks a kept connection something before its first use in every request, which costs a call of three
statements a quarter of its talk with the database. A server that ends a connection says so on the socket, so most
times looking there is enough.
"""

import select
import time

import psycopg
from django.db.backends.postgresql import base

ASK_AFTER = 1.0  # seconds since it was asked last: firewalls and lost networks drop a connection without a word


class DatabaseWrapper(base.DatabaseWrapper):
    _asked_at = float("-inf")

    def is_usable(self) -> bool:
        """Does the kept connection still answer? It is asked once a second, or when its socket has something to say."""
        if self.connection is None:
            return False
        now = time.monotonic()
        if not self.errors_occurred and now - self._asked_at < ASK_AFTER and self._is_silent():
            return True
        self._asked_at = now
        return bool(super().is_usable())

    def _is_silent(self) -> bool:
        """Nothing to read: neither the end of the connection nor a last word before it."""
        poll = select.poll()
        try:
            poll.register(self.connection.fileno(), select.POLLIN)
        except psycopg.Error:  # closed on this side
            return False
        return not poll.poll(0)
