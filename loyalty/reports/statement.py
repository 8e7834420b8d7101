"""Asking the database."""

from collections.abc import Mapping
from typing import Any

from django.db import connection


def rows(statement: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What `statement` finds, by the names of its columns; `values` are those of its `%(name)s`."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        names = [column.name for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
