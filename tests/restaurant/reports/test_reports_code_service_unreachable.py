"""The hosted QR code service fails: the figures of scans are null, and a warning says why."""

from datetime import timedelta

import pytest

from restaurant.models import Table
from tests.conftest import make_table
from tests.qrservice.fake_service import says
from tests.reading import read
from tests.restaurant.reports.making import NOW, of_the_contract, order

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]

FAILURES = [
    ((), "can't be reached"),
    ((says({"error": "no"}, 401),), "does not accept this installation's key"),
    ((says("{", 200),), "can't use"),
]


def test_a_table_s_scans_are_not_known(report, report_page, table, code_service, settings):
    for acts, words in FAILURES:
        code_service(*acts)
        body = report("/tables/7")
        [warning] = body.pop("warnings")
        assert of_the_contract(body) == {
            "tableNumber": 7, "totalScans": None, "avgScansPerDay": None, "peakHours": None, "deviceBreakdown": None,
        }  # fmt: skip
        assert words in warning
        page = report_page("/tables/7")
        assert words in read(page)
        assert "Scans are not available right now." in read(page)
        assert settings.QR_SERVICE_API_KEY not in page.text
        assert [tile.value for tile in page.context["tiles"]] == [None] * 3


def test_peak_hours_are_told_by_orders_alone(report, report_page, table, code_service):
    for hours, total in ((1, "5"), (2, "7")):
        order(table, NOW - timedelta(hours=hours), total=total)
    first, second = (
        {"day": "Sat", "hour": 12, "scans": None, "orders": 1, "revenue": 7},
        {"day": "Sat", "hour": 13, "scans": None, "orders": 1, "revenue": 5},
    )
    for acts, words in FAILURES:
        code_service(*acts)
        body = report("/peak-hours")
        [warning] = body.pop("warnings")
        assert of_the_contract(body) == {"peakTimes": [first, second], "slowestTimes": [second, first]}
        assert words in warning
        page = report_page("/peak-hours")
        assert words in read(page)
        assert page.context["scans"].rows == []
        assert page.context["orders"].rows[12][-2:] == [1, 0]  # Saturday and Sunday


def test_the_csv_leaves_open_what_is_not_known(manager, table, code_service):
    code_service()
    lines = manager.get("/reports/restaurant/tables/7?format=csv").content.decode("utf-8-sig").splitlines()
    assert "Scans,,,Previous 7 days" in lines


def test_the_scans_of_a_table_without_a_code_are_not_requested(report, code_service):
    Table.objects.create(table_number=9)
    code_service()
    assert report("/tables/9")["totalScans"] == 0
    assert of_the_contract(report("/peak-hours")) == {"peakTimes": [], "slowestTimes": []}


def test_reports_without_scans_do_not_request_them(report, table, code_service):
    code_service()
    for path in ("", "/menu", "/day"):
        assert "warnings" not in report(path), path


def scans_at(*moments) -> dict:
    scans = [{"scanned_at": each.isoformat(), "city": "", "device_type": "iOS"} for each in moments]
    return {"total_scans": len(scans), "scans": scans}


def test_the_scans_of_a_hosted_service_are_counted_as_our_own(report, table, code_service):
    make_table(8)
    code_service(says(scans_at(NOW - timedelta(days=7), NOW - timedelta(days=6), NOW)))
    assert of_the_contract(report("/tables/7")) == {
        "tableNumber": 7, "totalScans": 2, "avgScansPerDay": 0.3, "peakHours": [{"hour": 14, "count": 2}],
        "deviceBreakdown": {"ios": 2, "android": 0, "other": 0},
    }  # fmt: skip
    assert [(each["day"], each["scans"]) for each in report("/peak-hours")["peakTimes"]] == [("Sat", 4), ("Sun", 2)]


def test_a_service_that_knows_none_of_the_codes_tells_nothing(report, report_page, table, code_service):
    make_table(8)
    order(table, NOW - timedelta(hours=1), total="5")
    code_service(says({"error": "no"}, 404))
    body = report("/peak-hours")
    assert body["peakTimes"] == [{"day": "Sat", "hour": 13, "scans": None, "orders": 1, "revenue": 5}]
    [warning] = body["warnings"]
    assert "the codes of 2 tables" in warning
    assert "Scans are not available right now." in read(report_page("/peak-hours"))


def test_the_csv_says_what_is_missing_before_anything_else(manager, table, code_service):
    code_service()
    for path in ("/tables/7", "/peak-hours"):
        lines = manager.get(f"/reports/restaurant{path}?format=csv").content.decode("utf-8-sig").splitlines()
        assert lines[0].startswith("Warning,")
        assert "can't be reached" in lines[0]
        assert lines[1:3] == ["", "Key figures"]
