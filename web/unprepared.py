"""Unprepared statements for lists and reports, which PostgreSQL then plans by their values."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse

from web.middleware import Middleware


class UnpreparedStatementsMiddleware(Middleware):
    """Keeps the pages below `settings.UNPREPARED_PATHS` from preparing their statements.

    PostgreSQL ends up with one plan for all values of a prepared statement. That suits an order or a scan. Reports of a
    week and of two years, or searches for a rare and for a common name, then take the same plan, and 20 seconds instead
    of half a one.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in {"GET", "HEAD"} or not request.path.startswith(settings.UNPREPARED_PATHS):
            return self.get_response(request)
        with connection.execute_wrapper(_unprepared):
            return self.get_response(request)


def _unprepared(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    database = context["connection"].connection
    threshold, database.prepare_threshold = database.prepare_threshold, None
    try:
        return execute(sql, params, many, context)
    finally:
        database.prepare_threshold = threshold
