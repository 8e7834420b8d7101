"""Errors outside REST framework's views, as JSON or a page, and the context of error pages."""

import math
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from web import cookies
from web.hosts import parts_of
from web.negotiation import prefers_page

NOTHING = gettext_lazy("There is nothing at this address.")
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
    """Return the context of `web/error.html`. A sentence that only repeats the title is left out.

    `again`: seconds until the page reloads by itself.
    """
    shown = "" if sentence == NOTHING else sentence
    has_no_cookies = sentence in (cookies.FOR_ORDERS, cookies.FOR_STAFF)
    title = cookies.TITLE if has_no_cookies else _TITLES.get(status, _TITLES[400])
    return {"status": status, "title": title, "sentence": shown, "again": again, "has_no_cookies": has_no_cookies}


def seconds_until_again(method: str | None, response: HttpResponse) -> int | None:
    """Return the seconds until the page of a 503 may reload by itself; None for posted forms."""
    may = method in {"GET", "HEAD"} and response.status_code == 503 and "Retry-After" in response.headers
    return int(response.headers["Retry-After"]) if may else None


def sign_in_again_context(request: Any, sign_in_url: str) -> dict[str, Any]:
    """Return the context for a form that was posted while signed out, with the way back to its page."""
    page = parts_of(request.headers.get("Referer", ""))
    came_from = f"{page.path}?{page.query}" if page.query else page.path
    sentence = _("You are signed out. Nothing was saved; please sign in and try again.")
    return error_context(401, sentence) | {"sign_in": f"{sign_in_url}?{urlencode({'next': came_from or '/'})}"}


def refuse(
    request: HttpRequest, status: int, sentence: str, *, retry_after: int | None = None, back: str = ""
) -> HttpResponse:
    """Return an error outside REST framework's views, as JSON or a page.

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
    """Return a 429 with Retry-After."""
    return refuse(request, 429, too_many_tries(seconds), retry_after=seconds)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refuse(request, 400, _("This request could not be understood."))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refuse(request, 403, _("You don't have permission to do this."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refuse(request, 404, str(NOTHING))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    if cookies.are_off(request):
        return refuse(request, 403, str(cookies.FOR_STAFF))
    return refuse(request, 403, _("This page was open for too long. Please go back, reload it and try again."))


def too_many_tries(seconds: float) -> str:
    """Return the sentence of a 429, with the time to wait."""
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
