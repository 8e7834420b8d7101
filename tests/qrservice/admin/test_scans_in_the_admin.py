"""Scans in the admin: they are only read, and chosen by device and code."""

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from qrservice import devices
from qrservice.admin.scans import DEVICES
from qrservice.models import Scan
from tests.qrservice.admin.pages import SCANS, make_code, make_scans, text_of


def test_scans_are_read_only(owners_browser, code):
    make_scans(code, timezone.now())
    scan = Scan.objects.get()
    assert owners_browser.get(reverse("admin:qrservice_scan_add")).status_code == 403
    page = reverse("admin:qrservice_scan_change", args=[scan.pk])
    assert "iOS" in text_of(owners_browser.get(page))
    assert owners_browser.post(page, {"city": "Cork"}).status_code == 403
    delete = reverse("admin:qrservice_scan_delete", args=[scan.pk])
    assert owners_browser.post(delete, {"post": "yes"}).status_code == 403
    owners_browser.post(SCANS, {"action": "delete_selected", "_selected_action": [scan.pk], "index": 0, "post": "yes"})
    assert Scan.objects.get().city == ""


def test_scans_are_listed_newest_first_and_filtered_by_device_and_code(managers_browser, code):
    now = timezone.now()
    other = make_code()
    make_scans(code, now - timedelta(days=2), device="Android")
    make_scans(other, now - timedelta(days=1), device="iOS (iPad)")
    make_scans(code, now, device="Android")

    def found(**by):
        return [(scan.code, scan.device_type) for scan in managers_browser.get(SCANS, by).context["cl"].result_list]

    assert found() == [(code, "Android"), (other, "iOS (iPad)"), (code, "Android")]
    assert found(device="iOS (iPad)") == [(other, "iOS (iPad)")]
    assert found(code__id__exact=other.pk) == [(other, "iOS (iPad)")]


def test_every_device_that_is_recorded_can_be_filtered_by():
    assert {*devices._NAMES.values(), "iOS (iPad)", "other"} == set(DEVICES)


def test_a_page_of_many_scans_asks_few_questions(managers_browser, code, django_assert_max_num_queries):
    now = timezone.now()
    make_scans(code, *(now - timedelta(days=n) for n in range(400)))
    with django_assert_max_num_queries(12):
        assert len(managers_browser.get(SCANS, {"p": 3}).context["cl"].result_list) == 50
