"""An id for each request, and the log of requests. See "Logs" in docs/behaviour/common.md."""

import logging
import re
import secrets
import time
from collections.abc import MutableMapping
from typing import Any

from django.http import HttpRequest, HttpResponse

from web.log import PROBES, current_request_id, path_of
from web.middleware import Middleware

log = logging.getLogger("regulars.requests")

HEADER = "X-Request-ID"
_KEY = "regulars.request_id"  # in the WSGI environment
_ID = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)


def begin(environ: MutableMapping[str, Any]) -> str:
    """Return the request's id, from a trusted proxy or a new one, and set it for this thread's log.

    `web.proxies` has dropped the header of any other sender.
    """
    request_id: str = environ.get(_KEY, "")
    if not request_id:
        received = str(environ.get("HTTP_X_REQUEST_ID", ""))
        request_id = environ[_KEY] = received if _ID.fullmatch(received) else secrets.token_hex(8)
    current_request_id.set(request_id)
    return request_id


def is_logged() -> bool:
    return log.isEnabledFor(logging.INFO)


def write(*, method: str, path: str, status: int, started: float) -> None:
    """Log one request. `started` is by `time.perf_counter`."""
    milliseconds = round((time.perf_counter() - started) * 1000, 1)
    values = {"method": method, "path": path, "status": status, "milliseconds": milliseconds}
    log.info("%s %s %d %.1f ms", method, path, status, milliseconds, extra={"values": values})


class RequestLogMiddleware(Middleware):
    """Gives the request its id and the response its header, and logs requests if LOG_REQUESTS is on."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        request.request_id = begin(request.META)  # type: ignore[attr-defined]
        response = self.get_response(request)
        response[HEADER] = request.request_id  # type: ignore[attr-defined]
        if is_logged() and request.path not in PROBES:
            write(method=request.method or "", path=path_of(request), status=response.status_code, started=started)
        return response
