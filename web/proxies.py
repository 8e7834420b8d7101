"""The client's address, behind the proxies that settings.TRUSTED_PROXIES names."""

import functools
import ipaddress
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.conf import settings

log = logging.getLogger(__name__)

_RESOLVED = "regulars.client_address_resolved"
UNTRUSTED = "regulars.forwarded_by_untrusted_peer"  # set where forwarded headers were not believed
_FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST")
_REQUEST_ID = "HTTP_X_REQUEST_ID"  # believed from proxies as well


def _parse(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Parse an address, and unwrap an IPv4 address that a server on IPv6 writes as `::ffff:192.0.2.1`."""
    parsed = ipaddress.ip_address(address)
    return getattr(parsed, "ipv4_mapped", None) or parsed


def is_in(networks: Iterable[ipaddress.IPv4Network | ipaddress.IPv6Network], address: str) -> bool:
    try:
        parsed = _parse(address)
    except ValueError:
        return False
    return any(parsed in network for network in networks)


def is_trusted(address: str) -> bool:
    return is_in(settings.TRUSTED_PROXY_NETWORKS, address)


def _client_of(peer: str, forwarded: str) -> str:
    """Return the last address in X-Forwarded-For that is not a trusted proxy's. Those before it may be forged."""
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    address = peer
    while hops and is_trusted(address):
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
    if settings.TRUSTED_PROXY_NETWORKS and is_trusted(peer):
        environ["REMOTE_ADDR"] = _client_of(peer, environ.get("HTTP_X_FORWARDED_FOR", ""))
    else:
        for header in _FORWARDED:
            if environ.pop(header, None) is not None:
                environ[UNTRUSTED] = peer
        environ.pop(_REQUEST_ID, None)
        if UNTRUSTED in environ:
            _note_untrusted(peer)
    environ[_RESOLVED] = True


def untrusted_proxy_note() -> Path:
    """Return the file that names a peer whose forwarded headers were ignored. `manage.py doctor` reads it."""
    return settings.DATA_DIR / "untrusted_proxy"


@functools.lru_cache(maxsize=16)
def _note_untrusted(peer: str) -> None:
    """Note the peer once per process, and only in private networks, where a proxy would be."""
    try:
        if not _parse(peer).is_private:
            return
        untrusted_proxy_note().write_text(peer)
    except (ValueError, OSError):
        return
    log.warning("X-Forwarded-For and -Proto from %s are not believed. Is it your proxy? See TRUSTED_PROXIES.", peer)


def client_address(request: Any) -> str:
    """Return the client's address, as `web.middleware.ClientAddressMiddleware` resolved it."""
    return str(request.META.get("REMOTE_ADDR", ""))


def client_network(request: Any) -> str:
    """Return the client's address, for IPv6 the network that it can choose its address from, as limits count it."""
    return network_of(client_address(request))


@functools.lru_cache(maxsize=1024)
def network_of(address: str) -> str:
    """Return the /64 of an IPv6 address; any other text itself."""
    try:
        return str(ipaddress.IPv6Address(int(ipaddress.IPv6Address(address)) >> 64 << 64))
    except ValueError:
        return address
