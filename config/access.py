"""Who is asking, and may they? (decisions 2.1 to 2.8)

Every view declares `access`: `PUBLIC`, a permission such as `"restaurant.work_kitchen"`, a tuple of which one is
enough, or a mapping from HTTP methods to these. A view without one is open to nobody.
"""

import ipaddress
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import ScopedRateThrottle

if TYPE_CHECKING:  # DRF's views import this module while they are being imported
    from rest_framework.views import APIView

PUBLIC = "public"

Needed = str | tuple[str, ...]


def needed(view: object, method: str) -> Needed | None:
    """What `view` declares for `method`: PUBLIC, permissions, or None where nothing is declared."""
    declared: Needed | Mapping[str, Needed] | None = getattr(view, "access", None)
    if isinstance(declared, Mapping):
        return declared.get("GET" if method == "HEAD" else method)
    return declared


class DeclaredAccess(BasePermission):
    """Lets through whoever has what the view declares."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        if request.method not in view.allowed_methods:
            return True  # DRF answers 405 next; "forbidden" would be the wrong word
        permission = needed(view, request.method or "")
        if permission == PUBLIC:
            return True
        enough = (permission,) if isinstance(permission, str) else permission or ()
        return any(request.user.has_perm(each) for each in enough)


class GuestForms(BaseAuthentication):
    """Asks whatever a page could send for someone who is not signed in for its CSRF token.

    DRF checks it for signed-in sessions alone; but a guest's cookies are credentials too, and some answers set
    them. JSON needs no token: a foreign page can't send it without the browser asking first. Where the public may
    not call at all, the answer is that (401).
    """

    def authenticate(self, request: Request) -> None:
        method = request.method or ""
        is_json = (request.content_type or "").lower().startswith("application/json")
        if method in {"GET", "HEAD", "OPTIONS", "TRACE"} or is_json:
            return
        if needed((request.parser_context or {}).get("view"), method) == PUBLIC:
            SessionAuthentication().enforce_csrf(request)


class GuestFormsScheme(OpenApiAuthenticationExtension):
    """Tells the description of the endpoints that this is a check and no way to sign in."""

    target_class = "config.access.GuestForms"
    name = "GuestForm"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "apiKey", "in": "header", "name": "X-CSRFToken", "description": "For guests' forms alone."}

    def get_security_requirement(self, auto_schema: object) -> list[dict[str, list[str]]]:
        return []


ALLOWED = "regulars.allowed"  # in the environment of a request that was counted before


class DeclaredThrottle(ScopedRateThrottle):
    """Counts by the client's address, or by what the view's `throttle_identity(request)` returns."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        # What answers menus in front of Django may have counted the request, and handed it on.
        return bool(request.META.pop(ALLOWED, False)) or super().allow_request(request, view)

    def get_cache_key(self, request: Request, view: "APIView") -> str:
        identify: Callable[[Request], str | None] | None = getattr(view, "throttle_identity", None)
        identity = identify(request) if identify else None
        return self.cache_format % {"scope": self.scope, "ident": identity or client_address(request)}


# --- the client's address -------------------------------------------------------------------------


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """An address; IPv4 as such, also where a server that listens on IPv6 writes it as `::ffff:192.0.2.1`."""
    parsed = ipaddress.ip_address(address)
    return getattr(parsed, "ipv4_mapped", None) or parsed


def _is_trusted(address: str) -> bool:
    try:
        parsed = _parsed(address)
    except ValueError:
        return False
    return any(parsed in network for network in settings.TRUSTED_PROXY_NETWORKS)


def _behind_proxies(peer: str, forwarded: str) -> str:
    """The last address in X-Forwarded-For that no trusted proxy of ours has; what stands before it may be forged."""
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    address = peer
    while hops and _is_trusted(address):
        address = hops.pop()
    try:
        return str(_parsed(address))
    except ValueError:
        return peer


_RESOLVED = "regulars.client_address"


def resolve_client_address(environ: dict[str, Any]) -> None:
    """Make REMOTE_ADDR the client's address, once, for everything behind; drop forwarded headers of strangers."""
    if _RESOLVED in environ:
        return
    peer = environ.get("REMOTE_ADDR", "")
    if peer.startswith("::ffff:"):
        peer = environ["REMOTE_ADDR"] = _behind_proxies(peer, "")
    if settings.TRUSTED_PROXY_NETWORKS and _is_trusted(peer):
        environ["REMOTE_ADDR"] = _behind_proxies(peer, environ.get("HTTP_X_FORWARDED_FOR", ""))
    else:
        for header in ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST"):
            environ.pop(header, None)
    environ[_RESOLVED] = True


class ClientAddressMiddleware:
    """`resolve_client_address` for requests that did not come through `config.wsgi`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        resolve_client_address(request.META)
        return self.get_response(request)


def client_address(request: Any) -> str:
    """The address of whoever sent this request, as ClientAddressMiddleware worked it out."""
    return str(request.META.get("REMOTE_ADDR", ""))
