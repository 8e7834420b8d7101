"""Statements of pages that each member of staff asks for all the time.

They are compiled once: that takes the ORM longer than PostgreSQL takes to answer.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from django.db.models import QuerySet

_ANY_MOMENT = datetime(2000, 1, 1, tzinfo=UTC)


def compiled_once(rows_at: Callable[..., QuerySet[Any, Any]]) -> Callable[..., tuple[str, list[Any]]]:
    """Return a function that takes the arguments of `rows_at`, and returns the SQL and its values.

    The first argument is now. Every time in the query has to be now and a constant.
    """

    @cache
    def with_distances(*others: Any) -> tuple[str, list[Any]]:
        sql, values = rows_at(_ANY_MOMENT, *others).query.sql_with_params()
        return sql, [value - _ANY_MOMENT if isinstance(value, datetime) else value for value in values]

    def statement(now: datetime, *others: Any) -> tuple[str, list[Any]]:
        sql, values = with_distances(*others)
        return sql, [now + value if isinstance(value, timedelta) else value for value in values]

    return statement
