"""Sums of the ledger's days that are over. See "Sums of days" in docs/behaviour.md."""

from datetime import UTC, date, datetime

from django.db import transaction
from django.db.models import Min

from loyalty.models import LedgerDay, PointsOfQuarter, PointTransaction
from loyalty.queries import points
from web import sums_of_days


def sum_up(*, now: datetime, again_since: date | None = None) -> int:
    """Sum up the days that are over and not summed up, and those of which a line was taken back since; how many.

    `again_since`: this day and later ones are summed up again, each at once: reports read the days before their sums.
    """
    first = PointTransaction.objects.aggregate(first=Min("created_at"))["first"]
    every = sums_of_days.over(first, now)
    if again_since:
        LedgerDay.objects.filter(day__gte=again_since).exclude(day__in=every).delete()  # has no lines, or is not over
    days = sums_of_days.missing_days(LedgerDay.objects.all(), every, points.changed_days, again_since)
    for day in days:
        _sum_up(day, now)
    # All of them are right by now: reports have only the reversals since to look at.
    LedgerDay.objects.exclude(summed_at=now).update(summed_at=now)
    return len(days)


def _sum_up(day: date, now: datetime) -> None:
    with transaction.atomic():
        LedgerDay.objects.filter(day=day).delete()
        sums = [
            PointsOfQuarter(
                day_id=day, quarter=datetime.fromtimestamp(second, UTC), earned=each.earned, redeemed=each.redeemed
            )
            for second, each in points.by_quarter(sums_of_days.window_of(day))
        ]
        LedgerDay.objects.create(day=day, summed_at=now)
        PointsOfQuarter.objects.bulk_create(sums)
