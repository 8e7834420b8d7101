"""The HTTP backend checks the responses of a hosted service, on real sockets."""

import gzip
import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from qrservice.backends.base import BadRequest, BadResponse, RefusedKey, Unavailable, UnknownCode
from qrservice.backends.http import HTTPBackend
from tests.qrservice.fake_service import (
    CODE,
    KEY,
    RECORD,
    SCAN,
    FakeService,
    change,
    create,
    failure_of,
    head,
    never_ends,
    read,
    says,
)

# --- what is sent, and what is accepted -----------------------------------------------------------


def test_a_creation_carries_the_key_and_json(service):
    backend = service(says(CODE, 201))
    made = create(backend)
    assert (made.analytics_id, made.qr_code_url, made.short_url) == tuple(CODE.values())
    [seen] = service.server.seen
    assert (seen.method, seen.target) == ("POST", "/v1/generate/dynamic")
    assert (seen.headers["x-api-key"], seen.headers["content-type"]) == (KEY, "application/json")
    assert seen.json() == {"redirect_url": "https://example.com/menu", "metadata": {"table_number": 7}}


def test_an_id_is_one_part_of_the_path_whatever_is_in_it(service):
    backend = service(says(RECORD))
    backend.analytics(analytics_id="a/../b?c#d\ud800é")
    assert service.server.seen[0].target == "/v1/analytics/a%2F..%2Fb%3Fc%23d%3F%C3%A9"


def test_what_is_no_id_is_not_asked_for(service):
    backend = service(says(RECORD))
    for nothing in ("", ".", ".."):
        with pytest.raises(UnknownCode):
            backend.analytics(analytics_id=nothing)
    assert service.server.seen == []


def test_scans_are_asked_for_since_a_moment_and_older_ones_dropped_all_the_same(service):
    scans = [SCAN | {"scanned_at": f"2026-03-0{day}T12:00:00+02:00"} for day in (9, 7, 8)]
    backend = service(says({"total_scans": 3, "scans": scans}))
    edges = [datetime(2026, 3, day, 10, tzinfo=UTC) for day in (7, 10)]
    found = backend.count_scans(analytics_ids=["abc"], by=("weekday",), edges=edges, zone=ZoneInfo("UTC"))
    assert found.periods == [{(0,): 1, (1,): 1}]
    assert service.server.seen[0].target.endswith("?since=2026-03-07T10%3A00%3A00%2B00%3A00")


def test_fields_that_nobody_knows_are_ignored_and_unknown_texts_are_empty(service):
    scan = {"scanned_at": "2026-03-07T12:30:05.5-05:00", "city": None, "device_type": "iOS", "ip": {"v": [6]}}
    strange = {"scanned_at": "last week"}
    response = {"scans": [scan], "total_scans": 1, "last": strange, "best": SCAN, "next": None, "scanned_at": "now"}
    [found] = read(service(says(response))).scans
    assert found.scanned_at == datetime(2026, 3, 7, 17, 30, 5, 500_000, tzinfo=UTC)
    assert (found.city, found.country, found.device_type) == ("", "", "iOS")


def test_the_short_address_may_be_missing(service):
    for short in ({}, {"short_url": None}, {"short_url": ""}):
        response = {name: CODE[name] for name in ("analytics_id", "qr_code_url")} | short
        assert create(service(says(response))).short_url == ""


SIZED = {
    "https://qr.example/i/a.png": "https://qr.example/i/a.png?size=2048",
    "https://qr.example/i/a.png?sig=x%2By&b": "https://qr.example/i/a.png?sig=x%2By&b&size=2048",
    "https://qr.example/i?size=300&id=7&si%7Ae=1#top": "https://qr.example/i?id=7&size=2048#top",
    "https://qr.example/i?Size=3&sizes=4": "https://qr.example/i?Size=3&sizes=4&size=2048",
}


def test_the_size_of_an_image_joins_the_query_that_is_there():
    backend = HTTPBackend("https://qr.example", KEY)
    assert {stored: backend.image_url(stored, size=2048) for stored in SIZED} == SIZED
    assert [backend.image_url(stored, size=None) for stored in SIZED] == list(SIZED)


BROKEN = [
    {"analytics_id": None}, {"analytics_id": 7}, {"analytics_id": ""}, {"analytics_id": "x" * 101},
    {"analytics_id": "a\0b"}, {"analytics_id": "\ud800"}, {"analytics_id": ["abc"]},
    {"qr_code_url": None}, {"qr_code_url": ""}, {"qr_code_url": "/i/abc.png"}, {"qr_code_url": "//qr.example/i"},
    {"qr_code_url": "ftp://qr.example/i"}, {"qr_code_url": "javascript:alert(1)"}, {"qr_code_url": "https://"},
    {"qr_code_url": "https://qr.example/i\n"}, {"qr_code_url": "https://[x/"}, {"qr_code_url": {"url": "x"}},
    {"qr_code_url": "https://qr.example/" + "x" * 500}, {"short_url": "s/abc"}, {"short_url": 5},
    {"short_url": "data:text/html,x"},
]  # fmt: skip


def believed(call, backend: HTTPBackend, wrong: list) -> list:
    """Those of these responses, one after the other, that are not refused as what they are."""
    return [each for each in wrong if not isinstance(failure_of(call, backend), BadResponse)]


def test_a_creation_of_the_wrong_shape_is_not_believed(service):
    backend = service(*(says(CODE | each) for each in BROKEN))
    assert believed(create, backend, BROKEN) == []
    assert len(service.server.seen) == len(BROKEN)


def test_a_creation_without_its_fields_is_not_believed(service):
    wrong = [
        {name: value for name, value in CODE.items() if name != left_out}
        for left_out in ("analytics_id", "qr_code_url")
    ]
    assert believed(create, service(*map(says, wrong)), wrong) == []


def test_a_service_may_live_in_a_private_network(service):
    for host in ("localhost:8000", "qr", "[::1]:8000", "192.168.1.5"):
        response = CODE | {"qr_code_url": f"http://{host}/i/abc"}
        assert create(service(says(response))).qr_code_url == f"http://{host}/i/abc"


SCANS = [
    {"scanned_at": None}, {"scanned_at": 1772886605}, {"scanned_at": "yesterday"}, {"scanned_at": ""},
    {"scanned_at": "2026-03-07"}, {"scanned_at": "2026-03-07T12:30:05"}, {"scanned_at": "0001-01-01T00:00:00+05:00"},
    {"city": 5}, {"city": ["Bologna"]}, {"city": "\udc00"}, {"country": {}}, {"device_type": False},
]  # fmt: skip
RECORDS = [
    {}, {"total_scans": 1}, {"scans": []}, {"total_scans": None, "scans": []}, {"total_scans": "1", "scans": []},
    {"total_scans": True, "scans": []}, {"total_scans": -1, "scans": []}, {"total_scans": 1.5, "scans": []},
    {"total_scans": 1, "scans": {}}, {"total_scans": 1, "scans": None}, {"total_scans": 1, "scans": [None]},
    {"total_scans": 1, "scans": [[]]}, {"total_scans": 1, "scans": ["2026-03-07T12:30:05Z"]},
    {"total_scans": 1, "scans": [{}]}, *({"total_scans": 2, "scans": [SCAN, SCAN | wrong]} for wrong in SCANS),
    [], "x", 1, None,
]  # fmt: skip


def test_an_analytics_record_of_the_wrong_shape_is_not_believed(service):
    backend = service(*(says(json.dumps(record)) for record in RECORDS))
    assert believed(read, backend, RECORDS) == []
    assert len(service.server.seen) == len(RECORDS)


NO_JSON = [
    b"", b"OK", b"<html>Sign in to this Wi-Fi</html>", b'{"total_scans": 1, "scans": [', b'{"total_scans": NaN}',
    b"[" * 50_000, b'{"total_scans": ' + b"9" * 5000 + b', "scans": []}', b'\xff\xfe{"total_scans"', b"\xc3\x28",
]  # fmt: skip


def test_what_is_no_json_is_not_believed(service):
    for call in (read, create, change):
        assert believed(call, service(*map(says, NO_JSON)), NO_JSON) == []


def test_a_change_is_believed_if_the_answer_is_that_code(service):
    backend = service(says(CODE | {"status": "disabled"}))
    change(backend)
    [seen] = service.server.seen
    assert (seen.method, seen.target, seen.json()) == ("PATCH", "/v1/codes/abc", {"status": "disabled"})
    assert isinstance(failure_of(change, service(says(CODE | {"analytics_id": "other"}))), BadResponse)


def test_answers_may_be_packed(service):
    packed = gzip.compress(json.dumps(RECORD).encode())
    assert read(service(says(packed, Content_Encoding="gzip"))).total_scans == 1
    assert isinstance(failure_of(read, service(says(b"no gzip", Content_Encoding="gzip"))), BadResponse)
    bomb = gzip.compress(b" " * 50_000_000)
    assert isinstance(failure_of(read, service(says(bomb, Content_Encoding="gzip"))), BadResponse)


# --- what it refuses ------------------------------------------------------------------------------


REFUSALS = {
    400: (BadRequest, BadRequest), 401: (RefusedKey, RefusedKey), 403: (RefusedKey, RefusedKey),
    404: (UnknownCode, BadRequest), 409: (BadRequest, BadRequest), 413: (BadRequest, BadRequest),
    500: (Unavailable, Unavailable), 501: (Unavailable, Unavailable), 304: (BadResponse, BadResponse),
    204: (BadResponse, BadResponse),
}  # fmt: skip


def test_a_refusal_becomes_one_of_few_errors_and_is_not_repeated(service):
    for status, (kind, of_creation) in REFUSALS.items():
        for call, expected in ((read, kind), (change, kind), (create, of_creation)):
            assert type(failure_of(call, service(says(b"", status)))) is expected, (status, call)
            assert len(service.server.seen) == 1


def test_the_service_s_own_sentence_is_passed_on_without_the_key(service):
    response = {"error": f"redirect_url\n is not for {KEY}. " + "x" * 1000}
    sentence = str(failure_of(create, service(says(response, 400))))
    assert sentence.startswith("redirect_url is not for …. x")
    assert len(sentence) == 300


def test_a_refusal_without_a_sentence_is_told_by_its_status(service):
    for body in ("<html>", '{"error": 5}', "[]", '{"detail": "no"}', "x" * 10_000):
        assert "400" in str(failure_of(create, service(says(body, 400)))), body


def test_metadata_that_is_no_json_is_refused_before_it_is_sent(service):
    backend = service(says(CODE))
    for metadata in ({"a": float("nan")}, {"a": object()}, {"a": b"x"}):
        with pytest.raises(BadRequest):
            backend.create_code(redirect_url="https://example.com/", metadata=metadata)
    assert service.server.seen == []


def test_a_key_that_can_be_none_is_refused_before_it_is_sent(service):
    for key in ("", "two words", "line\nend", "ключ", " padded"):
        failure = failure_of(create, service(says(CODE), key=key))
        assert isinstance(failure, RefusedKey)
        assert not key or key not in str(failure)
        assert service.server.seen == []


def test_a_redirect_is_not_followed_however_long_its_body(service):
    elsewhere = FakeService(says(CODE))
    start = head(302, Location=f"{elsewhere.base}/v1/generate/dynamic")
    try:
        for call in (create, read, change):
            assert isinstance(failure_of(call, service(never_ends(start, b"x" * 65536))), BadResponse)
            assert len(service.server.seen) == 1
        assert elsewhere.seen == []
    finally:
        elsewhere.close()
