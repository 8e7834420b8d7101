"""A hosted service that means harm: where its responses lead, and what they cost."""

import gzip
import tracemalloc
import zlib
from dataclasses import replace

import pytest

from qrservice.backends.base import BadResponse, QRServiceError, Unavailable
from tests.qrservice.misbehaving import (
    CODE,
    PATIENT,
    MisbehavingServer,
    change,
    create,
    drips,
    failure_of,
    head,
    never_ends,
    read,
    says,
    sends,
    service,  # noqa: F401
)

IMPATIENT = replace(PATIENT, deadline=0.5, analytics_deadline=0.5, attempts=1)
CALLS = [create, read, change]


@pytest.mark.parametrize("status", [300, 301, 302, 303, 304, 305, 307, 308])
@pytest.mark.parametrize("call", CALLS)
def test_no_redirect_is_followed(service, call, status):  # noqa: F811
    inside = MisbehavingServer(says(CODE))
    try:
        for target in (f"{inside.base}/admin/", f"//127.0.0.1:{inside.port}/", "file:///etc/passwd", "/v1/codes/abc"):
            hostile = service(says("", status, Location=target, Refresh=f"0; url={target}"))
            assert isinstance(failure_of(call, hostile), BadResponse)
            assert len(service.server.seen) == 1
        assert inside.seen == []
    finally:
        inside.close()


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:image/png;base64,AAAA", "file:///etc/passwd", "ftp://x/y",
        "vbscript:x", "blob:https://x/y", "ws://x/y", "//evil.example/i", "/i/abc", "https:evil.example", "https:///i",
        "https://anna:secret@evil.example/i", "https://menu.example@evil.example/i", "https://evil.example:99999/i",
        "https://evil.example:x/i", "https://evil.example:0/i", "https:\\\\evil.example\\i", "https://menu.example\\@evil.example",
        "https://evil.example/\r\nSet-Cookie: a=b", "https://evil.example/\t", " https://evil.example/",
        "https://evil.example/\u202egnp", "\x01https://evil.example/",
    ],
)  # fmt: skip
@pytest.mark.parametrize("field", ["qr_code_url", "short_url"])
def test_only_plain_web_addresses_are_accepted(service, field, address):  # noqa: F811
    assert isinstance(failure_of(create, service(says(CODE | {field: address}))), BadResponse)


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize("call", CALLS)
def test_a_body_that_swells_is_cut_before_it_fills_the_memory(service, call, status, coding):  # noqa: F811
    swollen = b" " * (200 * 1024 * 1024)
    packed = gzip.compress(swollen, 1) if coding == "gzip" else zlib.compress(swollen, 1)
    hostile = service(says(packed, status, Content_Encoding=coding))
    del swollen
    tracemalloc.start()
    try:
        assert isinstance(failure_of(call, hostile), QRServiceError)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 16 * 1024 * 1024


@pytest.mark.parametrize(
    "act",
    [
        never_ends(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
        never_ends(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n" * 100),
        never_ends(b"HTTP/1.1 200 OK\r\nX-A: ", b"x" * 65536),
        never_ends(b"", b"x" * 65536),
        never_ends(head(Transfer_Encoding="chunked"), b"0" * 65536),
        never_ends(head(Transfer_Encoding="chunked") + b"1;", b"x" * 65536),
        never_ends(head(Transfer_Encoding="chunked") + b"0\r\n", b"X-A: b\r\n" * 100),
        drips(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    ids=["100s", "headers", "a header", "a status line", "a chunk's size", "its extension", "trailers", "slow 100s"],
)
@pytest.mark.parametrize("call", CALLS)
def test_what_never_ends_is_ended(service, call, act):  # noqa: F811
    assert isinstance(failure_of(call, service(act, limits=IMPATIENT)), Unavailable | BadResponse)


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"a":' * 50_000, b'{"analytics_id":' + b"9" * 4000 + b"}"])
def test_json_that_is_deep_or_has_a_huge_number_is_refused(service, body):  # noqa: F811
    limits = replace(PATIENT, max_size=1024 * 1024, max_analytics_size=1024 * 1024)
    for call in CALLS:
        assert isinstance(failure_of(call, service(says(body), limits=limits)), BadResponse)


def test_a_second_response_on_one_connection_answers_no_other_call(service):  # noqa: F811
    smuggled = head(Content_Length="2", Connection="keep-alive") + b"{}"
    hostile = service(sends(head(Content_Length="2", Connection="keep-alive") + b"{}" + smuggled * 2), says(CODE))
    assert isinstance(failure_of(create, hostile), BadResponse)
    try:
        made = create(hostile)
    except Unavailable:  # it was sent before the service's closing of the first connection had arrived
        made = create(hostile)
    assert made.analytics_id == CODE["analytics_id"]
