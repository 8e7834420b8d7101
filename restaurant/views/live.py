"""Pages that listen to the socket server."""

from typing import Any
from urllib.parse import urlsplit

from csp.constants import SELF
from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.response import Response

from web.views import PageView


def socket_url(request: HttpRequest | Request) -> str:
    """Where this page's browser finds the socket server: KITCHEN_SOCKET_URL, or the page's own host.

    The page's host is the one of APP_BASE_URL, or another that this installation answers to: a browser would
    not send the cookies of one host to another.
    """
    if settings.KITCHEN_SOCKET_URL:
        return str(settings.KITCHEN_SOCKET_URL)
    host = request.get_host()
    if not host.endswith("]"):
        host = host.rpartition(":")[0] or host
    scheme = "wss" if urlsplit(settings.APP_BASE_URL).scheme == "https" else "ws"
    return f"{scheme}://{host}:{settings.KITCHEN_SOCKET_PORT}"


class LiveView(PageView):
    """A view whose page may connect to the socket server."""

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        final = super().finalize_response(request, response, *args, **kwargs)
        address = urlsplit(socket_url(request))
        allowed = {"connect-src": [SELF, f"{address.scheme}://{address.netloc}"]}  # a path would have to match exactly
        csp_update(allowed)(lambda _request: final)(request._request)  # marks the response
        return final
