"""Recognises browsers that keep no cookies, and holds the sentences for their users."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from web.hosts import parts_of

TITLE = gettext_lazy("Your browser sent no cookies")
FOR_ORDERS = gettext_lazy(
    "Without cookies we can't tell which table you sit at. Please allow them for this site in your browser's settings,"
    " and scan the code on the table again. If this page was open for hours, scanning is enough."
)
FOR_STAFF = gettext_lazy(
    "Without cookies nobody can be signed in. Please allow them for this site in your browser's settings, and reload"
    " the page you came from."
)


def are_off(request: HttpRequest | Any, *, after: tuple[str, ...] = ("/",)) -> bool:
    """Return whether a browser sends no cookies though it comes from a page of this site that set one.

    `after`: the beginnings of the addresses of these pages.
    """
    if request.META.get("HTTP_COOKIE"):
        return False
    page = parts_of(request.headers.get("Referer", ""))
    return page.netloc == request.get_host() and page.path.startswith(after)
