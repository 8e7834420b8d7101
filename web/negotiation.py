"""The choice of JSON, page or CSV: by `?format=`, else by the Accept header."""

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

if TYPE_CHECKING:
    from rest_framework.views import APIView

HTML = "text/html"
_LONGEST_ACCEPT = 1000  # characters; browsers send some 150, and 200,000 would take half a second


def prefers_page(request: HttpRequest) -> bool:
    """Return whether the Accept header ranks text/html above application/json.

    False for `*/*`, for no header, and for one that is longer than any browser's.
    """
    accept = request.headers.get("Accept", "*/*")
    return len(accept) <= _LONGEST_ACCEPT and _prefers_page(accept)


@lru_cache(maxsize=256)  # Django takes 0.05 ms to parse a browser's header, which is always the same
def _prefers_page(accept: str) -> bool:
    request = HttpRequest()
    request.META["HTTP_ACCEPT"] = accept
    return request.get_preferred_type(["application/json", HTML]) == HTML


def _is_offered(renderer: BaseRenderer, view: "APIView | None") -> bool:
    """Return whether the view offers this format. Views of libraries name their own renderers."""
    formats = getattr(view, "formats", None)
    return formats is None or renderer.format in formats


class Negotiation(DefaultContentNegotiation):
    """Respects the weights of the Accept header, which REST framework's own negotiation ignores."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        view = (request.parser_context or {}).get("view")
        offered = [renderer for renderer in renderers if _is_offered(renderer, view)]
        format = request.query_params.get(str(settings.REST_FRAMEWORK["URL_FORMAT_OVERRIDE"])) or format_suffix
        if format:
            chosen = self.filter_renderers(offered, format)[0]
        elif prefers_page(request._request):
            chosen = next((renderer for renderer in offered if renderer.media_type == HTML), offered[0])
        else:
            chosen = offered[0]
        return chosen, chosen.media_type or ""
