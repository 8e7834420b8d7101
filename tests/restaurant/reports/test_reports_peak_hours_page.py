"""Peak hours on the page: averages, weekdays without any, and the slowest of the hours that are open."""

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from restaurant.models import OpeningHours
from restaurant.reports.peak_hours.occurrences import occurrences
from tests.reading import read
from tests.restaurant.reports.making import NOW, order, scan
from web.windows import calendar, rolling

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("saturday")]


def words_in_maps(page) -> list[str]:
    """What is written there instead of figures."""
    maps = [each.rows() for each in read(page).all("table") if each.rows()[0][:2] == ["Hour", "Mon"]]
    return [cell for rows in maps for row in rows[1:] for cell in row[1:] if cell[:1].isalpha()]


def test_a_weekday_without_any_says_so_and_a_closed_one_that_it_is(report_page, table):
    saturday = NOW.replace(hour=12, minute=0)
    for day in range(7):
        for hour in range(6):
            if day not in (5, 6):  # Monday and Sunday have none
                order(table, saturday - timedelta(days=day, hours=-hour), total="1")
    shown = report_page("/peak-hours")
    assert words_in_maps(shown) == ["No orders"] * 2 * 2 + ["No scans"] * 7
    assert len(re.findall('<td [^>]*rowspan="6">', shown.text)) == 2 * 2 + 7
    for weekday in range(1, 7):
        OpeningHours.objects.create(weekday=weekday, opens="12:00", closes="18:00")
    words = words_in_maps(report_page("/peak-hours"))  # Monday is closed, in all maps
    assert words == ["Closed", "No orders"] * 2 + ["Closed"] + ["No scans"] * 6


def test_the_slowest_times_of_the_page_are_those_that_are_usual(report_page, table):
    for hour, count in ((12, 20), (13, 2), (14, 1)):
        for _ in range(count):
            order(table, NOW.replace(hour=hour, minute=0), total="1")
    shown = report_page("/peak-hours")
    assert [row[0] for row in shown.context["slow"].rows] == ["Sat 13:00", "Sat 12:00"]
    assert [row[1] for row in shown.context["slowest"].rows] == ["14:00", "13:00", "12:00"]  # of the CSV
    assert "Of the hours with at least a tenth of the busiest hour's orders." in read(shown)


def test_with_opening_hours_the_slowest_are_those_that_are_open_throughout(report_page, table):
    OpeningHours.objects.create(weekday=5, opens="11:30", closes="15:00")
    OpeningHours.objects.create(weekday=6, opens="22:00", closes="00:30")
    assert report_page("/peak-hours").context["slow"].rows == []
    for hour, count in ((11, 1), (12, 3), (14, 2), (16, 1)):
        for _ in range(count):
            order(table, (NOW - timedelta(days=7)).replace(hour=hour), total="1")
    rows = report_page("/peak-hours").context["slow"].rows
    assert [row[:2] for row in rows] == [
        ["Sun 22:00", 0],
        ["Sun 23:00", 0],
        ["Sat 13:00", 0],
        ["Sat 14:00", Decimal("1.3")],  # of this Saturday's half an hour is over
        ["Sat 12:00", Decimal("1.5")],
    ]


# --- averages ----------------------------------------------------------------------------------------


def test_a_weekday_that_comes_more_often_is_not_the_peak_because_of_that(report_page, manager, table):
    noon = NOW.replace(hour=12, minute=0)  # in 30 days there are five Saturdays and four Thursdays
    order(table, noon - timedelta(days=50), total="1")  # the restaurant is older than the period
    for weeks in range(5):
        for _ in range(10):
            order(table, noon - timedelta(weeks=weeks), total="2")
    for weeks in range(4):
        for _ in range(12):
            order(table, noon - timedelta(days=2, weeks=weeks), total="1")
        scan(table, noon - timedelta(days=2, weeks=weeks))
    shown = report_page("/peak-hours")
    assert shown.context["sentence"].startswith(
        "Thursday 12:00 is your peak, with 12 orders on average; 98 orders in all"
    )
    assert shown.context["page_tiles"][0].value == "Thu 12:00"
    assert shown.context["page_tiles"][0].note == "12 orders on average over 4 weeks"
    assert shown.context["peak"].rows == [
        ["Thu 12:00", Decimal("12.0"), Decimal("12.00")],
        ["Sat 12:00", Decimal("10.0"), Decimal("20.00")],
    ]
    assert shown.context["orders"].rows[12][1:] == [0, 0, 0, Decimal("12.0"), 0, Decimal("10.0"), 0]
    assert shown.context["scans"].rows[12][1:] == [0, 0, 0, Decimal("1.0"), 0, 0, 0]
    text = shown.content.decode()
    assert '<td class="heat-4 heat-peak">12.0</td>' in text
    # That the map is of revenue, too, and that its shades are of round figures.
    assert '<td class="heat-5 heat-peak">20</td>' in text
    assert '<span>Up to</span><i class="heat-3">12</i><i class="heat-5">20</i></p>' in text
    # What is an average says so once: the map below its title, the lists in their heads.
    page = read(shown)
    assert page.text.count("On average for each weekday, over 4 or 5 weeks.") == 1
    assert "Top 5" not in page
    heads = [each.rows()[0] for each in page.all("table")]
    assert [each[1:] for each in heads if "Orders on average" in each] == [
        ["Orders on average", "Sales on average"]
    ] * 2
    # Programs get the sums and the averages, spreadsheets the sums.
    body = manager.get("/reports/restaurant/peak-hours").json()
    assert body["peakTimes"][0] == {"day": "Sat", "hour": 12, "scans": 0, "orders": 50, "revenue": 100}
    assert body["averages"]["times"] == [
        {"day": "Thu", "hour": 12, "scans": 1, "orders": 12, "revenue": 12},
        {"day": "Sat", "hour": 12, "scans": 0, "orders": 10, "revenue": 20},
    ]
    assert [each["day"] for each in body["averages"]["slowestTimes"]] == ["Sat", "Thu"]
    assert body["totals"] == {
        "orders": 98, "revenue": 148, "scans": 4, "ordersBefore": 1, "revenueBefore": 1, "scansBefore": 0,
    }  # fmt: skip
    file = report_page("/peak-hours?format=csv").content.decode()
    assert "Busiest time,Sat 12:00," in file
    assert "Sat,12:00,50,100.00,0\r\nThu,12:00,48,48.00,4\r\n" in file


def test_a_week_has_no_average(report_page, table):
    for _ in range(3):
        order(table, NOW, total="2")
    shown = report_page("/peak-hours?days=7")
    assert shown.context["sentence"] == "Saturday 14:00 is your peak, with 3 orders; 3 orders in all."
    assert shown.context["peak"].rows == [["Sat 14:00", 3, 6]]
    assert "verage" not in read(shown)


def test_the_days_before_the_first_order_make_no_average_small(report_page, table):
    for days in (7, 6):  # of the one weekday two have been since, of the other one
        for _ in range(4):
            order(table, NOW.replace(hour=10) - timedelta(days=days), total="2")
    rows = report_page("/peak-hours").context["peak"].rows
    assert [row[:2] for row in rows] == [["Sun 10:00", 4], ["Sat 10:00", 2]]


def test_what_is_next_to_nothing_is_not_shown_as_nothing(report_page, table):
    order(table, NOW - timedelta(days=360), total="1")
    order(table, NOW - timedelta(days=359), total="1")
    rows = report_page("/peak-hours?days=365").context["peak"].rows
    assert [row[1] for row in rows] == [Decimal("0.1"), Decimal("0.1")]


def test_hours_of_the_week_are_counted_by_the_clocks_of_the_zone():
    vienna = ZoneInfo("Europe/Vienna")
    now = datetime(2026, 11, 10, 19, 30, tzinfo=UTC)  # a Tuesday, half past eight in Vienna
    times = occurrences(rolling(30, now, vienna).window, vienna)  # from half past nine of Sunday, 11 October
    assert (times[0, 20], times[0, 21], times[0, 22]) == (4, Decimal("4.5"), 5)
    assert (times[2, 19], times[2, 20], times[2, 21]) == (5, Decimal("4.5"), 4)
    assert times[0, 2] == 4  # with the hour that came twice
    spring = calendar(date(2026, 3, 22), date(2026, 3, 29), datetime(2026, 5, 1, tzinfo=UTC), vienna).window
    times = occurrences(spring, vienna)
    assert (times[0, 1], times[0, 2], times[0, 3], times[0, 23], times[1, 0]) == (2, 1, 2, 2, 1)
    assert sum(times.values()) == 8 * 24 - 1


def test_a_period_of_one_day_says_nothing_of_other_days_and_of_hours_to_come(report_page, table, clock):
    for weekday in range(7):
        OpeningHours.objects.create(weekday=weekday, opens="12:00", closes="22:00")
    clock(NOW.replace(hour=15, minute=30))
    for hour in (12, 12, 14):
        order(table, NOW.replace(hour=hour, minute=5), total="1")
    today = report_page(f"/peak-hours?from={NOW:%Y-%m-%d}&to={NOW:%Y-%m-%d}")
    slowest = [["Sat 13:00", 0], ["Sat 14:00", 1], ["Sat 12:00", 2]]
    assert [row[:2] for row in today.context["slow"].rows] == slowest
    words = words_in_maps(today)
    assert "No orders" not in words
    assert words.count("No scans") <= 1


def test_before_an_open_hour_is_over_none_is_the_slowest(report_page, table, clock):
    OpeningHours.objects.create(weekday=NOW.isoweekday() % 7, opens="12:00", closes="22:00")
    clock(NOW.replace(hour=12, minute=30))
    order(table, NOW.replace(hour=12, minute=5), total="1")
    shown = report_page(f"/peak-hours?from={NOW:%Y-%m-%d}&to={NOW:%Y-%m-%d}")
    assert shown.context["slow"].rows == []
    assert "No open hour of this period is over." in read(shown)
