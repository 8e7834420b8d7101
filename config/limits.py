"""How often one address may ask for short addresses and code images (decisions 2.3, 2.8).

These are no DRF views, and a scan is answered in front of Django: so they are counted here, in the shared cache,
by minutes of the clock. DRF's own way keeps the times of the last 600 requests and would cost more than the scan.
"""

import logging
import re
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from config.web import refuse

log = logging.getLogger(__name__)

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_PATHS = ("/q/", "/Q/", "/qr/")
COUNTED = "regulars.seconds_to_wait"  # in the WSGI environment


def parse_rate(rate: str) -> tuple[int, int]:
    """`600/min` -> (600, 60): how many, in how many seconds."""
    count, _slash, period = rate.partition("/")
    return int(count), _SECONDS[period[0]]


def seconds_to_wait(address: str) -> int:
    """Count one request of this address; 0, or how long it has to wait if it is one too many."""
    allowed, period = parse_rate(settings.LIMIT_PUBLIC_READS)
    now = int(time.time())
    key = f"limit-codes-{re.sub(r'[^0-9A-Za-z.:]', '', address)}-{now // period}"
    if cache.add(key, 1, timeout=period):
        return 0
    try:
        count = cache.incr(key)
    except ValueError:  # it expired in between
        return 0
    return 0 if count <= allowed else period - now % period


def count(environ: dict[str, Any]) -> None:
    """Count a request for a code, once, and leave in its environment how long it has to wait."""
    if COUNTED not in environ and environ.get("PATH_INFO", "").startswith(_PATHS):
        try:
            environ[COUNTED] = seconds_to_wait(environ.get("REMOTE_ADDR", ""))
        except Exception:  # whatever a cache of any kind may raise
            # A guest in front of a table matters more than a count.
            log.exception("The cache of the limits failed; this request is not counted")
            environ[COUNTED] = 0


class CodeLimitMiddleware:
    """429 with Retry-After for an address that asks for codes too often."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        count(request.META)
        wait = request.META.get(COUNTED, 0)
        if not wait:
            return self.get_response(request)
        response = refuse(request, 429, _("That was very often. Please wait a moment and try again."))
        response["Retry-After"] = str(wait)
        return response
