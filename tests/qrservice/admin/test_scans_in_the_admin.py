"""Scans in the admin: they are only read, and chosen by device, code and day."""

from datetime import UTC, datetime, timedelta

from django.test import Client
from django.urls import reverse
from django.utils import timezone
from web.long_lists import BoundedPaginator

from qrservice import devices, queries
from qrservice.admin.scans import DEVICES
from qrservice.models import Scan
from tests.qrservice.admin.pages import SCANS, make_code, make_scans, text_of

# --- scans ----------------------------------------------------------------------------------------


def test_scans_are_read_only(owners_browser, code):
    make_scans(code, timezone.now())
    scan = Scan.objects.get()
    assert owners_browser.get(reverse("admin:qrservice_scan_add")).status_code == 403
    page = reverse("admin:qrservice_scan_change", args=[scan.pk])
    assert "iOS" in text_of(owners_browser.get(page))
    assert owners_browser.post(page, {"city": "Cork"}).status_code == 403
    assert (
        owners_browser.post(reverse("admin:qrservice_scan_delete", args=[scan.pk]), {"post": "yes"}).status_code == 403
    )
    owners_browser.post(SCANS, {"action": "delete_selected", "_selected_action": [scan.pk], "index": 0, "post": "yes"})
    assert Scan.objects.get().city == ""


def test_scans_are_listed_newest_first_and_filtered_by_device_and_code(managers_browser, code):
    now = timezone.now()
    other = make_code()
    make_scans(code, now, now - timedelta(days=2), device="Android")
    make_scans(other, now - timedelta(days=1), device="iOS (iPad)")

    def found(**by):
        return [(scan.code, scan.device_type) for scan in managers_browser.get(SCANS, by).context["cl"].result_list]

    assert found() == [(code, "Android"), (other, "iOS (iPad)"), (code, "Android")]
    assert found(device="iOS (iPad)") == [(other, "iOS (iPad)")]
    assert found(code__id__exact=other.pk) == [(other, "iOS (iPad)")]


def test_every_device_that_is_recorded_can_be_filtered_by():
    assert {*devices._NAMES.values(), "iOS (iPad)", "other"} == set(DEVICES)


def choices(client: Client, **by) -> list[str]:
    return [choice["title"] for choice in client.get(SCANS, by).context["cl"].periods["choices"]]


def test_scans_are_chosen_by_local_year_month_and_day(managers_browser, code, settings):
    settings.TIME_ZONE = "Pacific/Auckland"  # where the year begins eleven hours before UTC's does
    utc = datetime.fromisoformat
    make_scans(code, utc("2024-12-31T12:00:00Z"), utc("2025-02-03T00:00:00Z"), utc("2026-01-15T00:00:00Z"))
    year, month, day = (f"scanned_at__{part}" for part in ("year", "month", "day"))
    assert choices(managers_browser) == ["2025", "2026"]
    assert choices(managers_browser, **{year: 2026}) == ["January 2026"]
    assert choices(managers_browser, **{year: 2025})[0] == "January 2025"
    assert choices(managers_browser, **{year: 2025, month: 1})[0] == "1 January"
    assert choices(managers_browser, **{year: 2026, month: 1})[-1] == "15 January"
    response = managers_browser.get(SCANS, {year: 2025, month: 1, day: 1})
    assert response.context["cl"].result_count == 1
    assert "January 2025" in text_of(response)
    assert managers_browser.get(SCANS, {year: 2025}).context["cl"].result_count == 2
    assert managers_browser.get(SCANS, {year: "x"}).status_code == 302
    assert managers_browser.get(SCANS, {year: 2025, month: 13}).status_code == 302


def test_without_scans_there_is_nothing_to_choose(managers_browser, code):
    assert "No scans yet." in text_of(managers_browser.get(SCANS))


def test_of_very_many_scans_the_newest_can_be_paged_through(
    managers_browser, code, monkeypatch, django_assert_max_num_queries
):
    monkeypatch.setattr(queries, "MAX_COUNTED", 150)
    monkeypatch.setattr(BoundedPaginator, "most", 150)
    now = datetime(2026, 3, 7, 12, tzinfo=UTC)
    make_scans(code, *(now - timedelta(days=n) for n in range(400)))
    with django_assert_max_num_queries(15):
        response = managers_browser.get(SCANS, {"p": 3})
    assert "Only the newest 150 are listed" in text_of(response)
    shown = list(response.context["cl"].result_list)
    assert len(shown) == 50
    assert shown[0].scanned_at == now - timedelta(days=100)
    last_year = managers_browser.get(SCANS, {"scanned_at__year": 2025}).context["cl"].result_list
    assert {scan.scanned_at.year for scan in last_year} == {2025}
