"""What happens to every request before its view."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from web.errors import refuse
from web.proxies import resolve_client_address

GetResponse = Callable[[HttpRequest], HttpResponse]


class ClientAddressMiddleware:
    """For requests that did not come through `config.wsgi`, which resolves the address before Django."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        resolve_client_address(request.META)
        return self.get_response(request)


class BodyLimitMiddleware:
    """413 for a body larger than any endpoint needs: REST framework reads bodies without Django's own limit.

    And 411 for a chunked body, which the server passes on as an empty one.
    """

    LIMIT = 1024 * 1024  # bytes; 100 order entries with the longest notes take a fifth of it

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "HTTP_TRANSFER_ENCODING" in request.META:
            return refuse(request, 411, _("This request does not say how long it is. Please send its Content-Length."))
        length = request.META.get("CONTENT_LENGTH") or "0"
        is_upload = (request.content_type or "").startswith("multipart/")  # the admin's files, which Django limits
        if not is_upload and (not length.isdecimal() or int(length) > self.LIMIT):
            return refuse(request, 413, _("This request is too large."))
        return self.get_response(request)


def venue(request: HttpRequest) -> dict[str, str]:
    """A context processor: what every template knows."""
    return {"venue_name": settings.VENUE_NAME, "currency": settings.CURRENCY}
