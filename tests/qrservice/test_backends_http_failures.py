"""The HTTP backend against services that fail, stall and drip, on real sockets."""

import json
import logging
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from qrservice.backends import client
from qrservice.backends.base import BadRequest, BadResponse, Unavailable
from qrservice.backends.http import HTTPBackend
from tests.qrservice import fake_service
from tests.qrservice.fake_service import (
    CODE,
    KEY,
    PATIENT,
    RECORD,
    FakeService,
    change,
    create,
    drips,
    failure_of,
    hangs_up,
    head,
    is_silent,
    never_ends,
    read,
    says,
    sends,
)
from tests.servers import PATIENCE, free_port, wait_for

# For what would never come. On a busy machine something else may not come in time either.
QUICK = replace(PATIENT, connect=0.2, silence=0.2, deadline=0.7, analytics_deadline=0.7)
CALLS = [create, read, change]


# --- when it fails in passing ---------------------------------------------------------------------


def test_a_read_and_a_change_are_repeated_and_a_creation_is_not(service):
    for status in (429, 502, 503, 504):
        assert read(service(says("", status), says("", status), says(RECORD))).total_scans == 1
        assert len(service.server.seen) == 3
        change(service(says("", status), says(CODE)))
        assert len(service.server.seen) == 2
        assert isinstance(failure_of(create, service(says("", status), says(CODE))), Unavailable)
        assert len(service.server.seen) == 1


def test_three_attempts_are_enough(service):
    failure = failure_of(read, service(says("", 503, Retry_After="0")))
    assert isinstance(failure, Unavailable)
    assert failure.retry_after == 0
    assert len(service.server.seen) == 3


def test_a_creation_that_arrived_is_sent_once_and_a_read_again(service):
    assert isinstance(failure_of(create, service(hangs_up, says(CODE))), Unavailable)
    assert len(service.server.seen) == 1
    assert read(service(hangs_up, says(RECORD))).total_scans == 1
    assert len(service.server.seen) == 2


def test_so_is_one_that_is_never_answered(service):
    assert isinstance(failure_of(create, service(is_silent, says(CODE), limits=QUICK)), Unavailable)
    wait_for(lambda: service.server.seen, "the creation")
    assert isinstance(failure_of(read, service(is_silent, limits=replace(PATIENT, silence=0.2))), Unavailable)
    wait_for(lambda: len(service.server.seen) == 3, "the third attempt to read")


def test_an_answer_that_breaks_off_is_no_answer(service):
    whole = json.dumps(RECORD).encode()
    cut = sends(head(Content_Length=str(len(whole) + 1)), whole)
    cut_chunk = sends(head(Transfer_Encoding="chunked"), b"%x\r\n" % (len(whole) + 1), whole)
    for broken in (cut, cut_chunk):
        assert isinstance(failure_of(read, service(broken)), BadResponse)
        assert len(service.server.seen) == 3
        assert read(service(broken, says(RECORD))).total_scans == 1
    assert isinstance(failure_of(create, service(sends(head(Content_Length="999"), b"{}"), says(CODE))), BadResponse)
    assert len(service.server.seen) == 1


def test_what_is_no_http_is_no_answer(service):
    for rubbish in (
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        head() + b"",
        b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200,
    ):
        assert isinstance(failure_of(read, service(sends(rubbish))), Unavailable | BadResponse)


def test_a_closed_port_is_unavailable():
    for call in CALLS:
        backend = HTTPBackend(f"http://127.0.0.1:{free_port()}", KEY, limits=PATIENT)
        assert isinstance(failure_of(call, backend), Unavailable)


def test_an_address_that_leads_nowhere_is_unavailable():
    for base in ("qr.example", "http://", "http://[x", "gopher://x"):
        assert isinstance(failure_of(create, HTTPBackend(base, KEY, limits=PATIENT)), Unavailable), base


def test_a_name_that_nobody_knows_is_looked_up_three_times(monkeypatch):
    calls = []

    def look_up(*arguments, **named):
        calls.append(arguments)
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    assert isinstance(failure_of(create, HTTPBackend("http://qr.example", KEY, limits=PATIENT)), Unavailable)
    assert len(calls) == 3


@pytest.mark.parametrize("call", [create, read])
def test_a_service_that_comes_up_meanwhile_is_reached(monkeypatch, call):
    port, servers = free_port(), []

    def start(seconds: float) -> None:
        servers.append(FakeService(says(CODE | RECORD), port=port))

    monkeypatch.setattr(client, "sleep", start)
    call(HTTPBackend(f"http://127.0.0.1:{port}", KEY, limits=PATIENT))
    [server] = servers
    assert len(server.seen) == 1
    server.close()


@pytest.mark.parametrize("call", [create, read])
def test_a_host_that_does_not_answer_the_connection_is_given_up(monkeypatch, call):
    pauses = []
    monkeypatch.setattr(client, "sleep", pauses.append)
    with fake_service.unreachable_port() as port:
        limits = replace(PATIENT, connect=0.2)
        failure = failure_of(call, HTTPBackend(f"http://127.0.0.1:{port}", KEY, limits=limits))
    assert isinstance(failure, Unavailable)
    assert "in time" in str(failure)
    assert len(pauses) == 2  # also of a creation: nothing of it can have arrived


# --- what would hold a caller ---------------------------------------------------------------------


DRIPS = {
    "status line": (b"", b"H"),
    "headers": (b"HTTP/1.1 200 OK\r\nX-A: ", b" "),
    "body": (head(), b" "),
    "body of a length": (head(Content_Length="9999"), b" "),
    "chunks": (head(Transfer_Encoding="chunked"), b"1\r\n \r\n"),
    "body of a refusal": (head(400), b" "),
}


@pytest.mark.parametrize("dripping", DRIPS)
@pytest.mark.parametrize("call", [create, read])
def test_a_drip_holds_nobody(service, stopped, dripping, call):
    start, drop = DRIPS[dripping]
    limits = replace(PATIENT, deadline=5, analytics_deadline=5)
    failure = failure_of(call, service(drips(start, drop, after=stopped.goes_on), limits=limits))
    assert isinstance(failure, BadRequest if dripping == "body of a refusal" else Unavailable)
    assert len(service.server.seen) == 1


def test_a_body_without_end_is_cut(service):
    for call in (create, read, change):
        assert isinstance(failure_of(call, service(never_ends(head(), b" " * 65536))), BadResponse)
        assert len(service.server.seen) == 1


def test_the_drip_of_one_caller_ends_by_its_own_deadline_and_not_by_that_of_another(service, stopped):
    another_has_called = threading.Event()

    def later() -> None:
        another_has_called.wait(PATIENCE)
        stopped.goes_on()

    limits = replace(PATIENT, deadline=5, analytics_deadline=10**9)
    backend = service(drips(head(), after=later), says(RECORD), limits=limits)
    with ThreadPoolExecutor() as pool:
        held = pool.submit(failure_of, create, backend)
        wait_for(lambda: service.server.seen, "the drip")
        assert read(backend).total_scans == 1
        assert not held.done()
        another_has_called.set()
        assert isinstance(held.result(), Unavailable)


def test_a_retry_keeps_to_the_deadline_of_its_own_caller(service, stopped):
    another_has_called = threading.Event()

    def hangs_up_later(client: socket.socket, closing: threading.Event) -> None:
        another_has_called.wait(PATIENCE)
        hangs_up(client, closing)

    def serves_another(client: socket.socket, closing: threading.Event) -> None:
        another_has_called.set()
        says(RECORD)(client, closing)

    limits = replace(PATIENT, deadline=5, analytics_deadline=10**9)
    backend = service(hangs_up_later, serves_another, drips(head(), after=stopped.goes_on), limits=limits)
    with ThreadPoolExecutor() as pool:
        held = pool.submit(failure_of, change, backend)
        wait_for(lambda: service.server.seen, "the first attempt")
        assert read(backend).total_scans == 1
        assert isinstance(held.result(), Unavailable)
    assert len(service.server.seen) == 3


# --- what stays inside ----------------------------------------------------------------------------


def test_the_key_is_in_no_message_and_no_log(service, caplog):
    caplog.set_level(logging.DEBUG)
    acts = [says("", 401), says("", 503), says("{", 200), says(KEY, 400), hangs_up, sends(b"x\r\n\r\n"), is_silent]
    for act in acts:
        for call in (create, read):
            error: BaseException | None = failure_of(call, service(act, limits=QUICK))
            while error is not None:
                assert KEY not in str(error) + repr(error)
                error = error.__cause__ or error.__context__
    assert caplog.records
    assert KEY not in caplog.text


def test_a_failure_leaves_a_line_for_the_operator_and_a_caller_s_mistake_does_not(service, caplog):
    failure_of(read, service(says("", 500)))
    assert "GET /v1/analytics/abc: The QR code service responded with 500." in caplog.text
    caplog.clear()
    failure_of(read, service(says("", 404)))
    assert caplog.text == ""


def test_no_cookie_is_kept_and_no_netrc_password_sent(service, tmp_path, monkeypatch):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login anna password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    backend = service(says(CODE, Set_Cookie="a=b"))
    create(backend)
    create(backend)
    for seen in service.server.seen:
        assert {"cookie", "authorization"}.isdisjoint(seen.headers)
        assert seen.headers["x-api-key"] == KEY


def test_the_proxy_of_the_environment_is_used(service, monkeypatch):
    service(says(CODE))
    monkeypatch.setenv("HTTP_PROXY", service.server.base)
    monkeypatch.setenv("no_proxy", "")
    assert create(HTTPBackend("http://qr.example", KEY, limits=PATIENT)).analytics_id == "abc"
    assert service.server.seen[0].target == "http://qr.example/v1/generate/dynamic"


def test_one_connection_serves_many_calls(service):
    # Each connection is one act: a second one would get no response.
    body = json.dumps(RECORD).encode()
    response = head(Content_Length=str(len(body)), Connection="keep-alive") + body

    def again_and_again(client, closing):
        client.sendall(response)
        while fake_service._request(client):
            client.sendall(response)

    backend = service(again_and_again, is_silent)
    for _ in range(5):
        assert read(backend).total_scans == 1
    assert len(service.server.seen) == 1
    backend._client._session.close()  # else the service waits for the next call
