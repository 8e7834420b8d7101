"""Moments as lists tell them: days of this year without the year, and how long ago."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from web.templatetags.moments import ago, recent, recent_day

NOW = datetime(2026, 1, 2, 9, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _second_of_january(clock, settings):
    settings.TIME_ZONE = "UTC"
    clock(NOW)


def words(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html)


@pytest.mark.parametrize(
    ("moment", "day", "whole"),
    [
        (datetime(2026, 1, 2, 0, 0, tzinfo=UTC), "Today, 00:00", "Today, 00:00"),
        (datetime(2026, 1, 1, 23, 59, tzinfo=UTC), "Yesterday", "Yesterday, 23:59"),
        (datetime(2025, 12, 31, 23, 59, tzinfo=UTC), "31 Dec 2025", "31 Dec 2025, 23:59"),
        (datetime(2026, 3, 2, 8, 5, tzinfo=UTC), "2 Mar", "2 Mar, 08:05"),
    ],
)
def test_the_year_is_left_out_of_this_years_days(moment, day, whole):
    assert (words(recent_day(moment)), words(recent(moment))) == (day, whole)
    assert f'title="{moment.day} {moment:%b %Y}, {moment:%H:%M}"' in recent_day(moment)


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=59), "Just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=3), "3 hours ago"),
        (timedelta(days=240), "8 months ago"),
        (timedelta(days=800), "2 years ago"),
    ],
)
def test_how_long_ago_is_told_in_the_largest_unit(passed, said):
    assert ago(NOW - passed).replace("\xa0", " ") == said
