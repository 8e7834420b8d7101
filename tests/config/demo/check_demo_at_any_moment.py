"""The history at moments and in zones that are not like others. Run by `make sweep`."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from config.demo import loading
from tests.config.demo import moments

MOMENTS = {
    "Saturday evening": (datetime(2026, 11, 21, 20, 30, tzinfo=UTC), "Europe/Dublin"),
    "Auckland, before midnight": (datetime(2026, 12, 1, 10, 30, tzinfo=UTC), "Pacific/Auckland"),
    "the clocks went forward": (datetime(2026, 3, 29, 12, 0, tzinfo=UTC), "Europe/Dublin"),
    "29 February": (datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC), "America/St_Johns"),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_at_any_moment_today_has_orders_and_the_future_none(name):
    now, zone = MOMENTS[name]
    moments.check(loading.write_history(now, ZoneInfo(zone)), now, zone)
