"""Today beside yesterday until the same time of day: the managers' front page, and the bounds that others share."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection

FIGURES = ("sessions", "orders", "revenue", "avgOrderValue")


@dataclass(frozen=True, slots=True)
class Days:
    """Moments: when today and yesterday began, and until when yesterday is compared."""

    began: datetime
    yesterday: datetime
    until: datetime


def days(now: datetime, zone: ZoneInfo) -> Days:
    """By the clocks of `zone`. Where they jump at midnight, yesterday ends before today all the same."""
    local = now.astimezone(zone)
    yesterday = local.date() - timedelta(days=1)
    began = datetime.combine(local.date(), time.min, tzinfo=zone)
    # Compared in UTC: two times of one zone are compared by what its clocks show.
    last = began.astimezone(UTC) - timedelta(microseconds=1)
    until = min(datetime.combine(yesterday, local.timetz()).astimezone(UTC), last)
    return Days(began=began, yesterday=datetime.combine(yesterday, time.min, tzinfo=zone), until=until)


_STATEMENT = """
WITH placed AS (
    SELECT created_at >= %(began)s AS is_today, count(*) AS orders, sum(total) AS revenue, round(avg(total), 2) AS mean
      FROM restaurant_order
     WHERE created_at >= %(began)s AND created_at <= %(now)s
        OR created_at >= %(yesterday)s AND created_at <= %(until)s
     GROUP BY is_today
), stays AS (
    SELECT started_at >= %(began)s AS is_today, count(*) AS sessions
      FROM restaurant_tablesession
     WHERE started_at >= %(began)s AND started_at <= %(now)s
        OR started_at >= %(yesterday)s AND started_at <= %(until)s
     GROUP BY is_today
)
SELECT coalesce(sessions, 0), coalesce(orders, 0), coalesce(revenue, 0.00), coalesce(mean, 0.00)
  FROM (VALUES (true), (false)) AS day (is_today) LEFT JOIN placed USING (is_today) LEFT JOIN stays USING (is_today)
 ORDER BY is_today DESC
"""


def read(*, now: datetime, zone: ZoneInfo) -> dict[str, Any]:
    """`{today, before}`, each as the dashboard's `today`: `{sessions, orders, revenue, avgOrderValue}`."""
    bounds = days(now, zone)
    moments = {"began": bounds.began, "yesterday": bounds.yesterday, "until": bounds.until, "now": now}
    with connection.cursor() as cursor:
        cursor.execute(_STATEMENT, moments)
        today, before = (dict(zip(FIGURES, row, strict=True)) for row in cursor.fetchall())
    return {"today": today, "before": before}
