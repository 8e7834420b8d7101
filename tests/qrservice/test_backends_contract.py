"""The same tests through the gateway on both backends. The hosted service is this project's own, on a live port.

With the built-in service, that server only handles scans and images, on the same database.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import cv2
import numpy as np
import pytest
import requests
from django.db import transaction

from qrservice import gateway
from qrservice.models import Account, Code, Scan
from qrservice.services import codes, keys
from tests.servers import wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

TARGET = "https://example.com/menu?a=1&b=%20#top"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Safari/604.1"
NOON = datetime(2026, 3, 7, 12, tzinfo=UTC)
SOON = 3.0  # seconds: a change is served everywhere within one


@pytest.fixture(scope="session")
def live(http_port) -> str:
    return f"http://127.0.0.1:{http_port}"


@pytest.fixture(params=["embedded", "http"], autouse=True)
def backend(request, live, settings, transactional_db) -> str:
    settings.APP_BASE_URL = live
    if request.param == "http":
        # The account whose codes the tests below look at in the database, whoever made them.
        settings.QR_SERVICE_API_KEY = keys.create(account=codes.built_in_account())[1]
        settings.QR_SERVICE_URL = live
    return request.param


@pytest.fixture
def made(backend) -> gateway.NewCode:
    return gateway.create_code(redirect_url=TARGET, metadata={"table_number": 7})


def follow(code: gateway.NewCode, agent: str = IPHONE) -> requests.Response:
    return requests.get(code.short_url, headers={"User-Agent": agent}, allow_redirects=False, timeout=10)


def leads_to(code: gateway.NewCode, target: str) -> bool:
    return follow(code).headers.get("Location") == target


def scan_at(code: gateway.NewCode, *moments: datetime, **values) -> None:
    stored = Code.objects.get(analytics_id=code.analytics_id)
    Scan.objects.bulk_create([Scan(code=stored, scanned_at=moment, **values) for moment in moments])


def test_the_backend_is_the_one_that_is_meant(backend, made):
    assert type(gateway._backend()).__name__.lower() == f"{backend}backend"


def test_a_code_is_made_with_its_three_fields(made, live):
    assert 0 < len(made.analytics_id) <= 32
    assert made.short_url.startswith(f"{live}/q/")
    assert made.qr_code_url.startswith(f"{live}/qr/")
    assert Code.objects.get(analytics_id=made.analytics_id).redirect_url == TARGET


def test_two_codes_for_one_target_are_two(made):
    other = gateway.create_code(redirect_url=TARGET)
    assert other.analytics_id != made.analytics_id
    assert other.short_url != made.short_url


def test_several_codes_are_made_in_their_order(backend, live):
    wanted = [gateway.CodeToCreate(f"{TARGET}{number}", {"table_number": number}) for number in range(3)]
    made = gateway.create_codes(wanted)
    assert made.error is None
    stored = {code.analytics_id: code for code in Code.objects.all()}
    assert [stored[each.analytics_id].redirect_url for each in made.codes] == [each.redirect_url for each in wanted]
    assert leads_to(made.codes[2], f"{TARGET}2")
    assert made.codes[2].qr_code_url.startswith(f"{live}/qr/")


def test_of_several_codes_one_that_can_not_be_is_an_error_beside_the_others(backend):
    wanted = [gateway.CodeToCreate(each, {}) for each in (TARGET, "no address", TARGET)]
    made = gateway.create_codes(wanted)
    assert isinstance(made.error, gateway.BadRequest)
    assert Code.objects.count() == len(made.codes) < 2


def test_the_image_s_address_answers_a_picture_of_that_edge(made):
    for size in (None, 64, 2048):
        response = requests.get(gateway.image_url(made.qr_code_url, size=size), timeout=10)
        assert (response.status_code, response.headers["Content-Type"]) == (200, "image/png")
        picture = cv2.imdecode(np.frombuffer(response.content, np.uint8), cv2.IMREAD_GRAYSCALE)
        assert picture.shape == (size or 512, size or 512)


def test_the_short_address_leads_to_the_target_and_counts(made):
    response = follow(made)
    assert (response.status_code, response.headers["Location"]) == (302, TARGET)
    follow(made, agent="Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/122.0 Mobile Safari/537.36")
    found = gateway.analytics(analytics_id=made.analytics_id)
    assert found.total_scans == 2
    assert [each.device_type for each in found.scans] == ["iOS", "Android"]
    assert abs(found.scans[0].scanned_at - datetime.now(UTC)) < timedelta(minutes=1)


def test_a_code_without_scans_has_none(made):
    assert gateway.analytics(analytics_id=made.analytics_id) == gateway.Analytics(total_scans=0, scans=[])
    assert list(gateway.scans(analytics_id=made.analytics_id, since=NOON)) == []


def test_records_are_oldest_first_and_of_their_types(made):
    exact = NOON + timedelta(microseconds=123)
    scan_at(made, exact + timedelta(days=1), device_type="Android")
    scan_at(made, exact, city='Forlì "la\\grassa" 日本', country="Italia", device_type="iOS (iPad)")
    found = gateway.analytics(analytics_id=made.analytics_id)
    assert found.scans == [
        gateway.ScanRecord(exact, "iOS (iPad)", 'Forlì "la\\grassa" 日本', "Italia"),
        gateway.ScanRecord(exact + timedelta(days=1), "Android", "", ""),
    ]
    assert [each.scanned_at.tzinfo for each in found.scans] == [UTC, UTC]


def test_since_leaves_out_what_is_not_newer(made):
    scan_at(made, NOON, NOON + timedelta(microseconds=1), NOON - timedelta(days=1), NOON + timedelta(days=1))
    newer = [NOON + timedelta(microseconds=1), NOON + timedelta(days=1)]
    for since in (NOON, NOON.astimezone(tz=datetime.fromisoformat("2026-01-01T00:00:00+05:30").tzinfo)):
        found = gateway.scans(analytics_id=made.analytics_id, since=since)
        assert isinstance(found, Iterator)
        assert [each.scanned_at for each in found] == newer
    assert gateway.analytics(analytics_id=made.analytics_id).total_scans == 4
    assert len(list(gateway.scans(analytics_id=made.analytics_id, since=datetime.min.replace(tzinfo=UTC)))) == 4


def test_two_thousand_scans_arrive_in_order(made):
    moments = [NOON + timedelta(seconds=number) for number in range(2000)]
    scan_at(made, *moments, city="Bologna", device_type="iOS")
    found = gateway.analytics(analytics_id=made.analytics_id)
    assert found.total_scans == 2000
    assert [each.scanned_at for each in found.scans] == moments
    assert len(list(gateway.scans(analytics_id=made.analytics_id, since=moments[499]))) == 1500


def test_the_target_can_be_changed(made):
    assert leads_to(made, TARGET)
    gateway.update_code(analytics_id=made.analytics_id, redirect_url="https://example.org/new")
    wait_for(lambda: leads_to(made, "https://example.org/new"), "the new target", SOON)
    assert Code.objects.get().metadata == {"table_number": 7}


def test_a_disabled_code_leads_nowhere_until_it_is_active_again(made):
    gateway.update_code(analytics_id=made.analytics_id, status="disabled")
    wait_for(lambda: follow(made).status_code == 410, "the end of the code", SOON)
    gateway.update_code(analytics_id=made.analytics_id, status="active")
    wait_for(lambda: leads_to(made, TARGET), "the code's return", SOON)


def test_metadata_is_kept_as_it_is_in_every_script(made):
    metadata = {"section": "Terrasse süd 日本 🍜", "nested": {"a": [1, 2.5, None, True]}, "": ""}
    gateway.update_code(analytics_id=made.analytics_id, metadata=metadata)
    assert Code.objects.get().metadata == metadata
    gateway.update_code(analytics_id=made.analytics_id, metadata={})
    assert Code.objects.get().metadata == {}
    gateway.create_code(redirect_url=TARGET, metadata=metadata)
    assert Code.objects.order_by("-pk")[0].metadata == metadata


@pytest.fixture(params=["analytics", "scans", "update_code"])
def of_a_code(request):
    """A call that takes an id."""
    return {
        "analytics": gateway.analytics,
        "scans": lambda analytics_id: gateway.scans(analytics_id=analytics_id, since=NOON),
        "update_code": lambda analytics_id: gateway.update_code(analytics_id=analytics_id, status="disabled"),
    }[request.param]


def test_an_unknown_id_is_an_unknown_code(made, of_a_code):
    for unknown in ("unknown", "", ".", "..", "a/b", "a b?c=d#e", "é", "\0", "\ud800", "x" * 500, "%00"):
        with pytest.raises(gateway.UnknownCode):
            of_a_code(analytics_id=unknown)
    assert Code.objects.get().status == "active"


def test_a_code_of_another_account_is_an_unknown_code(made):
    other = codes.create(account=keys.account_named("Osteria"), redirect_url=TARGET, metadata={})
    with pytest.raises(gateway.UnknownCode):
        gateway.analytics(analytics_id=other.analytics_id)


BAD_TARGETS = [
    "", "/menu", "ftp://example.com/", "https://", "https://a:b@example.com/", "https://example.com/a b",
    "https://example.com/\0", "https://example.com/\ud800", "https://example.com/" + "x" * 2048,
]  # fmt: skip


def test_a_bad_target_is_a_bad_request_and_changes_nothing(made):
    for target in BAD_TARGETS:
        for call in (
            lambda target: gateway.create_code(redirect_url=target),
            lambda target: gateway.update_code(analytics_id=made.analytics_id, redirect_url=target),
        ):
            with pytest.raises(gateway.BadRequest, match="redirect_url") as caught:
                call(target)
            assert not isinstance(caught.value, gateway.UnknownCode)
    assert Code.objects.get().redirect_url == TARGET


def test_bad_metadata_is_a_bad_request_and_makes_nothing(backend):
    big = {"a": "x" * 4096}, {"a": "x" * 20_000}
    for metadata in (*big, {"a": "\0"}, {"\ud800": 1}, {"a": float("nan")}, {"a": NOON}):
        with pytest.raises(gateway.BadRequest):
            gateway.create_code(redirect_url=TARGET, metadata=metadata)
    assert not Code.objects.exists()


def test_a_bad_status_is_a_bad_request(made):
    for status in ("gone", ""):
        with pytest.raises(gateway.BadRequest):
            gateway.update_code(analytics_id=made.analytics_id, status=status)
    assert Code.objects.get().status == "active"


def test_inside_a_transaction_every_call_is_refused(made):
    for call in (
        lambda: gateway.create_code(redirect_url=TARGET),
        lambda: gateway.create_codes([gateway.CodeToCreate(TARGET, {})]),
        lambda: gateway.analytics(analytics_id=made.analytics_id),
        lambda: gateway.scans(analytics_id=made.analytics_id, since=NOON),
        lambda: gateway.update_code(analytics_id=made.analytics_id, status="disabled"),
    ):
        with transaction.atomic(), pytest.raises(RuntimeError, match="transaction"):
            call()
    assert Code.objects.get().status == "active"


# --- counts for reports ---------------------------------------------------------------------------

VIENNA = ZoneInfo("Europe/Vienna")


def counts(*analytics_ids: str, by=("weekday", "hour"), edges, zone=VIENNA) -> gateway.ScanCounts:
    return gateway.count_scans(analytics_ids=analytics_ids, by=by, edges=edges, zone=zone)


def test_a_summary_has_the_number_and_the_cities_by_name(made):
    for city in ("Wien", "", "Ödön", "Graz", "Wien"):
        scan_at(made, NOON, city=city)
    found = gateway.scan_summary(analytics_id=made.analytics_id)
    assert (found.total_scans, found.cities) == (5, ["Graz", "Wien", "Ödön"])


def test_a_summary_of_a_code_without_scans_is_empty_and_of_none_is_refused(made):
    assert gateway.scan_summary(analytics_id=made.analytics_id) == gateway.ScanSummary(0, [])
    with pytest.raises(gateway.UnknownCode):
        gateway.scan_summary(analytics_id="nobody-has-this")


def test_scans_of_several_codes_are_counted_together_by_local_time(made):
    other = gateway.create_code(redirect_url=TARGET)
    # Saturday 13:00 in Vienna; half past midnight on Sunday there, still Saturday in UTC.
    scan_at(made, NOON, NOON + timedelta(hours=11, minutes=30))
    scan_at(other, NOON + timedelta(minutes=59))
    edges = [NOON - timedelta(days=1), NOON + timedelta(days=1)]
    found = counts(made.analytics_id, other.analytics_id, edges=edges)
    assert found.periods == [{(6, 13): 2, (0, 0): 1}]
    assert counts(other.analytics_id, edges=edges).periods == [{(6, 13): 1}]


def test_a_period_begins_after_its_edge_and_ends_with_the_next(made):
    moment = timedelta(microseconds=1)
    first, second, third = NOON, NOON + timedelta(days=1), NOON + timedelta(days=2)
    scan_at(made, first, first + moment, second, second + moment, third, third + moment, device_type="iOS")
    found = counts(made.analytics_id, by=("device_type",), edges=[first, second, third])
    assert found.periods == [{("iOS",): 2}, {("iOS",): 2}]


def test_hours_are_counted_as_the_clocks_show_them_when_they_change(made):
    # At 03:00 on 25 October 2026 the clocks of Vienna go back to 02:00; on 29 March 2026, 02:00 becomes 03:00.
    back = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    forward = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)
    for start in (back, forward):
        scan_at(made, start, start + timedelta(hours=1))
    edges = [forward - timedelta(days=1), back + timedelta(days=1)]
    assert counts(made.analytics_id, edges=edges).periods == [{(0, 2): 2, (0, 1): 1, (0, 3): 1}]


def test_codes_that_the_service_does_not_know_are_named_and_count_nothing(made):
    scan_at(made, NOON)
    edges = [NOON - timedelta(days=1), NOON]
    found = counts("unknown-1", made.analytics_id, "unknown-2", edges=edges)
    assert (found.periods, found.unknown) == ([{(6, 13): 1}], {"unknown-1", "unknown-2"})
    assert counts(edges=edges) == gateway.ScanCounts([{}], frozenset())


def test_scans_are_counted_in_two_queries_on_the_built_in_service(made, backend, django_assert_num_queries):
    scan_at(made, NOON)
    with django_assert_num_queries(2 if backend == "embedded" else 0):
        counts(made.analytics_id, edges=[NOON - timedelta(days=1), NOON])
    with django_assert_num_queries(1 if backend == "embedded" else 0):
        gateway.scan_summary(analytics_id=made.analytics_id)


@pytest.mark.parametrize("odd", ["\0", "\ud800", "ä", ""])
def test_an_id_that_can_be_none_is_unknown(made, backend, odd):
    edges = [NOON - timedelta(days=1), NOON]
    scan_at(made, NOON)
    if backend == "embedded":
        assert counts(made.analytics_id, odd, edges=edges) == gateway.ScanCounts([{(6, 13): 1}], frozenset({odd}))
    with pytest.raises(gateway.QRServiceError):
        gateway.scan_summary(analytics_id=odd)


def test_another_account_s_code_is_unknown(made, backend):
    Code.objects.update(account=Account.objects.create(name="Somebody else"))
    found = counts(made.analytics_id, edges=[NOON - timedelta(days=1), NOON])
    assert (found.periods, found.unknown) == ([{}], {made.analytics_id})
    with pytest.raises(gateway.UnknownCode):
        gateway.scan_summary(analytics_id=made.analytics_id)


def test_scans_are_never_counted_inside_a_transaction(made):
    with transaction.atomic():
        with pytest.raises(RuntimeError, match="inside a database transaction"):
            counts(made.analytics_id, edges=[NOON - timedelta(days=1), NOON])
        with pytest.raises(RuntimeError, match="inside a database transaction"):
            gateway.scan_summary(analytics_id=made.analytics_id)
