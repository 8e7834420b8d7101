"""The kitchen's socket server, and under `runserver` HTTP beside it on one port."""

import os
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("SERVES_REQUESTS", "yes")  # limits how long a request waits for the database
http = get_asgi_application()
del os.environ["SERVES_REQUESTS"]  # the commands that this process runs may take long

# Below: what needs Django set up.
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402
from django.conf import settings  # noqa: E402
from django.http.request import validate_host  # noqa: E402

from restaurant.routing import websocket_urlpatterns  # noqa: E402
from web.credentials import BrowserSession, Credential, Nothing, Token  # noqa: E402
from web.proxies import resolve_client_address  # noqa: E402

_PORTS = {"http": 80, "https": 443}

Scope = dict[str, Any]
Channel = Callable[..., Awaitable[Any]]


def _header(scope: Scope, name: bytes) -> str:
    return dict(scope["headers"]).get(name, b"").decode("latin-1")


def _is_own_origin(scope: Scope) -> bool:
    """Return whether a page of this installation opened the socket.

    A browser sends cookies with any page's handshake; only the Origin tells pages of other sites apart.
    """
    base = urlsplit(settings.APP_BASE_URL)
    try:
        origin, host = urlsplit(_header(scope, b"origin")), urlsplit(f"//{_header(scope, b'host')}")
        if (origin.scheme, origin.port or _PORTS.get(origin.scheme)) != (base.scheme, base.port or _PORTS[base.scheme]):
            return False
    except ValueError:
        return False
    if not origin.hostname or origin.hostname == base.hostname:
        return bool(origin.hostname)
    # A page under another of the installation's names, which the handshake uses too.
    return origin.hostname == host.hostname and validate_host(origin.hostname, settings.ALLOWED_HOSTS)


def _credential(scope: Scope) -> Credential:
    """Return `?token=`, or the session's cookie if the Origin is our own."""
    tokens = parse_qs(scope["query_string"].decode("latin-1")).get("token")
    if tokens:
        return Token(tokens[0])
    key = scope["cookies"].get(settings.SESSION_COOKIE_NAME)
    return BrowserSession(key) if key and _is_own_origin(scope) else Nothing()


class StaffMiddleware:
    """Sets `scope["credential"]`."""

    def __init__(self, inner: Channel) -> None:
        self.inner = inner

    async def __call__(self, scope: Scope, receive: Channel, send: Channel) -> Any:
        return await self.inner({**scope, "credential": _credential(scope)}, receive, send)


class ClientAddressMiddleware:
    """Sets `scope["client_address"]`, behind trusted proxies too."""

    def __init__(self, inner: Channel) -> None:
        self.inner = inner

    async def __call__(self, scope: Scope, receive: Channel, send: Channel) -> Any:
        peer = scope["client"][0] if scope.get("client") else ""
        environ = {"REMOTE_ADDR": peer, "HTTP_X_FORWARDED_FOR": _header(scope, b"x-forwarded-for")}
        resolve_client_address(environ)
        return await self.inner({**scope, "client_address": environ["REMOTE_ADDR"]}, receive, send)


websocket = ClientAddressMiddleware(CookieMiddleware(StaffMiddleware(URLRouter(websocket_urlpatterns))))


application = ProtocolTypeRouter({"http": http, "websocket": websocket})
