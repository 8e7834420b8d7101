"""Middleware for every request."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from web import languages
from web.error_pages import refuse
from web.permissions import PUBLIC, needed
from web.proxies import resolve_client_address
from web.venue import accent, current
from web.venue import name as venue_name

RETRY_AFTER = 2  # seconds


class Middleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response


class ClientAddressMiddleware(Middleware):
    """Resolves the client's address for servers other than `config.wsgi`, which does it before Django."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        resolve_client_address(request.META)
        return self.get_response(request)


class Utf8Middleware(Middleware):
    """Refuses a body or a query string that is not UTF-8 with 400, before anything decodes it.

    Django decodes with any codec of Python's that Content-Type names, the query string included: `punycode` takes
    quadratic time, and `utf-7` makes text that the database can't store.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_utf8((request.content_params or {}).get("charset", "utf-8")):
            request.encoding = "utf-8"  # for what the error page reads
            return refuse(request, 400, _("This request could not be read: it is not in UTF-8."))
        query = request.META.get("QUERY_STRING", "")
        if not query.isascii() and not _is_readable(query):
            return refuse(request, 400, _("This address could not be read: it is not in UTF-8."))
        return self.get_response(request)


def is_utf8(charset: str) -> bool:
    return charset.lower() in {"utf-8", "utf8"}


def _is_readable(query: str) -> bool:
    """Return whether a query string, which servers pass on as Latin-1, is UTF-8.

    Percent signs don't matter: Django reads a replacement character for invalid ones.
    """
    try:
        query.encode("latin-1").decode()
    except UnicodeError:
        return False
    return True


REFUSED = "regulars.refused"  # in the WSGI environment: the status with which the server refuses this request


class BodyLimitMiddleware(Middleware):
    """Refuses a body larger than any endpoint needs with 413: REST framework ignores Django's own limit.

    Only files that signed-in staff upload to the admin may be larger. Refuses a chunked body, which the server passes
    on as an empty one, with 411, and what the server has refused itself with 408 or 503.
    """

    LIMIT = 1024 * 1024  # bytes; 100 order entries with the longest notes take a fifth of it
    UPLOAD_LIMIT = 11 * 1024 * 1024  # a file of 10 MB, and the rest of its form

    @classmethod
    def limit_of(cls, path: str) -> int:
        """Return the largest body for this path, in bytes."""
        return cls.UPLOAD_LIMIT if path.startswith("/admin/") else cls.LIMIT

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if REFUSED in request.META:
            return _refuse_late(request, request.META[REFUSED])
        if "HTTP_TRANSFER_ENCODING" in request.META:
            return refuse(request, 411, _("This request does not say how long it is. Please send its Content-Length."))
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal() or len(length) > 12:
            return _refuse_large(request)
        if int(length) > self.LIMIT and (int(length) > self.UPLOAD_LIMIT or not _is_upload(request)):
            return _refuse_large(request)
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """Check who sends a large body, before the CSRF check reads it."""
        is_large = int(request.META.get("CONTENT_LENGTH") or "0") > self.LIMIT
        if is_large and not (request.user.is_active and request.user.is_staff):
            return _refuse_large(request)
        return None


def _is_upload(request: HttpRequest) -> bool:
    is_form = (request.content_type or "").startswith("multipart/")
    return is_form and request.path.startswith(reverse("admin:index"))


def _refuse_large(request: HttpRequest) -> HttpResponse:
    if _is_upload(request):
        return refuse(request, 413, _("This file is too large: at most 10 MB."), back=request.path)
    return refuse(request, 413, _("This request is too large."))


def _refuse_late(request: HttpRequest, status: int) -> HttpResponse:
    if status == 408:
        sentence = _("This request did not arrive in time. Nothing was done; please send it again.")
    else:
        sentence = _("Very many people are here at this moment. Nothing was done; please try again in a few seconds.")
    return refuse(request, status, sentence, retry_after=RETRY_AFTER)


class LanguageMiddleware(Middleware):
    """Writes each page in the language of its reader: staff's for staff and where only they may be, else a guest's.

    A view may say for whom its page is by `audience`: `staff` where it is public, `kitchen` for
    displays, which also send forms that other pages have.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_staff = settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated
        language = languages.of_staff(request) if is_staff else languages.of_guest(request)
        with translation.override(language):
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language())
        patch_vary_headers(response, ["Accept-Language"])
        return response

    def process_view(self, request: HttpRequest, view: Any, *_arguments: Any) -> None:
        """Switch to staff's language where guests have no access: on the sign-in page, or before a refusal."""
        shown = getattr(view, "view_class", getattr(view, "cls", None))
        audience = getattr(shown, "audience", "")
        is_display = request.method == "GET" or "/kitchen" in request.headers.get("Referer", "")
        if audience == "kitchen" and is_display:
            translation.activate(languages.of_kitchen())
        elif audience == "staff" or needed(shown, request.method or "") != PUBLIC:
            translation.activate(languages.of_staff(request))


def venue(request: HttpRequest) -> dict[str, Any]:
    """Return the variables that every template has (a context processor)."""
    return {
        "venue": current(),
        "venue_name": venue_name(),
        "venue_accent": accent(),
        "currency": settings.CURRENCY,
    }
