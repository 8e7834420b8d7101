"""What makes one URL serve JSON and a page (decisions 1.2, 1.3, 1.5).

A view returns one dict. As JSON it is the body; as a page it is the context of the view's `template_name`.
A view may add, for its page alone:

- `page_context(data)`: what only a page needs, such as the number of things in the cart;
- `next_page`: where a browser goes after its form was accepted (303);
- `refused_page(error)`: (template, context) shown when its form was not, with what was entered; or, where
  `refused_methods` and `refused_statuses` say so, in place of other error pages;
- `sign_in_page`: where a browser goes that has not said who it is, if that is not the staff's sign-in.

A report also has a `csv_name`: then `?format=csv` gives the figures of its page (see `config.spreadsheets`).
"""

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils.translation import gettext as _
from rest_framework import exceptions, parsers, renderers
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from qrservice import gateway

log = logging.getLogger(__name__)

HTML = "text/html"


# --- JSON -----------------------------------------------------------------------------------------


class Encoder(JSONEncoder):
    """Money as a number, time in UTC."""

    def default(self, obj: Any) -> Any:
        if isinstance(obj, Decimal):
            # Computed in decimals; a float's shortest text repeats up to 15 digits exactly, and money has 10.
            return float(obj)
        if isinstance(obj, datetime):
            return obj.astimezone(UTC).isoformat().replace("+00:00", "Z")
        return super().default(obj)


class JSONRenderer(renderers.JSONRenderer):
    encoder_class = Encoder


class JSONParser(parsers.JSONParser):
    """Refuses what is nested too deeply to be read, as it refuses what is no JSON; and says where it is none."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().parse(*args, **kwargs)
        except RecursionError as error:
            raise exceptions.ParseError(_("This JSON is nested too deeply.")) from error
        except exceptions.ParseError as error:
            found = error.__context__
            sentence = _("The body is not JSON in UTF-8 that can be read.")
            if isinstance(found, json.JSONDecodeError):
                place = {"line": found.lineno, "column": found.colno}
                sentence = _("The body is not JSON: see line %(line)d, column %(column)d.") % place
            raise exceptions.ParseError(sentence) from error


# --- choosing -------------------------------------------------------------------------------------


def prefers_page(request: HttpRequest) -> bool:
    """Does the Accept header rank text/html above application/json? `*/*`, or none at all, does not."""
    accept = request.headers.get("Accept", "*/*")
    return _prefers_page(accept) if len(accept) <= _LONGEST_KEPT else _prefers_page.__wrapped__(accept)


_LONGEST_KEPT = 500  # characters: what is kept is bounded, whatever is sent


@lru_cache(maxsize=256)  # browsers say the same again and again, and Django takes 0.05 ms to understand it
def _prefers_page(accept: str) -> bool:
    request = HttpRequest()
    request.META["HTTP_ACCEPT"] = accept
    return request.get_preferred_type(["application/json", HTML]) == HTML


def _has_page(request: Request) -> bool:
    """Does the view that was asked have a page, or a place where a browser goes after it?"""
    view = (request.parser_context or {}).get("view")
    return hasattr(view, "template_name") or hasattr(view, "next_page")


class Negotiation(DefaultContentNegotiation):
    """`?format=` first, then the Accept header with its weights (which DRF's own negotiation ignores)."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        view = (request.parser_context or {}).get("view")
        offered = [each for each in renderers if each.format != "csv" or hasattr(view, "csv_name")]
        wanted = request.query_params.get(str(settings.REST_FRAMEWORK["URL_FORMAT_OVERRIDE"])) or format_suffix
        if wanted:
            chosen = self.filter_renderers(offered if _has_page(request) else offered[:1], wanted)[0]
        elif prefers_page(request._request) and _has_page(request):
            chosen = next((each for each in offered if each.media_type == HTML), offered[0])
        else:
            chosen = offered[0]
        return chosen, chosen.media_type or ""


# --- pages ----------------------------------------------------------------------------------------


class PageRenderer(renderers.BaseRenderer):
    """The page of a view. See the module's docstring for what a view can say about it."""

    media_type = HTML
    format = "html"
    charset = "utf-8"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> str:
        context = renderer_context or {}
        view, request, response = context["view"], context["request"], context["response"]
        if response.exception:
            return self._refusal(data or {}, view, request, response)
        next_page = getattr(view, "next_page", None)
        if request.method == "POST" and next_page:
            response.status_code, response["Location"] = 303, next_page
            return ""
        extra = view.page_context(data) if hasattr(view, "page_context") else {}
        return loader.render_to_string(view.template_name, {**(data or {}), **extra, "view": view}, request=request)

    def _refusal(self, error: dict[str, Any], view: Any, request: Request, response: Response) -> str:
        if response.status_code == 401 and request.method == "GET":
            here = urlencode({"next": request.get_full_path()})
            response.status_code = 302
            response["Location"] = f"{getattr(view, 'sign_in_page', settings.LOGIN_URL)}?{here}"
            return ""
        if response.status_code == 401:
            # Not a redirect: a page that sends its forms by itself must not take it for success.
            return sign_in_again(request, getattr(view, "sign_in_page", settings.LOGIN_URL))
        refused_page = getattr(view, "refused_page", None)
        methods, statuses = getattr(view, "refused_methods", {"POST"}), getattr(view, "refused_statuses", {400, 409})
        if refused_page and request.method in methods and response.status_code in statuses:
            page = refused_page(error)
            if page is not None:
                template, context = page
                return loader.render_to_string(template, {**context, "refusal": error, "view": view}, request=request)
        return error_page(request, response.status_code, error.get("error", ""))


def sign_in_again(request: Any, sign_in_page: str) -> str:
    """The page after a form that came without a session: nothing was done, and the way back to where it was."""
    page = urlsplit(request.headers.get("Referer", ""))
    came_from = f"{page.path}?{page.query}" if page.query else page.path
    sign_in = f"{sign_in_page}?{urlencode({'next': came_from or '/'})}"
    sentence = _("You are signed out. Nothing was done; please sign in and try again.")
    context = {"status": 401, "title": _(_TITLES[401]), "sentence": sentence, "sign_in": sign_in}
    return loader.render_to_string("config/error.html", context, request=request)


_TITLES = {
    400: "That did not work",
    401: "Please sign in",
    403: "This page is for someone else",
    404: "Nothing here",
    409: "That did not work",
    410: "No longer in use",
    429: "One moment, please",
    500: "Something went wrong",
    503: "Back in a moment",
}


def error_page(request: Any, status: int, sentence: str) -> str:
    """A page that says in words what is wrong."""
    context = {"status": status, "title": _(_TITLES.get(status, _TITLES[400])), "sentence": sentence}
    return loader.render_to_string("config/error.html", context, request=request)


# --- errors ---------------------------------------------------------------------------------------


def _service_sentence(error: gateway.QRServiceError) -> str:
    if isinstance(error, gateway.Unavailable):
        return _("The QR code service can't be reached at the moment. Nothing was stored; please try again.")
    if isinstance(error, gateway.RefusedKey):
        return _("The QR code service does not accept this installation's key. Please tell whoever runs it.")
    return _("The QR code service answered what this installation can't use. Nothing was stored.")


class ServiceUnavailable(exceptions.APIException):
    """The QR code service can't be reached (decision 3.12)."""

    status_code = 503

    def __init__(self, error: gateway.QRServiceError) -> None:
        super().__init__(_service_sentence(error))
        self.wait = getattr(error, "retry_after", None) or 30  # seconds, for Retry-After


_STALE_PAGE = "This page was open for too long. Please go back, reload it and try again."


def _flatten(detail: Any, path: str = "") -> dict[str, str]:
    """{'items': [{}, {'quantity': ['Too many.']}]} -> {'items.1.quantity': 'Too many.'}"""
    if isinstance(detail, Mapping):
        parts: list[tuple[str, Any]] = list(detail.items())
    elif isinstance(detail, list) and any(isinstance(each, Mapping | list) for each in detail):
        parts = [(str(number), each) for number, each in enumerate(detail)]
    else:
        return {path: str(detail[0] if isinstance(detail, list) else detail)}
    found: dict[str, str] = {}
    for name, each in parts:
        if each:
            found |= _flatten(each, path if name == "non_field_errors" else f"{path}.{name}".lstrip("."))
    return found


def error_body(exc: exceptions.APIException) -> dict[str, Any]:
    """`{error: <sentence>}`, plus `fields` for a refused body and whatever the error itself adds (`extra`)."""
    if not isinstance(exc, exceptions.ValidationError):
        return {"error": str(exc.detail), **getattr(exc, "extra", {})}
    fields = _flatten(exc.detail)
    name, sentence = next(iter(fields.items()))
    if not name:
        return {"error": sentence}
    return {"error": f"{name}: {sentence}", "fields": fields}


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """Turns what services and DRF raise into responses. What it does not know becomes a 500 elsewhere."""
    from rest_framework.views import exception_handler as drf_exception_handler  # which imports this module

    if isinstance(exc, Http404):
        exc = exceptions.NotFound(_("There is nothing at this address."))
    elif isinstance(exc, exceptions.PermissionDenied) and str(exc.detail).startswith("CSRF Failed"):
        exc = exceptions.PermissionDenied(_(_STALE_PAGE))
    elif isinstance(exc, PermissionDenied):
        exc = exceptions.PermissionDenied()
    elif isinstance(exc, gateway.QRServiceError):
        # Staff can't mend it, the operator can: the log says what it is, the answer when to try again.
        log.error("The QR code service failed: %s: %s", type(exc).__name__, exc)
        exc = ServiceUnavailable(exc)
    response = drf_exception_handler(exc, dict(context))
    if response is not None and isinstance(exc, exceptions.APIException):
        response.data = error_body(exc)
    return response


def refuse(request: HttpRequest, status: int, sentence: str) -> HttpResponse:
    """An error outside DRF, as JSON or a page."""
    if prefers_page(request):
        return HttpResponse(error_page(request, status, sentence), status=status)
    return JsonResponse({"error": sentence}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refuse(request, 400, _("This request could not be understood."))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refuse(request, 403, _("You are not allowed to do this."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refuse(request, 404, _("There is nothing at this address."))


def server_error(request: HttpRequest) -> HttpResponse:
    return refuse(request, 500, _("Something went wrong on our side. Nothing you entered was at fault."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return refuse(request, 403, _(_STALE_PAGE))


class BodyLimitMiddleware:
    """413 for a JSON or form body that no endpoint could want: DRF reads bodies without Django's own limit.

    And 411 for one that comes in pieces and does not say its length: Django would take it for an empty one.
    """

    LIMIT = 1024 * 1024  # bytes; 100 order entries with the longest notes take a fifth of it

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "HTTP_TRANSFER_ENCODING" in request.META:
            return refuse(request, 411, _("This request does not say how long it is. Please send its Content-Length."))
        length = request.META.get("CONTENT_LENGTH") or "0"
        is_upload = (request.content_type or "").startswith("multipart/")  # the admin's files, which Django limits
        if not is_upload and (not length.isdecimal() or int(length) > self.LIMIT):
            return refuse(request, 413, _("This request is too large."))
        return self.get_response(request)


# --- what every template knows --------------------------------------------------------------------


def venue(request: HttpRequest) -> dict[str, str]:
    return {"venue_name": settings.VENUE_NAME, "currency": settings.CURRENCY}
