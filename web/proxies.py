"""The client's address, behind the proxies that settings.TRUSTED_PROXIES names."""

import ipaddress
from typing import Any

from django.conf import settings

_RESOLVED = "regulars.client_address_resolved"
_FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST", "HTTP_X_REQUEST_ID")


def _parse(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """An IPv4 address also where a server that listens on IPv6 writes it as `::ffff:192.0.2.1`."""
    parsed = ipaddress.ip_address(address)
    return getattr(parsed, "ipv4_mapped", None) or parsed


def _is_trusted(address: str) -> bool:
    try:
        parsed = _parse(address)
    except ValueError:
        return False
    return any(parsed in network for network in settings.TRUSTED_PROXY_NETWORKS)


def _client_of(peer: str, forwarded: str) -> str:
    """The last address in X-Forwarded-For that is not a trusted proxy's. Those before it may be forged."""
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    address = peer
    while hops and _is_trusted(address):
        address = hops.pop()
    try:
        return str(_parse(address))
    except ValueError:
        return peer


def resolve_client_address(environ: dict[str, Any]) -> None:
    """Set REMOTE_ADDR to the client's address, once per request; drop forwarded headers of untrusted peers."""
    if _RESOLVED in environ:
        return
    peer = environ.get("REMOTE_ADDR", "")
    if peer.startswith("::ffff:"):
        peer = environ["REMOTE_ADDR"] = _client_of(peer, "")
    if settings.TRUSTED_PROXY_NETWORKS and _is_trusted(peer):
        environ["REMOTE_ADDR"] = _client_of(peer, environ.get("HTTP_X_FORWARDED_FOR", ""))
    else:
        for header in _FORWARDED:
            environ.pop(header, None)
    environ[_RESOLVED] = True


def client_address(request: Any) -> str:
    """The client's address, as `web.middleware.ClientAddressMiddleware` resolved it."""
    return str(request.META.get("REMOTE_ADDR", ""))
