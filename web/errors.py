"""Errors: services raise small exceptions with a status and a sentence that a guest may read.

One exception handler turns them into `{error: <sentence>}`; pages of errors are in `web.error_pages`.
"""

import logging
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler as drf_exception_handler

from web import cookies
from web.error_pages import NOTHING, too_many_tries

log = logging.getLogger(__name__)


class DomainError(exceptions.APIException):
    """A request that the rules of the domain refuse. `extra` is added to the body beside `error`.

    `without_cookies` is the sentence for browsers that keep no cookies, which may be the reason.
    """

    status_code = 400
    without_cookies: str | Promise = ""

    def __init__(self, sentence: Any = None, **extra: Any) -> None:
        super().__init__(sentence)
        self.extra = extra


class Unknown(DomainError):
    """The request names something that does not exist."""

    status_code = 404


class Forbidden(DomainError):
    """Whoever sent the request may not do this."""

    status_code = 403


class PasswordNeeded(Forbidden):
    """Whoever has signed in with a PIN may do this with the password alone."""

    default_detail = gettext_lazy("This needs your password. Please sign in with it.")


class Conflict(DomainError):
    """The request does not fit the present state."""

    status_code = 409


class ServiceUnavailable(exceptions.APIException):
    """A service that the request depends on fails: 503 with Retry-After.

    `sentence` tells a guest what is wrong; `message` tells the operator, in the log. `retry_after` is in seconds.
    """

    status_code = 503
    sentence: str | Promise = gettext_lazy("Part of this service can't be reached at the moment.")

    def __init__(self, message: str = "", *, retry_after: int | None = None) -> None:
        super().__init__(f"{self.sentence} {_('Nothing was saved.')}")
        self.message = message
        self.retry_after = retry_after
        self.wait = retry_after or 30  # REST framework's name for what becomes Retry-After

    def __str__(self) -> str:
        return self.message or str(self.detail)


# --- the body -----------------------------------------------------------------------------------------


def _flatten(detail: Any, path: str = "") -> dict[str, str]:
    """Turn {'items': [{}, {'quantity': ['Too many.']}]} into {'items.1.quantity': 'Too many.'}."""
    if isinstance(detail, Mapping):
        parts: list[tuple[str, Any]] = list(detail.items())
    elif isinstance(detail, list) and any(isinstance(part, Mapping | list) for part in detail):
        parts = [(str(number), part) for number, part in enumerate(detail)]
    else:
        return {path: str(detail[0] if isinstance(detail, list) else detail)}
    flat: dict[str, str] = {}
    for name, part in parts:
        if part:
            flat |= _flatten(part, path if name == "non_field_errors" else f"{path}.{name}".lstrip("."))
    return flat


def error_body(exc: exceptions.APIException) -> dict[str, Any]:
    """Return `{error}`, with `fields` for a refused body and the error's own `extra`."""
    if isinstance(exc, exceptions.Throttled):
        return {"error": too_many_tries(getattr(exc, "wait", None) or 0)}
    if not isinstance(exc, exceptions.ValidationError):
        return {"error": str(exc.detail), **getattr(exc, "extra", {})}
    fields = _flatten(exc.detail)
    name, sentence = next(iter(fields.items()))
    if not name:
        return {"error": sentence}
    return {"error": f"{name}: {sentence}", "fields": fields}


def sentence_of(error: Mapping[str, Any]) -> str:
    """Return the sentence of an error's body without the name of a field."""
    return str(next(iter(error.get("fields", {}).values()), error["error"]))


# --- the exception handler ----------------------------------------------------------------------------


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """Extend REST framework's handler by our bodies. None for exceptions that it does not know."""
    if isinstance(exc, Http404):
        exc = exceptions.NotFound(str(NOTHING))
    elif isinstance(exc, PermissionDenied):
        exc = exceptions.PermissionDenied()
    if type(exc) is exceptions.PermissionDenied and getattr(context["request"].user, "asks_for_password", False):
        exc = PasswordNeeded()
    if isinstance(exc, ServiceUnavailable):
        log.error("%s: %s", type(exc).__name__, exc)
    elif isinstance(exc, DomainError) and exc.without_cookies and cookies.are_off(context["request"]):
        exc.detail = exceptions.ErrorDetail(str(exc.without_cookies), exc.default_code)
    response = drf_exception_handler(exc, dict(context))
    if response is not None and isinstance(exc, exceptions.APIException):
        response.data = error_body(exc)
    return response
