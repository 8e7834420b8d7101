"""Search engines read and list only the front page: `GET /robots.txt`, and a header on everything else."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver
from django.views import View

from web.permissions import PUBLIC

# Pages that people share may be read for their preview, with their assets.
_READABLE = {"", "accent", "favicon.ico", "pictures", "robots.txt", "signup", "venue"}
_LISTED = {"/", "/robots.txt"}


class Robots(View):
    access = PUBLIC

    def get(self, request: HttpRequest) -> HttpResponse:
        return HttpResponse(_rules(), content_type="text/plain", headers={"Cache-Control": "public, max-age=3600"})


class NoIndexMiddleware:
    """Marks everything but the front page as not to be listed, for robots that read it all the same."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path_info not in _LISTED:
            response["X-Robots-Tag"] = "noindex"
        return response


@cache
def _rules() -> str:
    """Disallow every address but the readable ones by its beginning: not all robots understand "Allow"."""
    closed = sorted(set(_beginnings(get_resolver().url_patterns)) - _READABLE)
    return "\n".join(["User-agent: *", *(f"Disallow: /{beginning}" for beginning in closed), ""])


def _beginnings(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    for entry in patterns:
        route = str(entry.pattern).lstrip("^")
        if isinstance(entry, URLResolver) and not route:
            yield from _beginnings(entry.url_patterns)
        else:
            yield "".join(re.findall(r"^[\w.-]+", route))
