"""Addresses and their hosts."""

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit

import idna
from django.conf import settings

_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?", re.ASCII | re.IGNORECASE)


def parts_of(header: str) -> SplitResult:
    """Split an address that a client has sent, such as its Origin. All parts are empty if it is not valid."""
    try:
        return urlsplit(header)
    except ValueError:
        return urlsplit("")


def in_dns(host: str) -> str:
    """Return `xn--mller-kva.de` for `müller.de`. Raises ValueError if it is neither a host name nor an IP address."""
    if ":" in host:
        return str(ipaddress.IPv6Address(host))
    name = host if host.isascii() else idna.encode(host, uts46=True).decode()
    labels = name.removesuffix(".").split(".")
    if labels[-1].isdigit():  # then browsers read the whole as an IP address
        return str(ipaddress.IPv4Address(name))
    if len(name) > 253 or not all(map(_LABEL.fullmatch, labels)):
        raise ValueError(f"{host!r} is no host name.")
    return name


def with_host_in_dns(address: str) -> str:
    """Return the address with its host in ASCII, unchanged if the host is no name."""
    if address.isascii():
        return address
    try:
        parts = urlsplit(address)
        host, port = in_dns(parts.hostname or ""), parts.port
    except ValueError:
        return address
    host = f"[{host}]" if ":" in host else host
    return address.replace(parts.netloc, f"{host}:{port}" if port else host, 1)


def own_host() -> str:
    """Return the host of APP_BASE_URL, which printed codes carry."""
    return urlsplit(settings.APP_BASE_URL).hostname or ""


def own_origin() -> str:
    """Return APP_BASE_URL as browsers write it in `Origin`."""
    parts = urlsplit(settings.APP_BASE_URL)
    return f"{parts.scheme}://{parts.netloc}"


def is_own_host_local() -> bool:
    """Return whether no phone can open APP_BASE_URL: it is this machine's own, or a name without dots."""
    host = own_host()
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return "." not in host or host.endswith(".localhost")
