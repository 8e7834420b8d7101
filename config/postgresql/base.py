"""Django's PostgreSQL backend; no request waits longer than settings.DATABASE_TIMEOUT for a silent database.

PostgreSQL's own `statement_timeout` needs a server that runs. One that is stopped, or behind a cable that was pulled,
neither answers nor resets its connections, so the client has to give up by itself.
"""

import time
from types import SimpleNamespace
from typing import Any

import psycopg
from django.conf import settings
from django.db.backends.postgresql import base

PAUSE = 1.0  # seconds after a wait in vain in which this process does not try to connect again

_next_attempt = 0.0


def _pause() -> None:
    global _next_attempt  # noqa: PLW0603
    _next_attempt = time.monotonic() + PAUSE


class Connection(psycopg.Connection[Any]):
    """Waits for an answer no longer than settings.DATABASE_TIMEOUT, and is closed if there was none."""

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        try:
            return super().wait(gen, interval, timeout or settings.DATABASE_TIMEOUT or None)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == psycopg.pq.TransactionStatus.ACTIVE:  # there was no answer
                self.pgconn.finish()
                _pause()
            raise


class DatabaseWrapper(base.DatabaseWrapper):
    # The module that Django takes `connect` from, and the names of exceptions.
    Database: Any = SimpleNamespace(**{**vars(psycopg), "connect": Connection.connect})

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Raises OperationalError, at once within the pause: one request waits several times otherwise."""
        if settings.DATABASE_TIMEOUT and time.monotonic() < _next_attempt:
            raise psycopg.OperationalError("the database did not answer a moment ago")
        try:
            return super().get_new_connection(conn_params)
        except psycopg.errors.ConnectionTimeout:
            _pause()
            raise
