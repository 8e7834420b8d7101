"""Sends calls to a hosted service, with one deadline per call and retries, and turns failures into errors."""

import re
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from time import monotonic, sleep
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase
from urllib3.exceptions import HTTPError, NewConnectionError

from qrservice.backends.base import BadRequest, BadResponse, QRServiceError, RefusedKey, Unavailable, UnknownCode
from qrservice.backends.deadline import Connection, SecureConnection, clock
from qrservice.v1 import wire
from web.outgoing import OneHostSession

POOL_SIZE = 32  # connections, at least as many as a process has threads
_BLOCK_SIZE = 64 * 1024  # bytes
_KEY = re.compile(r"[!-~]+")
_MAX_SENTENCE = 300  # characters of the service's own error message


@dataclass(frozen=True, slots=True)
class Limits:
    """Times in seconds, sizes in bytes. A call ends by its deadline, retries and pauses included.

    Two things can exceed a deadline: the name look-up, and a host with several addresses, each of which gets `connect`.
    """

    connect: float = 3.0
    silence: float = 10.0  # between two bytes of a response
    deadline: float = 15.0
    analytics_deadline: float = 30.0
    attempts: int = 3
    backoff: float = 0.3  # before the second attempt, doubled before each further one
    max_pause: float = 5.0  # a longer Retry-After is passed on to the caller, not waited for
    max_size: int = 64 * 1024
    max_analytics_size: int = 256 * 1024 * 1024  # about 2.5 million scans


@dataclass(frozen=True, slots=True)
class Call:
    method: str
    path: str  # below /v1/
    deadline: float  # seconds
    max_size: int  # bytes of a successful response
    body: bytes | None = None
    query: dict[str, str] | None = None

    @property
    def is_idempotent(self) -> bool:
        """All calls but the creation of a code: these name a code, which 404 says is unknown."""
        return self.method != "POST"


class _Retry(Exception):
    """A failure that a repeated attempt may not have. `error` is raised if no attempt is left."""

    def __init__(self, error: QRServiceError) -> None:
        self.error = error


class Client:
    """Sends calls; threads may share one.

    Idempotent calls are repeated when they fail temporarily. Others are repeated only if the request certainly did
    not reach the service.
    """

    def __init__(self, base_url: str, api_key: str, limits: Limits) -> None:
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._limits = limits
        self._session = _new_session(api_key)

    def send(self, call: Call) -> bytes:
        """Return the body of a successful response. Raises QRServiceError."""
        if not _KEY.fullmatch(self._api_key):
            raise RefusedKey("QR_SERVICE_API_KEY is missing, or contains spaces, line ends or non-ASCII characters.")
        limits = self._limits
        clock.deadline = monotonic() + call.deadline
        for attempt in range(limits.attempts):
            try:
                return self._attempt(call)
            except _Retry as retry:
                error, cause = retry.error, retry.__cause__
            pause = max(limits.backoff * 2**attempt, error.retry_after or 0)
            is_last = attempt + 1 == limits.attempts
            if is_last or pause > limits.max_pause or pause >= clock.deadline - monotonic():
                raise error from cause
            sleep(pause)
        raise AssertionError("Limits.attempts is less than 1")

    def _attempt(self, call: Call) -> bytes:
        connect = min(self._limits.connect, max(clock.deadline - monotonic(), 0.001))
        try:
            with self._session.request(
                call.method,
                f"{self._base_url}/v1/{call.path}",
                params=call.query,
                data=call.body,
                headers={"Content-Type": "application/json"} if call.body is not None else {},
                timeout=(connect, self._limits.silence),
                stream=True,
                allow_redirects=False,
            ) as response:
                if 200 <= response.status_code < 300:
                    return _body(response, call.max_size)
                raise self._refusal(call, response)
        except (OSError, HTTPError, UnicodeError) as error:  # every error of requests is an OSError
            raise _failure(call, error) from error

    def _refusal(self, call: Call, response: requests.Response) -> Exception:
        status = response.status_code
        if status == 429 or status >= 500:
            error = Unavailable(
                f"The QR code service responded with {status}.",
                retry_after=wire.retry_after(response.headers.get("Retry-After")),
            )
            return _Retry(error) if call.is_idempotent and status in {429, 502, 503, 504} else error
        if status in {401, 403}:
            return RefusedKey(f"The QR code service responded with {status}: it refuses QR_SERVICE_API_KEY for this.")
        if status == 404 and call.is_idempotent:
            return UnknownCode("The QR code service has no code with this analytics id.")
        if status >= 400:
            return BadRequest(self._sentence(response) or f"The QR code service refused the request ({status}).")
        return BadResponse(f"The QR code service responded with {status}, which is neither success nor failure.")

    def _sentence(self, response: requests.Response) -> str:
        """Return the service's own error message, without the key in case it repeats that."""
        try:
            sentence = wire.error_sentence(_body(response, self._limits.max_size))
        except (OSError, HTTPError, BadResponse):
            return ""
        return sentence.replace(self._api_key, "…")[:_MAX_SENTENCE]


def _body(response: requests.Response, max_size: int) -> bytes:
    """Return the decompressed body. Raises BadResponse if it is larger than `max_size` bytes."""
    blocks, size = [], 0
    for block in response.iter_content(_BLOCK_SIZE):
        blocks.append(block)
        size += len(block)
        if size > max_size:
            raise BadResponse(f"The QR code service sent more than {max_size} bytes.")
    return b"".join(blocks)


def _failure(call: Call, error: Exception) -> Exception:
    """Return the error for a response that did not arrive completely."""
    if isinstance(error, requests.exceptions.ContentDecodingError):
        return BadResponse("The QR code service sent a body that can't be decompressed.")
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        incomplete = BadResponse("The QR code service's response broke off.")
        return _Retry(incomplete) if call.is_idempotent else incomplete
    if isinstance(error, requests.exceptions.SSLError):
        return Unavailable("The QR code service can't be reached safely: its certificate or TLS is at fault.")
    if isinstance(error, requests.Timeout) or "timed out" in str(error):
        unavailable = Unavailable("The QR code service did not respond in time.")
    else:
        unavailable = Unavailable("The QR code service can't be reached.")
    is_temporary = isinstance(error, requests.ConnectionError | requests.Timeout)
    return _Retry(unavailable) if is_temporary and (call.is_idempotent or _never_arrived(error)) else unavailable


def _never_arrived(error: Exception) -> bool:
    """Return whether the request certainly did not reach the service, because there was no connection."""
    reason = getattr(error.args[0] if error.args else None, "reason", None)
    return isinstance(error, requests.ConnectTimeout) or isinstance(reason, NewConnectionError)


# --- the session ----------------------------------------------------------------------------------


class _Adapter(HTTPAdapter):
    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
        pool: Any = super().get_connection_with_tls_context(*args, **kwargs)
        pool.ConnectionCls = SecureConnection if pool.scheme == "https" else Connection
        return pool


class _KeyAuth(AuthBase):
    """Sets the X-API-Key header. Being `auth`, it also keeps `requests` from sending a password of a .netrc file."""

    def __init__(self, api_key: str) -> None:
        self._api_key = api_key

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["X-API-Key"] = self._api_key
        return request


def _new_session(api_key: str) -> requests.Session:
    """A session that threads can share, because nothing in it changes: it takes no cookies.

    Proxies and certificates come from the environment (HTTPS_PROXY, NO_PROXY, REQUESTS_CA_BUNDLE).
    """
    session = OneHostSession()
    session.auth = _KeyAuth(api_key)
    session.headers["Accept"] = "application/json"
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    for scheme in ("http://", "https://"):
        session.mount(scheme, _Adapter(pool_maxsize=POOL_SIZE))
    return session
