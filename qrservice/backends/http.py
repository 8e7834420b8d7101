"""The client of a hosted service: document 1 over HTTP (decision 3.11)."""

import json
import logging
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from http.cookiejar import DefaultCookiePolicy
from time import monotonic, sleep
from typing import Any, TypeVar
from urllib.parse import quote
from zoneinfo import ZoneInfo

import requests
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase
from urllib3.exceptions import HTTPError, NewConnectionError

from qrservice.backends.base import (
    Analytics,
    Backend,
    BadRequest,
    BadResponse,
    NewCode,
    QRServiceError,
    RefusedKey,
    ScanCounts,
    ScanKeys,
    ScanRecord,
    ScanSummary,
    Unavailable,
    UnknownCode,
)
from qrservice.backends.counting import count_together
from qrservice.backends.deadline import Connection, SecureConnection, clock
from qrservice.v1 import wire

logger = logging.getLogger(__name__)

POOL_SIZE = 32  # connections kept: the threads of a process
_BLOCK = 64 * 1024  # bytes
_LONGEST_SENTENCE = 300  # characters
_KEY = re.compile(r"[!-~]+")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limits:
    """Times in seconds, sizes in bytes. A call takes no longer than its deadline, retries and pauses included.

    (The name look-up alone is not in our hands, and a host of several addresses gets the time to connect for each.)
    """

    connect: float = 3.0
    silence: float = 10.0  # between two bytes of an answer
    deadline: float = 15.0
    analytics_deadline: float = 30.0
    attempts: int = 3
    backoff: float = 0.3  # before the second attempt, then doubled
    pause: float = 5.0  # a service that wants more than that is not waited for: few threads serve everybody
    answer: int = 64 * 1024
    analytics_answer: int = 256 * 1024 * 1024  # some 2.5 million scans


class _Adapter(HTTPAdapter):
    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
        pool: Any = super().get_connection_with_tls_context(*args, **kwargs)
        pool.ConnectionCls = SecureConnection if pool.scheme == "https" else Connection
        return pool


class _Session(requests.Session):
    def get_redirect_target(self, resp: Any) -> None:
        """Nowhere: the key goes to no other address, and `requests` would read a redirect's body, however long."""


class _Key(AuthBase):
    """The account's key. As `auth`, so that no password of a .netrc file is sent in its place."""

    def __init__(self, api_key: str) -> None:
        self._api_key = api_key

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["X-API-Key"] = self._api_key
        return request


def _new_session(api_key: str) -> requests.Session:
    """One for the process; threads may share it, because nothing in it changes: it takes no cookies.

    Proxies and certificates come from the environment as for every program on the machine (HTTPS_PROXY, NO_PROXY,
    REQUESTS_CA_BUNDLE): in some networks there is no other way out.
    """
    session = _Session()
    session.auth = _Key(api_key)
    session.headers["Accept"] = "application/json"
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    for scheme in ("http://", "https://"):
        session.mount(scheme, _Adapter(pool_maxsize=POOL_SIZE))
    return session


# --- calls ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Call:
    method: str
    path: str
    deadline: float  # seconds from its start
    largest: int  # bytes of a good answer
    repeatable: bool  # asking twice is as good as asking once
    of_a_code: bool = True
    body: bytes | None = None
    query: dict[str, str] | None = None


class _Again(Exception):
    """This attempt failed in a way that the next one may not. `failure` is what to raise if there is no next."""

    def __init__(self, failure: QRServiceError) -> None:
        self.failure = failure


class HTTPBackend(Backend):
    """Reads and changes are repeated when they fail in passing: a change says what shall be, not what to add.

    Creations are repeated only if the service certainly saw nothing of them; else there could be two codes.
    """

    def __init__(self, base_url: str, api_key: str, *, limits: Limits | None = None) -> None:
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._limits = limits or Limits()
        self._session = _new_session(api_key)

    def close(self) -> None:
        self._session.close()

    def create_code(self, *, redirect_url: str, metadata: dict[str, Any]) -> NewCode:
        body = _as_json({"redirect_url": redirect_url, "metadata": metadata})
        limits = self._limits
        call = _Call(
            "POST", "generate/dynamic", limits.deadline, limits.answer, repeatable=False, of_a_code=False, body=body
        )
        return self._ask(call, wire.new_code)

    def analytics(self, *, analytics_id: str) -> Analytics:
        return self._analytics(analytics_id, since=None)

    def scans(self, *, analytics_id: str, since: datetime) -> Iterator[ScanRecord]:
        return iter(self._analytics(analytics_id, since=since).scans)

    def scan_summary(self, *, analytics_id: str) -> ScanSummary:
        record = self._analytics(analytics_id, since=None)
        return ScanSummary(record.total_scans, sorted({scan.city for scan in record.scans if scan.city}))

    def count_scans(
        self, *, analytics_ids: Sequence[str], by: ScanKeys, edges: Sequence[datetime], zone: ZoneInfo
    ) -> ScanCounts:
        """Asks for some codes at a time; all of them together take no longer than one may."""
        deadline = monotonic() + self._limits.analytics_deadline

        def scans(analytics_id: str) -> list[ScanRecord]:
            return self._analytics(analytics_id, since=edges[0], until=deadline).scans

        return count_together(scans, analytics_ids, by=by, edges=edges, zone=zone)

    def update_code(
        self, *, analytics_id: str, redirect_url: str | None, metadata: dict[str, Any] | None, status: str | None
    ) -> None:
        asked = {"redirect_url": redirect_url, "metadata": metadata, "status": status}
        changes = {name: value for name, value in asked.items() if value is not None}
        if not changes:
            return
        limits = self._limits
        path = _path("codes", analytics_id)
        call = _Call("PATCH", path, limits.deadline, limits.answer, repeatable=True, body=_as_json(changes))
        self._ask(call, lambda body: wire.check_changed(body, analytics_id=analytics_id))

    def image_url(self, qr_code_url: str, *, size: int | None) -> str:
        return wire.with_size(qr_code_url, size) if size else qr_code_url

    def _analytics(self, analytics_id: str, *, since: datetime | None, until: float = math.inf) -> Analytics:
        """`until`: when the answer must be there at the latest, by `time.monotonic`."""
        # An extension (decision 3.10): a service that does not know it sends everything, and we drop the rest.
        query = {"since": since.astimezone(UTC).isoformat()} if since else None
        limits = self._limits
        path = _path("analytics", analytics_id)
        deadline = min(limits.analytics_deadline, until - monotonic())
        if deadline <= 0:
            raise Unavailable("It does not answer for all codes in time.")
        call = _Call("GET", path, deadline, limits.analytics_answer, repeatable=True, query=query)
        return self._ask(call, lambda body: wire.analytics(body, since=since))

    def _ask(self, call: _Call, read: Callable[[bytes], T]) -> T:
        try:
            return read(self._answer(call))
        except BadRequest:
            raise  # the caller's own mistake, told to the caller
        except QRServiceError as error:
            logger.warning("%s /v1/%s: %s", call.method, call.path, error)
            raise

    def _answer(self, call: _Call) -> bytes:
        """The body of a good answer, after as many attempts as may be."""
        if not _KEY.fullmatch(self._api_key):
            raise RefusedKey("QR_SERVICE_API_KEY is missing, or holds what no key can: spaces, line ends, accents.")
        limits = self._limits
        clock.deadline = monotonic() + call.deadline
        for attempt in range(limits.attempts):
            try:
                return self._attempt(call)
            except _Again as again:
                failure, cause = again.failure, again.__cause__
            pause = max(limits.backoff * 2**attempt, getattr(failure, "retry_after", None) or 0)
            left = clock.deadline - monotonic()
            if attempt + 1 == limits.attempts or pause > limits.pause or pause >= left:
                raise failure from cause
            sleep(pause)
        raise AssertionError("no attempt was made")

    def _attempt(self, call: _Call) -> bytes:
        limits = self._limits
        timeouts = (min(limits.connect, max(clock.deadline - monotonic(), 0.001)), limits.silence)
        url = f"{self._base_url}/v1/{call.path}"
        headers = {"Content-Type": "application/json"} if call.body is not None else {}
        try:
            with self._session.request(
                call.method, url, params=call.query, data=call.body, headers=headers, timeout=timeouts, stream=True,
                allow_redirects=False,
            ) as response:  # fmt: skip
                if 200 <= response.status_code < 300:
                    return _body(response, call.largest)
                raise self._refusal(call, response)
        except (OSError, HTTPError, UnicodeError) as error:  # all of requests' are OSErrors
            raise _failure(call, error) from error

    def _refusal(self, call: _Call, response: requests.Response) -> Exception:
        """What an answer means that is no success."""
        status = response.status_code
        if status == 429 or status >= 500:
            busy = Unavailable(
                f"The QR code service answered {status}.",
                retry_after=wire.retry_after(response.headers.get("Retry-After")),
            )
            return _Again(busy) if call.repeatable and status in {429, 502, 503, 504} else busy
        if status in {401, 403}:
            return RefusedKey(f"The QR code service answered {status}: it does not accept QR_SERVICE_API_KEY for this.")
        if status == 404 and call.of_a_code:
            return UnknownCode("The QR code service has no code with this analytics id.")
        if status >= 400:
            return BadRequest(self._sentence(response) or f"The QR code service refused the request ({status}).")
        return BadResponse(f"The QR code service answered {status}, which is neither success nor failure.")

    def _sentence(self, response: requests.Response) -> str:
        """The service's own words, without the key if it should repeat that."""
        try:
            sentence = wire.error_sentence(_body(response, self._limits.answer))
            return sentence.replace(self._api_key, "…")[:_LONGEST_SENTENCE]
        except (OSError, HTTPError, BadResponse):
            return ""


def _body(response: requests.Response, largest: int) -> bytes:
    """The body, unpacked. Raises BadResponse if there is more of it than `largest`."""
    blocks, size = [], 0
    for block in response.iter_content(_BLOCK):
        blocks.append(block)
        size += len(block)
        if size > largest:
            raise BadResponse(f"The QR code service sent more than {largest} bytes.")
    return b"".join(blocks)


def _failure(call: _Call, error: Exception) -> Exception:
    """What it means that there was no whole answer."""
    if isinstance(error, requests.exceptions.ContentDecodingError):
        return BadResponse("The QR code service sent what can't be unpacked.")
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        cut = BadResponse("The QR code service's answer broke off.")
        return _Again(cut) if call.repeatable else cut
    if isinstance(error, requests.exceptions.SSLError):
        return Unavailable("The QR code service can't be reached safely: its certificate or TLS is at fault.")
    late = isinstance(error, requests.Timeout) or "timed out" in str(error)
    gone = Unavailable(
        "The QR code service did not answer in time." if late else "The QR code service can't be reached."
    )
    in_passing = isinstance(error, requests.ConnectionError | requests.Timeout)
    return _Again(gone) if in_passing and (call.repeatable or _never_arrived(error)) else gone


def _never_arrived(error: Exception) -> bool:
    """Whether the service certainly saw nothing of the request: there was not even a connection."""
    reason = getattr(error.args[0] if error.args else None, "reason", None)
    return isinstance(error, requests.ConnectTimeout) or isinstance(reason, NewConnectionError)


def _as_json(value: Any) -> bytes:
    try:
        return json.dumps(value, allow_nan=False).encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise BadRequest("metadata can't be written as JSON.") from error


def _path(collection: str, analytics_id: str) -> str:
    # None of these is an id, and the last two would lead to another path.
    if analytics_id in {"", ".", ".."}:
        raise UnknownCode(f"There is no code with the analytics id {analytics_id!r}.")
    return f"{collection}/{quote(analytics_id, safe='', errors='replace')}"
