"""Peak hours on the page: weekdays without any, and the slowest of the hours that are open."""

from datetime import timedelta

import pytest

from restaurant.models import OpeningHours
from tests.restaurant.reports.conftest import NOW, order

pytestmark = pytest.mark.django_db


def test_a_weekday_without_any_says_so_and_a_closed_one_that_it_is(page, table):
    saturday = NOW.replace(hour=12, minute=0)
    for day in range(7):
        for hour in (0, 5):
            if day not in (5, 6):  # Monday and Sunday have none
                order(table, saturday - timedelta(days=day, hours=-hour), total="1")
    text = page("/peak-hours").content.decode()
    assert text.count('<td class="heat-none" rowspan="6"><span>No orders</span></td>') == 2
    assert text.count('<td class="heat-none" rowspan="6"><span>No scans</span></td>') == 7
    for weekday in range(1, 7):
        OpeningHours.objects.create(weekday=weekday, opens="12:00", closes="18:00")
    text = page("/peak-hours").content.decode()
    assert text.count("<span>Closed</span>") == 2  # Monday, in both maps
    assert (text.count("<span>No orders</span>"), text.count("<span>No scans</span>")) == (1, 6)


def test_the_slowest_times_of_the_page_are_those_that_are_usual(page, table):
    for hour, count in ((12, 20), (13, 2), (14, 1)):
        for _ in range(count):
            order(table, NOW.replace(hour=hour, minute=0), total="1")
    shown = page("/peak-hours")
    assert [row[1] for row in shown.context["slow"]["rows"]] == ["13:00", "12:00"]
    assert [row[1] for row in shown.context["slowest"]["rows"]] == ["14:00", "13:00", "12:00"]  # of the CSV
    assert "Of the hours with at least a tenth of the busiest hour&#x27;s orders." in shown.content.decode()


def test_with_opening_hours_the_slowest_are_those_that_are_open_throughout(page, table):
    OpeningHours.objects.create(weekday=5, opens="11:30", closes="15:00")
    OpeningHours.objects.create(weekday=6, opens="22:00", closes="00:30")
    assert page("/peak-hours").context["slow"]["rows"] == []
    for hour, count in ((11, 1), (12, 3), (14, 2), (16, 1)):
        for _ in range(count):
            order(table, (NOW - timedelta(days=7)).replace(hour=hour), total="1")
    rows = page("/peak-hours").context["slow"]["rows"]
    assert [row[:3] for row in rows] == [
        ["Sun", "22:00", 0],
        ["Sun", "23:00", 0],
        ["Sat", "13:00", 0],
        ["Sat", "14:00", 2],
        ["Sat", "12:00", 3],
    ]
