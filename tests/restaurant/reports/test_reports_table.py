"""`GET /reports/restaurant/tables/{tableNumber}`. See "Sales reports" in docs/behaviour/restaurant.md."""

from datetime import timedelta

import pytest

from restaurant.models import Table
from tests.conftest import PAGE, make_table, undone
from tests.reading import read
from tests.restaurant.reports.making import NOW, of_the_contract, order, scan, start_session

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]

KEYS = {"tableNumber", "totalScans", "avgScansPerDay", "peakHours", "deviceBreakdown"}


def test_what_a_program_gets(report, table):
    scan(table, NOW - timedelta(hours=1), NOW - timedelta(hours=1, minutes=1))
    scan(table, NOW - timedelta(hours=3), device="iOS")
    assert of_the_contract(report("/tables/7")) == {
        "tableNumber": 7,
        "totalScans": 3,
        "avgScansPerDay": 0.4,
        "peakHours": [{"hour": 13, "count": 2}, {"hour": 11, "count": 1}],
        "deviceBreakdown": {"ios": 1, "android": 2, "other": 0},
    }


def test_page_and_program_get_the_same_figures_of_the_same_seven_times_24_hours(report, report_page, table, soup):
    week = timedelta(days=7)
    for ago in (timedelta(hours=1), week - timedelta(hours=1), week, 2 * week - timedelta(hours=1)):
        order(table, NOW - ago, (soup, 2))
        scan(table, NOW - ago)
        start_session(table, NOW - ago, ended_at=NOW - ago + timedelta(minutes=40))
    Table.objects.update(capacity=4)
    body, shown = report("/tables/7"), report_page("/tables/7")
    assert (shown.context["since"], shown.context["until"]) == (NOW - week, NOW)
    scans = shown.context["tiles"][0]
    assert (scans.value, scans.before) == (body["totalScans"], body["totalScansBefore"]) == (2, 2)
    assert body["scansByHour"] == [{"hour": 13, "count": 1}, {"hour": 15, "count": 1}]
    sales = body["sales"]
    assert sales["period"] == sales["before"] == {"sessions": 2, "orders": 2, "revenue": 38, "avgOrderValue": 19}
    assert [each.value for each in shown.context["sales_tiles"]] == [38, 2, 2, 19]
    assert (sales["rank"], sales["tables"], sales["avgStay"], sales["avgStayBefore"]) == (1, 1, 40, 40)
    assert sales["revenuePerSeat"] == 9.5
    assert sales["allTables"] == {"avgStay": 40, "revenuePerSeat": 9.5, "avgOrderValue": 19}


def test_scans_of_other_tables_are_not_counted(report, table):
    scan(make_table(8), NOW)
    assert report("/tables/7")["totalScans"] == 0
    assert report("/tables/8")["totalScans"] == 1


def test_the_average_has_one_decimal_and_halves_go_up(report, table):
    averages = {(1, 20): 0.1, (3, 20): 0.2, (9, 20): 0.5, (1, 365): 0.0, (7, 7): 1}
    found = {}
    for scans, days in averages:
        with undone():
            scan(table, *[NOW] * scans)
            found[scans, days] = report(f"/tables/7?days={days}")["avgScansPerDay"]
    assert found == averages


def test_of_four_hours_the_three_busiest_are_named_and_ties_by_the_clock(report, table):
    for hours, count in ((1, 2), (2, 5), (3, 2), (4, 2)):
        scan(table, *[NOW - timedelta(hours=hours)] * count)
    assert report("/tables/7")["peakHours"] == [
        {"hour": 12, "count": 5}, {"hour": 10, "count": 2}, {"hour": 11, "count": 2},
    ]  # fmt: skip


def test_the_same_hour_of_several_days_and_devices_is_one(report, table):
    scan(table, NOW, NOW - timedelta(days=1))
    scan(table, NOW - timedelta(days=2), device="iOS")
    assert report("/tables/7")["peakHours"] == [{"hour": 14, "count": 3}]


def test_devices_are_told_by_their_names(report, table):
    for device in ("iOS", "iOS (iPad)", "ios", "Android", "ANDROID 15", "Windows", "macOS", "other", ""):
        scan(table, NOW, device=device)
    assert report("/tables/7")["deviceBreakdown"] == {"ios": 3, "android": 2, "other": 4}


def test_a_table_without_a_code_was_never_scanned(report):
    Table.objects.create(table_number=9)
    body = report("/tables/9")
    assert set(of_the_contract(body)) == KEYS
    assert body["totalScans"] == 0


def test_of_a_code_that_the_service_does_not_know_nothing_is_told(report, table):
    Table.objects.update(qr_analytics_id="of-another-service")
    body = report("/tables/7")
    assert set(of_the_contract(body)) == KEYS | {"warnings"}
    assert [body[name] for name in sorted(KEYS - {"tableNumber"})] == [None] * 4
    assert "does not know this table's code" in body["warnings"][0]


def test_a_table_that_does_not_exist_is_404(manager, table):
    numbers = ["8", "0", "-7", "7.0", "x", "100000", "%37x", "٧"]
    refused = {number: manager.get(f"/reports/restaurant/tables/{number}") for number in numbers}
    answers = {number: (each.status_code, set(each.json())) for number, each in refused.items()}
    assert answers == dict.fromkeys(numbers, (404, {"error"}))
    page = manager.get("/reports/restaurant/tables/99", headers={"accept": PAGE})
    assert page.status_code == 404
    assert "There is no table with this number." in read(page)
