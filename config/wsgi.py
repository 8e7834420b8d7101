"""HTTP: pages and JSON."""

import os
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django = get_wsgi_application()

# Below: what needs Django set up.
from config.access import ALLOWED, DeclaredThrottle, resolve_client_address  # noqa: E402
from config.limits import COUNTED, count  # noqa: E402
from qrservice.front import ShortAddresses  # noqa: E402
from restaurant.front import MenuPages  # noqa: E402
from restaurant.views.tables import Menu  # noqa: E402


def _may_ask(environ: dict[str, Any]) -> bool:
    """Count a request for a menu as its view does. Where that fails, Django may say so."""
    request: Any = SimpleNamespace(META=environ)
    try:
        environ[ALLOWED] = bool(DeclaredThrottle().allow_request(request, Menu()))
        return bool(environ[ALLOWED])
    except Exception:  # whatever a cache of any kind may raise
        return False


_pages = ShortAddresses(MenuPages(django, may_ask=_may_ask))


def _simplify_content_type(environ: dict[str, Any]) -> None:
    """Drop parameters in the extended form (RFC 2231, `charset*=...`), which nothing here needs.

    Django fails on malformed ones, and before there is a request that it could answer.
    """
    kind, _semicolon, parameters = environ.get("CONTENT_TYPE", "").partition(";")
    if "*" in parameters:
        environ["CONTENT_TYPE"] = kind


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    _simplify_content_type(environ)
    resolve_client_address(environ)
    count(environ)
    inner = django if environ.get(COUNTED) else _pages
    return inner(environ, start_response)
