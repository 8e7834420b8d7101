"""The table that a guest was at, for the page of an error and the member's card. `config` says how it is known."""

from collections.abc import Callable

from django.db import Error
from django.http import HttpRequest

_table_of: Callable[[HttpRequest], int | None] | None = None


def read_with(table_of: Callable[[HttpRequest], int | None]) -> None:
    global _table_of  # noqa: PLW0603
    _table_of = table_of


def table_of(request: HttpRequest) -> int | None:
    """Its number; None also where it can't be read: an error's page must not end in another."""
    try:
        return _table_of(request) if _table_of else None
    except Error:
        return None
