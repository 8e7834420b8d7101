"""Pages that connect to the socket server."""

from typing import Any
from urllib.parse import urlsplit

from csp.constants import SELF
from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from web.views import PageView


def socket_url(request: HttpRequest | Request) -> str:
    """The socket server's address for this browser: KITCHEN_SOCKET_URL, or the host of the request.

    The host of the request, because a browser does not send the session's cookie to another one.
    """
    if settings.KITCHEN_SOCKET_URL:
        return str(settings.KITCHEN_SOCKET_URL)
    host = request.get_host()
    if not host.endswith("]"):  # an IPv6 address without a port
        host = host.rpartition(":")[0] or host
    scheme = "wss" if urlsplit(settings.APP_BASE_URL).scheme == "https" else "ws"
    return f"{scheme}://{host}:{settings.KITCHEN_SOCKET_PORT}"


class LiveView(PageView):
    """A view whose page may connect to the socket server: its Content-Security-Policy allows it."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        address = urlsplit(socket_url(request))
        # Without a path: a path in the policy has to match exactly.
        allow = csp_update({"connect-src": [SELF, f"{address.scheme}://{address.netloc}"]})
        response: HttpResponseBase = allow(super().dispatch)(request, *args, **kwargs)
        return response
