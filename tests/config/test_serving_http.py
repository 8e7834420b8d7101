"""The server between Granian and Django, called as Granian calls it: what it waits for, and what it does not."""

import asyncio
import io
import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from config.serving import http
from config.serving.http import Server
from config.wsgi import application as django
from tests.servers import PATIENCE

BODY = b'{"a": 1}'


def scope(method: str = "POST", path: str = "/echo", *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    return {
        "type": "http", "http_version": "1.1", "method": method, "scheme": "http", "raw_path": path.encode(),
        "query_string": b"", "server": ("127.0.0.1", "8000"), "client": ("192.0.2.1", 5000),
        "headers": [(b"host", b"localhost"), *headers],
    }  # fmt: skip


def length(number: int) -> tuple[bytes, bytes]:
    return b"content-length", str(number).encode()


class Client:
    """A client's connection as Granian hands it over."""

    def __init__(self, *messages: dict[str, Any], reads: bool = True) -> None:
        self._messages, self._reads = list(messages), reads
        self.sent: list[dict[str, Any]] = []
        self.is_over = False

    async def receive(self) -> dict[str, Any]:
        if not self._messages:
            await asyncio.Event().wait()
        return self._messages.pop(0)

    async def send(self, message: dict[str, Any]) -> None:
        if not self.is_over:
            self.sent.append(message)
        if not self._reads and message["type"] == "http.response.body":
            await asyncio.Event().wait()

    @property
    def status(self) -> int | None:
        return self.sent[0]["status"] if self.sent else None

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent)

    @property
    def is_complete(self) -> bool:
        return bool(self.sent) and self.sent[-1]["type"] == "http.response.body" and not self.sent[-1].get("more_body")


def body(data: bytes, *, more: bool = False) -> dict[str, Any]:
    return {"type": "http.request", "body": data, "more_body": more}


def serve(application: Callable[..., Any], *requests: tuple[dict[str, Any], Client], pending: int = 0) -> None:
    """One request after the other begins; returns when all but `pending` of them have ended."""

    async def all_of_them() -> None:
        server = Server(application)
        tasks = set()
        for asked, client in requests:
            tasks.add(asyncio.create_task(server(asked, client.receive, client.send)))
            await asyncio.sleep(0)
        while len(tasks) > pending:
            _ended, tasks = await asyncio.wait(tasks, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            assert _ended, "nothing happens any more"
        for _, client in requests:
            client.is_over = True  # what is pending is cancelled now

    asyncio.run(all_of_them())


class Whole(io.BytesIO):
    """A WSGI response whose body is there."""


class Stream:
    """A WSGI response that is made while it is sent."""

    streaming = True

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks, self.is_closed = blocks, threading.Event()

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._blocks)

    def close(self) -> None:
        self.is_closed.set()


def echo(environ: dict[str, Any], start_response: Callable[..., Any]) -> Whole:
    start_response("200 OK", [("Content-Type", "text/plain")])
    return Whole(environ["wsgi.input"].read())


def answering(response: Stream) -> Callable[..., Any]:
    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Stream:
        start_response("200 OK", [("Content-Type", "text/csv")])
        return response

    return application


# --- bodies -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, http.IN_MEMORY, http.IN_MEMORY + 1, http.MEGABYTE])
def test_a_body_that_comes_in_parts_is_handed_over_whole(size):
    data = b"x" * size
    client = Client(body(data[:100], more=True), body(data[100:]))
    serve(echo, (scope("POST", "/echo", length(size)), client))
    assert (client.status, client.body) == (200, data)


def test_a_body_that_does_not_come_in_time_is_408_and_says_that_nothing_was_done(monkeypatch, db):
    monkeypatch.setattr(http, "BODY_WITHIN", 0.05)
    client = Client(body(b"{", more=True))
    serve(django, (scope("POST", "/members", length(100), (b"accept", b"application/json")), client))
    assert client.status == 408
    assert b"Nothing was done" in client.body


def test_the_oldest_body_makes_room_for_a_new_one(monkeypatch, db):
    monkeypatch.setattr(http, "BODIES", 2)
    page = (b"accept", b"text/html")
    clients = [Client(), Client(), Client(body(BODY))]
    serve(django, *[(scope("POST", "/nowhere", length(len(BODY)), page), client) for client in clients], pending=1)
    assert [client.status for client in clients] == [503, None, 404]
    headers = dict(clients[0].sent[0]["headers"])
    assert int(headers[b"Retry-After"]) > 0
    assert b"Nothing was done" in clients[0].body


def test_a_client_that_leaves_in_the_middle_of_its_body_is_not_answered():
    client = Client(body(b"{", more=True), {"type": "http.disconnect"})
    serve(echo, (scope("POST", "/echo", length(100)), client))
    assert client.sent == []


def test_a_chunked_body_beside_a_length_is_not_read(db):
    client = Client(*[body(b"x" * 1000, more=True)] * 3)
    serve(django, (scope("POST", "/members", length(5), (b"transfer-encoding", b"chunked")), client))
    assert client.status == 411


def test_a_request_that_no_thread_takes_in_time_is_503(monkeypatch, db):
    monkeypatch.setattr(http, "THREAD_WITHIN", -1.0)
    client = Client(body(BODY))
    serve(django, (scope("POST", "/members", length(len(BODY))), client))
    assert client.status == 503


# --- what Django sees ---------------------------------------------------------------------------------


def test_headers_are_those_of_wsgi():
    given = [
        (b"content-type", b"text/plain"), (b"x-forwarded-for", b"192.0.2.7"), (b"x_forwarded_for", b"192.0.2.8"),
        (b"cookie", b"a=1"), (b"cookie", b"b=2"), (b"accept", b"a"), (b"accept", b"b"), (b"x-name", b"\xc3\xa9"),
    ]  # fmt: skip
    environ = http.environ_of(scope("GET", "/t%C3%A9/%FF", *given))
    assert environ["PATH_INFO"] == "/t\xc3\xa9/\xff"
    assert environ["CONTENT_TYPE"] == "text/plain"
    assert environ["HTTP_X_FORWARDED_FOR"] == "192.0.2.7"
    assert (environ["HTTP_COOKIE"], environ["HTTP_ACCEPT"]) == ("a=1; b=2", "a,b")
    assert environ["HTTP_X_NAME"] == "\xc3\xa9"


def test_a_head_request_has_no_body_and_makes_no_stream():
    response = Stream(iter([b"never"]))
    client = Client()
    serve(answering(response), (scope("HEAD", "/lines"), client))
    assert (client.status, client.body, response.is_closed.is_set()) == (200, b"", True)


# --- streams ------------------------------------------------------------------------------------------


def test_a_stream_is_sent_to_its_end_and_closed():
    response = Stream([b"a", b"b", b"c"])
    client = Client()
    serve(answering(response), (scope("GET", "/lines"), client))
    assert (client.body, client.is_complete) == (b"abc", True)
    assert response.is_closed.wait(PATIENCE)


def test_an_error_in_the_middle_of_a_stream_cuts_it_short_and_is_logged_without_secrets(caplog):
    def blocks() -> Iterator[bytes]:
        yield b"a"
        raise ValueError("ada@example.com")

    client = Client()
    with caplog.at_level(logging.ERROR):
        serve(answering(Stream(blocks())), (scope("GET", "/lines"), client))
    assert (client.body, client.is_complete) == (b"a", False)
    (record,) = caplog.records
    assert record.name == "config.serving.http"


@pytest.mark.parametrize("streams", [1, 8])
def test_a_reader_that_stands_still_is_cut_off_and_its_stream_closed(monkeypatch, streams):
    """After a while, or when its place is needed."""
    monkeypatch.setattr(http, "STREAMS", streams)
    monkeypatch.setattr(http, "BLOCK_WITHIN", 0.2 if streams > 1 else 60.0)
    responses = [Stream(iter([b"a", b"b"])), Stream([b"c"])]
    waiting = iter(responses)
    slow, prompt = Client(reads=False), Client()

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Stream:
        return answering(next(waiting))(environ, start_response)

    async def both() -> None:
        server = Server(application)
        first = asyncio.create_task(server(scope("GET", "/lines"), slow.receive, slow.send))
        while len(slow.sent) < 2:
            await asyncio.sleep(0.01)
        await server(scope("GET", "/lines"), prompt.receive, prompt.send)
        await first

    asyncio.run(both())
    assert (prompt.body, prompt.is_complete) == (b"c", True)
    assert (slow.body, slow.is_complete) == (b"a", False)
    assert all(response.is_closed.wait(PATIENCE) for response in responses)


def test_a_stream_ends_when_its_client_leaves():
    def blocks() -> Iterator[bytes]:
        while True:
            yield b"a"

    response = Stream(blocks())
    client = Client(body(b""), {"type": "http.disconnect"})
    serve(answering(response), (scope("GET", "/lines"), client))
    assert response.is_closed.wait(PATIENCE)
    assert not client.is_complete


def test_streams_take_no_request_threads(monkeypatch):
    """More streams than threads stand still, and a request is answered."""
    monkeypatch.setattr(http, "THREADS", 1)
    slow = [Client(reads=False) for _ in range(3)]
    prompt = Client(body(BODY))

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        if environ["REQUEST_METHOD"] == "GET":
            return answering(Stream([b"a", b"b"]))(environ, start_response)
        return echo(environ, start_response)

    async def all_of_them() -> None:
        server = Server(application)
        tasks = [asyncio.create_task(server(scope("GET", "/lines"), client.receive, client.send)) for client in slow]
        while not all(len(client.sent) > 1 for client in slow):
            await asyncio.sleep(0.01)
        await server(scope("POST", "/echo", length(len(BODY))), prompt.receive, prompt.send)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(all_of_them())
    assert prompt.body == BODY
