"""A hosted service that means harm: where its responses lead, and what they cost."""

import gzip
import tracemalloc
import zlib
from dataclasses import replace

import pytest

from qrservice.backends.base import BadResponse, QRServiceError, Unavailable
from tests.qrservice.fake_service import (
    CODE,
    PATIENT,
    FakeService,
    change,
    create,
    drips,
    failure_of,
    head,
    never_ends,
    read,
    says,
    sends,
)

CALLS = [create, read, change]
ADDRESSES = [
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:image/png;base64,AAAA", "file:///etc/passwd", "ftp://x/y",
    "vbscript:x", "blob:https://x/y", "ws://x/y", "//evil.example/i", "/i/abc", "https:evil.example", "https:///i",
    "https://anna:secret@evil.example/i", "https://menu.example@evil.example/i", "https://evil.example:99999/i",
    "https://evil.example:x/i", "https://evil.example:0/i", "https:\\\\evil.example\\i",
    "https://menu.example\\@evil.example", "https://evil.example/\r\nSet-Cookie: a=b", "https://evil.example/\t",
    " https://evil.example/", "https://evil.example/\u202egnp", "\x01https://evil.example/",
]  # fmt: skip


def test_no_redirect_is_followed(service):
    inside = FakeService(says(CODE))
    targets = (f"{inside.base}/admin/", f"//127.0.0.1:{inside.port}/", "file:///etc/passwd", "/v1/codes/abc")
    try:
        for status in (300, 301, 302, 303, 304, 305, 307, 308):
            for number, target in enumerate(targets):
                hostile = service(says("", status, Location=target, Refresh=f"0; url={target}"))
                assert isinstance(failure_of(CALLS[(status + number) % 3], hostile), BadResponse), (status, target)
                assert len(service.server.seen) == 1
        assert inside.seen == []
    finally:
        inside.close()


def test_only_plain_web_addresses_are_accepted(service):
    acts = [says(CODE | {field: address}) for address in ADDRESSES for field in ("qr_code_url", "short_url")]
    hostile = service(*acts)
    believed = [place for place in range(len(acts)) if not isinstance(failure_of(create, hostile), BadResponse)]
    assert believed == []
    assert len(service.server.seen) == len(acts)


def test_a_body_that_swells_is_cut_before_it_fills_the_memory(service):
    swollen = b" " * (64 * 1024 * 1024)
    bodies = {"gzip": gzip.compress(swollen, 1), "deflate": zlib.compress(swollen, 1)}
    del swollen
    for coding, body in bodies.items():
        for call in CALLS:
            for status in (200, 400):
                hostile = service(says(body, status, Content_Encoding=coding))
                tracemalloc.start()
                try:
                    assert isinstance(failure_of(call, hostile), QRServiceError)
                    most = tracemalloc.get_traced_memory()[1]
                finally:
                    tracemalloc.stop()
                assert most < 16 * 1024 * 1024, (coding, call, status)


ENDLESS = {
    "100s": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
    "headers": (b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n" * 100),
    "a header": (b"HTTP/1.1 200 OK\r\nX-A: ", b"x" * 65536),
    "a status line": (b"", b"x" * 65536),
    "a chunk's size": (head(Transfer_Encoding="chunked"), b"0" * 65536),
    "its extension": (head(Transfer_Encoding="chunked") + b"1;", b"x" * 65536),
    "trailers": (head(Transfer_Encoding="chunked") + b"0\r\n", b"X-A: b\r\n" * 100),
}


@pytest.mark.parametrize("sent", ENDLESS)
def test_what_never_ends_is_ended(service, stopped, sent):
    limits = replace(PATIENT, deadline=50, analytics_deadline=50, attempts=1)
    for call in CALLS:
        backend = service(never_ends(*ENDLESS[sent], after=stopped.goes_on), limits=limits)
        assert isinstance(failure_of(call, backend), Unavailable | BadResponse)


def test_so_is_what_comes_slowly(service, stopped):
    backend = service(drips(b"", b"HTTP/1.1 100 Continue\r\n\r\n", after=stopped.goes_on))
    assert isinstance(failure_of(create, backend), Unavailable)


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"a":' * 50_000, b'{"analytics_id":' + b"9" * 4000 + b"}"])
def test_json_that_is_deep_or_has_a_huge_number_is_refused(service, body):
    limits = replace(PATIENT, max_size=1024 * 1024, max_analytics_size=1024 * 1024)
    for call in CALLS:
        assert isinstance(failure_of(call, service(says(body), limits=limits)), BadResponse)


def test_a_second_response_on_one_connection_answers_no_other_call(service):
    smuggled = head(Content_Length="2", Connection="keep-alive") + b"{}"
    hostile = service(sends(head(Content_Length="2", Connection="keep-alive") + b"{}" + smuggled * 2), says(CODE))
    assert isinstance(failure_of(create, hostile), BadResponse)
    try:
        made = create(hostile)
    except Unavailable:  # it was sent before the service's closing of the first connection had arrived
        made = create(hostile)
    assert made.analytics_id == CODE["analytics_id"]
