"""Serves stored pictures by a plain Django view: REST framework's negotiation refuses `Accept: image/webp`."""

from abc import abstractmethod
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag

from web.permissions import PUBLIC
from web.throttling import LimitedView

_FOREVER = f"public, max-age={365 * 24 * 3600}, immutable"


def cached_forever(request: HttpRequest, etag: str, make: Callable[[], HttpResponse]) -> HttpResponseBase:
    """Return what `make` returns, to be cached for a year, or 304 if the client has it. `etag` is not yet quoted."""
    etag = quote_etag(etag)
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = make()
    elif response.status_code != 304:
        return response  # 412, which must not be cached
    response["ETag"] = etag
    response["Cache-Control"] = _FOREVER
    return response


class PictureView(LimitedView):
    access = PUBLIC
    throttle_scope = "picture"
    http_method_names = ["get", "head"]

    @abstractmethod
    def find(self, digest: str) -> tuple[bytes, str] | None:
        """Return the bytes and the content type of the picture with this hash."""

    def get(self, request: HttpRequest, digest: str) -> HttpResponseBase:
        picture = self.find(digest)
        if picture is None:
            headers = {"Cache-Control": "public, max-age=60"}
            return HttpResponse("There is no such picture.\n", status=404, content_type="text/plain", headers=headers)
        data, content_type = picture
        return cached_forever(request, digest, lambda: HttpResponse(data, content_type=content_type))
