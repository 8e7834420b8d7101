"""HTTP: pages and JSON."""

import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django = get_wsgi_application()

# Below: what needs Django set up.
from qrservice.fastpath import ShortAddresses  # noqa: E402
from web import metrics  # noqa: E402
from web.proxies import resolve_client_address  # noqa: E402

_inner: Callable[..., Iterable[bytes]] = ShortAddresses(django)
if metrics.is_on():
    _inner = metrics.measured(_inner, "short_address")


def _simplify_content_type(environ: dict[str, Any]) -> None:
    """Drop parameters in the extended form (RFC 2231, `charset*=...`), which nothing here needs.

    Django fails on malformed ones before there is a request that it could respond to.
    """
    kind, _semicolon, parameters = environ.get("CONTENT_TYPE", "").partition(";")
    if "*" in parameters:
        environ["CONTENT_TYPE"] = kind


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    _simplify_content_type(environ)
    resolve_client_address(environ)
    return _inner(environ, start_response)
