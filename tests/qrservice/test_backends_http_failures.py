"""The HTTP backend against services that fail, stall and drip, on real sockets."""

import json
import logging
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from qrservice.backends import client
from qrservice.backends.base import BadRequest, BadResponse, Unavailable
from qrservice.backends.http import HTTPBackend
from tests.qrservice import misbehaving
from tests.qrservice.misbehaving import (
    CODE,
    KEY,
    PATIENT,
    RECORD,
    MisbehavingServer,
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
from tests.servers import free_port, wait_for

service = misbehaving.service

# For what would never come.
QUICK = replace(PATIENT, connect=0.2, silence=0.2, deadline=0.7, analytics_deadline=0.7)
IMPATIENT = replace(QUICK, connect=1, silence=1, deadline=1.2, analytics_deadline=1.2)


# --- when it fails in passing ---------------------------------------------------------------------


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_read_and_a_change_are_repeated_and_a_creation_is_not(service, status):
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


@pytest.mark.parametrize("in_passing", [is_silent, hangs_up], ids=["silent", "hangs up"])
def test_a_creation_that_arrived_is_sent_once_and_a_read_again(service, in_passing):
    assert isinstance(failure_of(create, service(in_passing, says(CODE), limits=QUICK)), Unavailable)
    assert len(service.server.seen) == 1
    limits = replace(PATIENT, silence=1)
    assert read(service(in_passing, says(RECORD), limits=limits)).total_scans == 1
    assert len(service.server.seen) == 2


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


@pytest.mark.parametrize("call", [create, read, change])
def test_a_closed_port_is_unavailable(call):
    backend = HTTPBackend(f"http://127.0.0.1:{free_port()}", KEY, limits=PATIENT)
    assert isinstance(failure_of(call, backend), Unavailable)


@pytest.mark.parametrize("base", ["qr.example", "http://", "http://[x", "gopher://x"])
def test_an_address_that_leads_nowhere_is_unavailable(base):
    assert isinstance(failure_of(create, HTTPBackend(base, KEY, limits=PATIENT)), Unavailable)


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
        servers.append(MisbehavingServer(says(CODE | RECORD), port=port))

    monkeypatch.setattr(client, "sleep", start)
    call(HTTPBackend(f"http://127.0.0.1:{port}", KEY, limits=PATIENT))
    [server] = servers
    assert len(server.seen) == 1
    server.close()


@pytest.mark.parametrize("call", [create, read])
def test_a_host_that_does_not_answer_the_connection_is_given_up(monkeypatch, call):
    pauses = []
    monkeypatch.setattr(client, "sleep", pauses.append)
    with misbehaving.unreachable_port() as port:
        started = time.monotonic()
        limits = replace(PATIENT, connect=0.2)
        failure = failure_of(call, HTTPBackend(f"http://127.0.0.1:{port}", KEY, limits=limits))
    assert isinstance(failure, Unavailable)
    assert "in time" in str(failure)
    assert time.monotonic() - started > 2 * limits.connect
    assert len(pauses) == 2  # also of a creation: nothing of it can have arrived


# --- Retry-After ----------------------------------------------------------------------------------


def in_seconds(seconds: float) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize(
    ("header", "waited"), [("1", {1}), (in_seconds, {2, 3}), ("0", {0.01}), ("rubbish", {0.01}), ("-5", {0.01})]
)
def test_a_pause_that_the_service_asks_for_is_kept(monkeypatch, service, header, waited):
    pauses = []
    monkeypatch.setattr(client, "sleep", pauses.append)
    text = header if isinstance(header, str) else header(2.9)
    limits = replace(PATIENT, max_pause=5)
    assert read(service(says("", 429, Retry_After=text), says(RECORD), limits=limits)).total_scans == 1
    [pause] = pauses
    assert pause in waited


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("20", 20), ("3600", 3600), ("99999", 3600), ("9" * 5000, 3600), ("Wed, 21 Oct 2065 07:28:00 GMT", 3600),
        ("Fri, 31 Dec 9999 23:59:59 -2359", 3600),
    ],
)  # fmt: skip
def test_a_pause_too_long_to_wait_for_is_passed_on(service, header, told):
    failure = failure_of(read, service(says("", 503, Retry_After=header)))
    assert isinstance(failure, Unavailable)
    assert failure.retry_after == told
    assert len(service.server.seen) == 1


def test_a_date_is_passed_on_in_seconds(service):
    failure = failure_of(read, service(says("", 429, Retry_After=in_seconds(90))))
    assert 87 <= failure.retry_after <= 90


@pytest.mark.parametrize("header", ["", "soon", "1.5", "٣", "²", "1e9", "Wed, 99 Foo 2026", "Mon, 0", ","])
def test_a_pause_that_nobody_understands_is_none(service, header):
    failure = failure_of(read, service(says("", 503, Retry_After=header.encode().decode("latin-1"))))
    assert failure.retry_after is None
    assert len(service.server.seen) == 3


def test_a_creation_passes_on_when_to_come_back(service):
    failure = failure_of(create, service(says("", 429, Retry_After="7")))
    assert isinstance(failure, Unavailable)
    assert failure.retry_after == 7


# --- what would hold a caller ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "start",
    [b"", b"HTTP/1.1 200 OK\r\nX-A: ", head(), head(Content_Length="9999"), head(Transfer_Encoding="chunked"),
     head(400)],
    ids=["status line", "headers", "body", "body of a length", "chunks", "body of a refusal"],
)  # fmt: skip
@pytest.mark.parametrize("call", [create, read])
def test_a_drip_holds_nobody(service, start, call):
    drop = b"H" if not start else (b"1\r\n \r\n" if b"chunked" in start else b" ")
    failure = failure_of(call, service(drips(start, drop), limits=IMPATIENT))
    assert isinstance(failure, BadRequest if b" 400 " in start else Unavailable)
    assert len(service.server.seen) == 1


def test_a_body_without_end_is_cut(service):
    for call in (create, read, change):
        assert isinstance(failure_of(call, service(never_ends(head(), b" " * 65536))), BadResponse)
        assert len(service.server.seen) == 1


def test_the_drip_of_one_caller_is_not_the_deadline_of_another(service):
    backend = service(drips(head()), says(RECORD), limits=replace(PATIENT, deadline=2.0))
    with ThreadPoolExecutor() as pool:
        held = pool.submit(failure_of, create, backend)
        wait_for(lambda: service.server.seen, "the drip")
        started = time.monotonic()
        assert read(backend).total_scans == 1
        assert time.monotonic() - started < 0.8
        assert not held.done()
        assert isinstance(held.result(), Unavailable)  # by its own deadline, not by that of the other


def test_a_retry_keeps_to_the_deadline_of_its_own_caller(service):
    another_has_called = threading.Event()

    def hangs_up_later(client: socket.socket, closing: threading.Event) -> None:
        another_has_called.wait(5)
        hangs_up(client, closing)

    def serves_another(client: socket.socket, closing: threading.Event) -> None:
        another_has_called.set()
        says(RECORD)(client, closing)

    backend = service(hangs_up_later, serves_another, drips(head()), limits=replace(PATIENT, deadline=1.5))
    with ThreadPoolExecutor() as pool:
        held = pool.submit(failure_of, change, backend)
        wait_for(lambda: service.server.seen, "the first attempt")
        assert read(backend).total_scans == 1  # its deadline is far later
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
        while misbehaving._request(client):
            client.sendall(response)

    backend = service(again_and_again, is_silent)
    for _ in range(5):
        assert read(backend).total_scans == 1
    assert len(service.server.seen) == 1
    backend.close()
