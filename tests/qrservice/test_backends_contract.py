"""The same tests through the gateway on both backends. The hosted service is this project's own, in this process."""

import io
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest
import requests
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from requests.adapters import HTTPAdapter
from urllib3 import HTTPResponse

from qrservice import gateway
from qrservice.models import Code, Scan
from qrservice.services import codes, keys
from tests import decoder

pytestmark = pytest.mark.django_db

TARGET = "https://example.com/menu?a=1&b=%20#top"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Safari/604.1"
NOON = datetime(2026, 3, 7, 12, tzinfo=UTC)


class InProcess(HTTPAdapter):
    """Leads requests to Django here, in the transaction of the test. What a wire does to them has tests of its own."""

    def send(self, request: requests.PreparedRequest, **options: object) -> requests.Response:
        headers = dict(request.headers)
        kind = headers.pop("Content-Type", "")
        found = Client().generic(request.method, request.path_url, request.body or b"", kind, headers=headers)
        raw = HTTPResponse(io.BytesIO(found.getvalue()), found.headers, found.status_code, preload_content=False)
        return self.build_response(request, raw)


@pytest.fixture(params=["embedded", "http"], autouse=True)
def backend(request, monkeypatch, settings, db) -> str:
    if request.param == "http":
        monkeypatch.setattr(requests.Session, "get_adapter", lambda *_, **__: InProcess())
        # The account whose codes the tests below look at in the database, whoever made them.
        settings.QR_SERVICE_API_KEY = keys.create(account=codes.built_in_account())[1]
        settings.QR_SERVICE_URL = settings.APP_BASE_URL
    return request.param


@pytest.fixture
def made(backend) -> gateway.NewCode:
    return gateway.create_code(redirect_url=TARGET, metadata={"table_number": 7})


def get(address: str, agent: str = IPHONE) -> HttpResponse:
    parts = urlsplit(address)
    return Client().get(f"{parts.path}?{parts.query}", headers={"User-Agent": agent})


def leads_to(code: gateway.NewCode, target: str) -> bool:
    return get(code.short_url).headers.get("Location") == target


def scan_at(code: gateway.NewCode, *moments: datetime, **values) -> None:
    stored = Code.objects.get(analytics_id=code.analytics_id)
    Scan.objects.bulk_create([Scan(code=stored, scanned_at=moment, **values) for moment in moments])


def test_the_backend_is_the_one_that_is_meant(backend, made):
    assert type(gateway._backend()).__name__.lower() == f"{backend}backend"


def test_a_code_is_made_with_its_three_fields(made, settings):
    assert 0 < len(made.analytics_id) <= 32
    assert made.short_url.startswith(f"{settings.APP_BASE_URL}/q/")
    assert made.qr_code_url.startswith(f"{settings.APP_BASE_URL}/qr/")
    assert Code.objects.get(analytics_id=made.analytics_id).redirect_url == TARGET


def test_two_codes_for_one_target_are_two(made):
    other = gateway.create_code(redirect_url=TARGET)
    assert other.analytics_id != made.analytics_id
    assert other.short_url != made.short_url


def test_several_codes_are_made_in_their_order(backend, settings):
    wanted = [gateway.CodeToCreate(f"{TARGET}{number}", {"table_number": number}) for number in range(3)]
    made = gateway.create_codes(wanted)
    assert made.error is None
    stored = {code.analytics_id: code for code in Code.objects.all()}
    assert [stored[code.analytics_id].redirect_url for code in made.codes] == [each.redirect_url for each in wanted]
    assert leads_to(made.codes[2], f"{TARGET}2")
    assert made.codes[2].qr_code_url.startswith(f"{settings.APP_BASE_URL}/qr/")


def test_of_several_codes_one_that_can_not_be_is_an_error_beside_the_others(backend):
    wanted = [gateway.CodeToCreate(each, {}) for each in (TARGET, "no address", TARGET)]
    made = gateway.create_codes(wanted)
    assert isinstance(made.error, gateway.BadRequest)
    assert Code.objects.count() == len(made.codes) < 2


def test_the_image_s_address_answers_a_picture_of_that_edge(made):
    for size in (None, 64, 2048):
        response = get(gateway.image_url(made.qr_code_url, size=size))
        assert (response.status_code, response["Content-Type"]) == (200, "image/png")
        assert decoder.picture(response.content).shape == (size or 512, size or 512)


def test_the_short_address_leads_to_the_target_and_counts(made):
    assert leads_to(made, TARGET)
    get(made.short_url, agent="Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/122.0 Mobile Safari/537.36")
    found = gateway.analytics(analytics_id=made.analytics_id)
    assert found.total_scans == 2
    assert [scan.device_type for scan in found.scans] == ["iOS", "Android"]
    assert [scan.scanned_at for scan in found.scans] == [scan.scanned_at for scan in Scan.objects.order_by("pk")]


def test_a_code_without_scans_has_none(made):
    assert gateway.analytics(analytics_id=made.analytics_id) == gateway.Analytics(total_scans=0, scans=[])


def test_records_are_oldest_first_and_of_their_types(made):
    exact = NOON + timedelta(microseconds=123)
    scan_at(made, exact + timedelta(days=1), device_type="Android")
    scan_at(made, exact, city='Forlì "la\\grassa" 日本', country="Italia", device_type="iOS (iPad)")
    found = gateway.analytics(analytics_id=made.analytics_id)
    assert found.scans == [
        gateway.ScanRecord(exact, "iOS (iPad)", 'Forlì "la\\grassa" 日本', "Italia"),
        gateway.ScanRecord(exact + timedelta(days=1), "Android", "", ""),
    ]
    assert [scan.scanned_at.tzinfo for scan in found.scans] == [UTC, UTC]


def test_two_thousand_scans_arrive_in_order(made):
    moments = [NOON + timedelta(seconds=number) for number in range(2000)]
    scan_at(made, *moments, city="Bologna", device_type="iOS")
    found = gateway.analytics(analytics_id=made.analytics_id)
    assert found.total_scans == 2000
    assert [scan.scanned_at for scan in found.scans] == moments


def test_the_target_can_be_changed(made):
    assert leads_to(made, TARGET)
    gateway.update_code(analytics_id=made.analytics_id, redirect_url="https://example.org/new")
    assert leads_to(made, "https://example.org/new")
    assert Code.objects.get().metadata == {"table_number": 7}


def test_a_disabled_code_leads_nowhere_until_it_is_active_again(made):
    gateway.update_code(analytics_id=made.analytics_id, status="disabled")
    assert get(made.short_url).status_code == 410
    gateway.update_code(analytics_id=made.analytics_id, status="active")
    assert leads_to(made, TARGET)


def test_metadata_is_kept_as_it_is_in_every_script(made):
    metadata = {"section": "Terrasse süd 日本 🍜", "nested": {"a": [1, 2.5, None, True]}, "": ""}
    gateway.update_code(analytics_id=made.analytics_id, metadata=metadata)
    assert Code.objects.get().metadata == metadata
    gateway.update_code(analytics_id=made.analytics_id, metadata={})
    assert Code.objects.get().metadata == {}
    gateway.create_code(redirect_url=TARGET, metadata=metadata)
    assert Code.objects.order_by("-pk")[0].metadata == metadata


OF_A_CODE = [
    lambda found: gateway.analytics(analytics_id=found),
    lambda found: gateway.update_code(analytics_id=found, status="disabled"),
    lambda found: gateway.scan_summary(analytics_id=found),
]


def test_an_unknown_id_is_an_unknown_code(made):
    for unknown in ("unknown", "", ".", "..", "a/b", "a b?c=d#e", "é", "\0", "\ud800", "x" * 500, "%00"):
        for call in OF_A_CODE:
            with pytest.raises(gateway.UnknownCode):
                call(unknown)
    assert Code.objects.get().status == "active"


def test_a_code_of_another_account_is_an_unknown_code(made):
    other = codes.create(account=keys.account_named("Osteria"), redirect_url=TARGET, metadata={})
    for call in OF_A_CODE:
        with pytest.raises(gateway.UnknownCode):
            call(other.analytics_id)


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
        lambda: gateway.scan_summary(analytics_id=made.analytics_id),
        lambda: gateway.update_code(analytics_id=made.analytics_id, status="disabled"),
    ):
        with transaction.atomic(), pytest.raises(RuntimeError, match="transaction"):
            call()
    assert Code.objects.get().status == "active"


def test_a_summary_has_the_number_and_the_cities_by_name(made):
    assert gateway.scan_summary(analytics_id=made.analytics_id) == gateway.ScanSummary(0, [])
    for city in ("Wien", "", "Ödön", "Graz", "Wien"):
        scan_at(made, NOON, city=city)
    found = gateway.scan_summary(analytics_id=made.analytics_id)
    assert (found.total_scans, found.cities) == (5, ["Graz", "Wien", "Ödön"])
