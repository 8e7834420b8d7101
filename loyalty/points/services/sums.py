"""Sums of the ledger's days that are over. See "Sums of days" in docs/behaviour/common.md."""

from datetime import UTC, date, datetime
from functools import partial

from django.db import transaction
from django.db.models import Min

from loyalty.points.models import LedgerDay, PointsOfQuarter, PointTransaction
from loyalty.points.queries import points
from web import sums_of_days


def sum_up(*, now: datetime, again_since: date | None = None) -> int:
    """Sum up days, and return how many: see `web.sums_of_days.sum_up`."""
    first = PointTransaction.objects.aggregate(first=Min("created_at"))["first"]
    days, sum_day = LedgerDay.objects.all(), partial(_sum_up, now=now)
    return sums_of_days.sum_up(days, first, points.changed_days, sum_day, now=now, again_since=again_since)


def _sum_up(day: date, *, now: datetime) -> None:
    with transaction.atomic():
        LedgerDay.objects.filter(day=day).delete()
        sums = [
            PointsOfQuarter(
                day_id=day, quarter=datetime.fromtimestamp(second, UTC), earned=total.earned, redeemed=total.redeemed
            )
            for second, total in points.by_quarter(sums_of_days.window_of(day))
        ]
        LedgerDay.objects.create(day=day, summed_at=now)
        PointsOfQuarter.objects.bulk_create(sums)
