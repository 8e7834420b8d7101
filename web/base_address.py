"""The host of APP_BASE_URL, which printed codes carry."""

import ipaddress
from urllib.parse import urlsplit

from django.conf import settings


def host() -> str:
    return urlsplit(settings.APP_BASE_URL).hostname or ""


def is_loopback() -> bool:
    """Return whether APP_BASE_URL is this machine's own address, which no phone can open."""
    try:
        return ipaddress.ip_address(host()).is_loopback
    except ValueError:
        return host() == "localhost" or host().endswith(".localhost")
