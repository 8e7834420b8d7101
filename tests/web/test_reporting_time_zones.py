"""Reports count in PostgreSQL and in Python: both must know a time zone by its name, summer time included."""

import zoneinfo
from datetime import UTC, datetime

import pytest
from django.db import connection

REFUSED = {"CET", "EET", "MET", "WET", "localtime"}  # as TIME_ZONE: see config/settings.py


@pytest.mark.django_db
@pytest.mark.parametrize("moment", [datetime(2026, 1, 15, 12, tzinfo=UTC), datetime(2026, 7, 15, 12, tzinfo=UTC)])
def test_every_time_zone_that_is_accepted_is_the_same_in_both(moment):
    names = sorted(zoneinfo.available_timezones() - REFUSED)
    with connection.cursor() as cursor:
        zones = "unnest(%s::text[]) WITH ORDINALITY AS zone (name, place)"
        cursor.execute(f"SELECT array_agg(%s AT TIME ZONE name ORDER BY place) FROM {zones}", [moment, names])  # noqa: S608
        theirs = cursor.fetchone()[0]
    ours = [moment.astimezone(zoneinfo.ZoneInfo(name)).replace(tzinfo=None) for name in names]
    assert [name for name, one, other in zip(names, ours, theirs, strict=True) if one != other] == []
    assert len(names) > 400
