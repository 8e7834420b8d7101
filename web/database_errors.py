"""Responses while the database is away: 503 with Retry-After, after one more try where that does no harm."""

import logging
import sys
import time

from django.contrib.auth.models import AnonymousUser
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from web.error_pages import refuse
from web.middleware import Middleware
from web.negotiation import prefers_page

log = logging.getLogger(__name__)

ERRORS = (OperationalError, InterfaceError)
RETRY_AFTER = 5  # seconds
QUIET = 30.0  # seconds between two lines in the log

_next_line = 0.0


class DatabaseErrorsMiddleware(Middleware):
    """Repeats reads and idempotent requests once if they lost the connection; otherwise responds with 503."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method == "POST" and not _is_upload(request):
            request.body  # noqa: B018 (reads it, so that it can be read again)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, ERRORS):
            return None
        was_lost = connection.connection is not None and connection.connection.closed
        _close()
        if was_lost and _may_be_repeated(request):
            match = request.resolver_match
            try:
                again: HttpResponse = match.func(request, *match.args, **match.kwargs)  # type: ignore[union-attr]
                return again
            except ERRORS as error:
                exception = error
                _close()
        return unavailable(request, exception)


def _close() -> None:
    """Close the connection, so that the next query connects again. Inside a transaction the caller does it."""
    if not connection.in_atomic_block:
        connection.close()


def _is_upload(request: HttpRequest) -> bool:
    return (request.content_type or "").startswith("multipart/")


def _may_be_repeated(request: HttpRequest) -> bool:
    """Return whether repeating the request does no harm, even if it was committed before."""
    if request.method in {"GET", "HEAD"}:
        return True
    has_key = "Idempotency-Key" in request.headers or "idempotencyKey" in request.POST
    return has_key and not _is_upload(request)


def unavailable(request: HttpRequest, exception: BaseException) -> HttpResponse:
    """Return a 503 with Retry-After, rendered without the database."""
    _report(exception)
    request.user = AnonymousUser()
    sentence = _("We can't reach our records at the moment. Please try again in a few seconds.")
    if request.method == "POST" and prefers_page(request) and _may_be_repeated(request):
        sentence = _("What you sent has not gone through. Reload this page to send it again: it counts only once.")
    response = refuse(request, 503, sentence, retry_after=RETRY_AFTER)
    response["Cache-Control"] = "no-store"
    # Django's own mark: this response has its line in the log.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Return a 500, or a 503 where the database failed outside a view, for example while a session was stored."""
    error = sys.exc_info()[1]
    if isinstance(error, ERRORS):
        return unavailable(request, error)
    return refuse(request, 500, _("Something went wrong on our side. It is not your fault."))


def _report(exception: BaseException) -> None:
    """Log an outage once per QUIET seconds."""
    global _next_line  # noqa: PLW0603
    now = time.monotonic()
    if now >= _next_line:
        _next_line = now + QUIET
        # The error itself: `web.log.ProblemFilter` knows an outage by it, wherever it is noticed.
        log.error("The database can't be used, and requests get 503: %s", exception)
