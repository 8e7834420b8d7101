"""HTTP: pages and JSON."""

import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django = get_wsgi_application()

# Below: what needs Django set up.
from config.access import resolve_client_address  # noqa: E402
from config.limits import COUNTED, count  # noqa: E402
from qrservice.front import ShortAddresses  # noqa: E402

_short_addresses = ShortAddresses(django)


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    resolve_client_address(environ)
    count(environ)
    inner = django if environ.get(COUNTED) else _short_addresses
    return inner(environ, start_response)
