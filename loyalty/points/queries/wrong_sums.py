"""Days whose sums are not what the lines of the ledger say. See "Sums of days" in docs/behaviour/common.md."""

from datetime import date
from typing import Any

from django.db.models import QuerySet

from loyalty.points.models import LedgerDay, PointsOfQuarter
from loyalty.points.queries import points
from web.quarter_hours import Epoch
from web.sums_of_days import Comparison, by_quarter, compared, window_of, wrong_days


def days_of_points() -> dict[date, Comparison]:
    return wrong_days(LedgerDay.objects.all(), points.changed_days, _compare)


def _compare(day: date) -> Comparison:
    rows: QuerySet[Any, Any] = PointsOfQuarter.objects.filter(day=day)
    stored = by_quarter(rows.values_list(Epoch("quarter"), "earned", "redeemed"))
    return compared(("earned", "redeemed"), stored, by_quarter(points.of_lines(window_of(day).within("created_at"))))
