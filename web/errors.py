"""Errors: `{error: <sentence>}` for programs, a page for people.

Services raise small exceptions with a status and a sentence that a guest may read. One exception handler turns them
into responses.
"""

import logging
import math
import sys
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils.cache import patch_vary_headers
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from rest_framework import exceptions
from rest_framework.response import Response

from web import cookies
from web.hosts import parts_of
from web.negotiation import prefers_page

log = logging.getLogger(__name__)

NOTHING = gettext_lazy("There is nothing at this address.")


class DomainError(exceptions.APIException):
    """A request that the rules of the domain refuse. `extra` is added to the body beside `error`.

    `without_cookies` is the sentence for a browser that keeps none, where that may be why.
    """

    status_code = 400
    without_cookies: str | Promise = ""

    def __init__(self, sentence: Any = None, **extra: Any) -> None:
        super().__init__(sentence)
        self.extra = extra


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
    """{'items': [{}, {'quantity': ['Too many.']}]} -> {'items.1.quantity': 'Too many.'}"""
    if isinstance(detail, Mapping):
        parts: list[tuple[str, Any]] = list(detail.items())
    elif isinstance(detail, list) and any(isinstance(each, Mapping | list) for each in detail):
        parts = [(str(number), each) for number, each in enumerate(detail)]
    else:
        return {path: str(detail[0] if isinstance(detail, list) else detail)}
    flat: dict[str, str] = {}
    for name, each in parts:
        if each:
            flat |= _flatten(each, path if name == "non_field_errors" else f"{path}.{name}".lstrip("."))
    return flat


def error_body(exc: exceptions.APIException) -> dict[str, Any]:
    """`{error}`, plus `fields` for a refused body and the error's own `extra`."""
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
    """Of an error's body: its sentence without the name of a field, for a page."""
    return str(next(iter(error.get("fields", {}).values()), error["error"]))


def too_many_tries(seconds: float) -> str:
    """The sentence of a 429, with the time to wait."""
    return _("Too many tries. Please try again in %(time)s.") % {"time": _about(seconds)}


def _about(seconds: float) -> str:
    if seconds < 50:
        whole = max(math.ceil(seconds), 1)
        return ngettext("%(count)d second", "%(count)d seconds", whole) % {"count": whole}
    if seconds < 50 * 60:
        minutes = math.ceil(seconds / 60)
        return ngettext("about a minute", "about %(count)d minutes", minutes) % {"count": minutes}
    hours = math.ceil(seconds / 3600)
    return ngettext("about an hour", "about %(count)d hours", hours) % {"count": hours}


# --- the exception handler ----------------------------------------------------------------------------


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """REST framework's, with our bodies. What it does not know becomes a 500 elsewhere."""
    from rest_framework.views import exception_handler as drf_exception_handler  # which imports this module

    if isinstance(exc, Http404):
        exc = exceptions.NotFound(str(NOTHING))
    elif isinstance(exc, PermissionDenied):
        exc = exceptions.PermissionDenied()
    elif isinstance(exc, ServiceUnavailable):
        log.error("%s: %s", type(exc).__name__, exc)
    elif isinstance(exc, DomainError) and exc.without_cookies and cookies.are_off(context["request"]):
        exc.detail = exceptions.ErrorDetail(str(exc.without_cookies), exc.default_code)
    response = drf_exception_handler(exc, dict(context))
    if response is not None and isinstance(exc, exceptions.APIException):
        response.data = error_body(exc)
    return response


# --- pages --------------------------------------------------------------------------------------------

_TITLES = {
    400: gettext_lazy("That didn't work"),
    401: gettext_lazy("Please sign in"),
    403: gettext_lazy("You don't have access to this page"),
    404: gettext_lazy("Page not found"),
    409: gettext_lazy("That didn't work"),
    410: gettext_lazy("No longer in use"),
    413: gettext_lazy("That was too large"),
    429: gettext_lazy("Please wait a moment"),
    500: gettext_lazy("Something went wrong"),
    503: gettext_lazy("Back in a moment"),
}


def error_context(status: int, sentence: str, *, again: int | None = None) -> dict[str, Any]:
    """What the template `web/error.html` needs. A sentence that says what the title says is left out.

    `again`: after how many seconds the page asks for its address again by itself.
    """
    said = "" if sentence == NOTHING else sentence
    has_no_cookies = sentence in (cookies.FOR_ORDERS, cookies.FOR_STAFF)
    title = cookies.TITLE if has_no_cookies else _TITLES.get(status, _TITLES[400])
    return {"status": status, "title": title, "sentence": said, "again": again, "has_no_cookies": has_no_cookies}


def seconds_until_again(method: str | None, response: HttpResponse) -> int | None:
    """After how many seconds the page of a 503 may ask again by itself. None for what was sent by a form."""
    may = method in {"GET", "HEAD"} and response.status_code == 503 and "Retry-After" in response.headers
    return int(response.headers["Retry-After"]) if may else None


def sign_in_again_context(request: Any, sign_in_url: str) -> dict[str, Any]:
    """After a form that came without a session: nothing was saved, and the way back to the page it came from."""
    page = parts_of(request.headers.get("Referer", ""))
    came_from = f"{page.path}?{page.query}" if page.query else page.path
    sentence = _("You are signed out. Nothing was saved; please sign in and try again.")
    return error_context(401, sentence) | {"sign_in": f"{sign_in_url}?{urlencode({'next': came_from or '/'})}"}


def refuse(
    request: HttpRequest, status: int, sentence: str, *, retry_after: int | None = None, back: str = ""
) -> HttpResponse:
    """An error outside REST framework's views, as JSON or a page.

    `retry_after` is in seconds; `back` is the address of the form that was sent.
    """
    headers = {"Retry-After": str(retry_after)} if retry_after else {}
    response: HttpResponse = JsonResponse({"error": sentence}, status=status, headers=headers)
    if prefers_page(request):
        context = error_context(status, sentence, again=seconds_until_again(request.method, response)) | {"back": back}
        page = loader.render_to_string("web/error.html", context, request=request)
        response = HttpResponse(page, status=status, headers=headers)
    patch_vary_headers(response, ["Accept"])
    return response


def refuse_too_many(request: HttpRequest, seconds: int) -> HttpResponse:
    """429 with Retry-After."""
    return refuse(request, 429, too_many_tries(seconds), retry_after=seconds)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refuse(request, 400, _("This request could not be understood."))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refuse(request, 403, _("You don't have permission to do this."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refuse(request, 404, str(NOTHING))


def server_error(request: HttpRequest) -> HttpResponse:
    """500, or 503 where the database failed outside a view, for example while a session was stored."""
    from web import database_errors  # which imports this module

    error = sys.exc_info()[1]
    if isinstance(error, database_errors.ERRORS):
        return database_errors.unavailable(request, error)
    return refuse(request, 500, _("Something went wrong on our side. It is not your fault."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    if cookies.are_off(request):
        return refuse(request, 403, str(cookies.FOR_STAFF))
    return refuse(request, 403, _("This page was open for too long. Please go back, reload it and try again."))
