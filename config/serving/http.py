"""HTTP: an ASGI application in front of Django's WSGI application.

A thread is taken only while there is work for it. A request's body is awaited on the event loop, then Django makes the
response in one of THREADS threads, and the loop sends it, however slowly its client reads. So slow clients keep nobody
waiting, and requests that arrive together wait for a thread and are not refused. Most scans take no thread at all: see
`qrservice.fastpath`.

Where one body or stream is too many, the oldest is ended: in a flood of slow ones that is one of them.
"""

import asyncio
import logging
import math
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import Context, copy_context
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from urllib.parse import unquote_to_bytes

from django.db import connections

from config.wsgi import application
from qrservice.fastpath import ShortAddresses
from web.middleware import REFUSED, BodyLimitMiddleware

log = logging.getLogger(__name__)

THREADS = 16  # of a server process, each with a connection to the database
THREAD_WITHIN = 10.0  # seconds that a request waits for one
BODIES = 256  # awaited at the same time
UPLOADS = 8  # of them, those of more than a megabyte
BODY_WITHIN = 15.0  # seconds for each megabyte begun
IN_MEMORY = 64 * 1024  # bytes of a body; a longer one is in a temporary file
STREAMS = 8  # responses streamed at the same time, each with a thread and a connection of its own
PRODUCING = 2  # of these threads at work at the same time: a file of a year must not slow down the evening
BLOCK_WITHIN = 30.0  # seconds for a client to take a block of a stream
MEGABYTE = 1024 * 1024  # bytes

Environ = dict[str, Any]
Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[str, str]]
Application = Callable[..., Iterable[bytes]]


class TaskLimit:
    """Lets a number of tasks run at the same time. One too many cancels the oldest."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._tasks: dict[Any, None] = {}

    @contextmanager
    def running(self) -> Iterator[None]:
        if len(self._tasks) >= self._size:
            oldest = next(iter(self._tasks))
            del self._tasks[oldest]
            oldest.cancel()
        task = asyncio.current_task()
        self._tasks[task] = None
        try:
            yield
        finally:
            self._tasks.pop(task, None)


class ClientIsGone(Exception):
    """Nobody is left to respond to."""


class Server:
    def __init__(self, application: Application) -> None:
        self._application = application
        self._threads = ThreadPoolExecutor(THREADS, "request")
        self._bodies, self._uploads, self._streams = TaskLimit(BODIES), TaskLimit(UPLOADS), TaskLimit(STREAMS)
        self._producing = asyncio.Semaphore(PRODUCING)
        self._short_addresses = ShortAddresses(self._threads)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._respond(environ_of(scope), receive, send)
        except ClientIsGone:
            pass
        except Exception:
            # Granian sends a bare 500, or breaks off the response that has begun.
            log.exception("A request could not be answered")

    async def _respond(self, environ: Environ, receive: Receive, send: Send) -> None:
        redirect = await self._short_addresses.redirect(environ)
        if redirect is not None:
            await _send_whole(send, 302, redirect, b"")
            return
        await self._receive_body(environ, receive)
        context, began = copy_context(), time.monotonic()
        loop = asyncio.get_running_loop()
        response = await loop.run_in_executor(self._threads, context.run, self._call, environ, began)
        if isinstance(response[2], bytes):
            await _send_whole(send, *response)
        else:
            await self._stream(receive, send, response, context)

    async def _receive_body(self, environ: Environ, receive: Receive) -> None:
        """Set `wsgi.input`, and REFUSED if the body has not come in time. One that is too large is not read."""
        body = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 (it is closed with the request)
        environ["wsgi.input"] = body
        length = _length(environ)
        if not 0 < length <= BodyLimitMiddleware.limit_of(environ["PATH_INFO"]):
            return
        limit = self._bodies if length <= MEGABYTE else self._uploads
        try:
            with limit.running():
                async with asyncio.timeout(BODY_WITHIN * math.ceil(length / MEGABYTE)):
                    await _copy(receive, body)
        except TimeoutError:
            environ[REFUSED] = 408
        except asyncio.CancelledError:
            asyncio.current_task().uncancel()  # type: ignore[union-attr]
            environ[REFUSED] = 503
        body.seek(0)

    def _call(self, environ: Environ, began: float) -> tuple[int, Headers, Any]:
        """Return Django's response: status, headers, and the body, which is bytes or a stream to be closed."""
        if time.monotonic() - began > THREAD_WITHIN:
            environ[REFUSED] = 503
        status, headers = "", []

        def start_response(line: str, given: Headers, _error: Any = None) -> None:
            nonlocal status, headers
            status, headers = line, given

        body: Any = self._application(environ, start_response)
        if environ["REQUEST_METHOD"] != "HEAD" and _is_stream(body, headers):
            return int(status[:3]), headers, body
        try:
            whole = b"" if environ["REQUEST_METHOD"] == "HEAD" else b"".join(body)
        finally:
            body.close()
        return int(status[:3]), headers, whole

    async def _stream(self, receive: Receive, send: Send, response: tuple[int, Headers, Any], context: Context) -> None:
        """Send a stream. Its client notices if it is cut short: the end of a chunked body is never sent."""
        status, headers, body = response
        thread = ThreadPoolExecutor(1, "stream")
        loop, blocks = asyncio.get_running_loop(), iter(body)
        client_leaves = asyncio.create_task(_wait_for_disconnect(receive))  # `send` does not tell

        async def next_block() -> bytes | None:
            async with self._producing:
                return await loop.run_in_executor(thread, lambda: context.run(next, blocks, None))

        try:
            with self._streams.running():
                await send(_start(status, headers))
                while (block := await next_block()) is not None:
                    if client_leaves.done():
                        return
                    async with asyncio.timeout(BLOCK_WITHIN):
                        await send({"type": "http.response.body", "body": block, "more_body": True})
                await send({"type": "http.response.body"})
        except (TimeoutError, asyncio.CancelledError):
            log.info("A streamed response was cut short: its client is slow")
        finally:
            client_leaves.cancel()
            thread.submit(context.run, _close, body)
            thread.shutdown(wait=False)


def _length(environ: Environ) -> int:
    """Return the body's length; 0 without one, and where the headers make no sense or don't say it."""
    text = environ.get("CONTENT_LENGTH", "")
    is_valid = "HTTP_TRANSFER_ENCODING" not in environ and text.isdecimal() and len(text) < 12
    return int(text) if is_valid else 0


async def _copy(receive: Receive, body: IO[bytes]) -> None:
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientIsGone
        body.write(message["body"])
        if not message.get("more_body"):
            return


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _is_stream(body: Any, headers: Headers) -> bool:
    """Return whether Django marks it as a stream. A file that is not large is none."""
    length = next((int(value) for name, value in headers if name == "Content-Length"), MEGABYTE + 1)
    return getattr(body, "streaming", False) and length > MEGABYTE


def _close(body: Any) -> None:
    try:
        body.close()
    finally:
        connections.close_all()  # those of the stream's thread


def _start(status: int, headers: Headers) -> Message:
    encoded = [(name.encode("latin-1"), value.strip().encode("latin-1")) for name, value in headers]
    return {"type": "http.response.start", "status": status, "headers": encoded}


async def _send_whole(send: Send, status: int, headers: Headers, body: bytes) -> None:
    await send(_start(status, headers))
    await send({"type": "http.response.body", "body": body})


def environ_of(scope: Scope) -> Environ:
    """Return the WSGI environment of an ASGI scope, without `wsgi.input`."""
    host, port = scope["server"]
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "REMOTE_ADDR": scope["client"][0],
        "SERVER_NAME": host,
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if b"_" in name:  # or X_Forwarded_For would be taken for X-Forwarded-For
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{key}"
        text = value.decode("latin-1")
        separator = "; " if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{separator}{text}" if key in environ else text
    return environ


server = Server(application)
