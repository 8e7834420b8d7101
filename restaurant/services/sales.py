"""Sums of what was sold on days that are over. See "Sums of days" in docs/behaviour.md."""

from datetime import UTC, date, datetime

from django.db import transaction
from django.db.models import Min

from restaurant.models import Order, SalesDay, SalesOfItem, SalesOfQuarter
from restaurant.queries import placed, sold, summed
from web import sums_of_days


def sum_up(*, now: datetime, again_since: date | None = None) -> int:
    """Sum up the days that are over and not summed up, and those of which an order was changed since; how many.

    `again_since`: this day and later ones are summed up again, each at once: reports read the days before their sums.
    """
    first = Order.objects.aggregate(first=Min("created_at"))["first"]
    every = sums_of_days.over(first, now)
    if again_since:
        SalesDay.objects.filter(day__gte=again_since).exclude(day__in=every).delete()  # has no lines, or is not over
    days = sums_of_days.missing_days(SalesDay.objects.all(), every, summed.changed_days, again_since)
    for day in days:
        _sum_up(day, now)
    # All of them are right by now: reports have only the changes since to look at.
    SalesDay.objects.exclude(summed_at=now).update(summed_at=now)
    return len(days)


def _sum_up(day: date, now: datetime) -> None:
    window = sums_of_days.window_of(day)
    with transaction.atomic():
        SalesDay.objects.filter(day=day).delete()
        items, quarters = sold.by_item(window), placed.by_quarter(window)
        of_quarters = [
            SalesOfQuarter(day_id=day, quarter=datetime.fromtimestamp(second, UTC), orders=orders, revenue=revenue)
            for second, orders, revenue in quarters
        ]
        SalesDay.objects.create(day=day, summed_at=now)
        SalesOfItem.objects.bulk_create(
            SalesOfItem(day_id=day, menu_item_id=item, lines=each.lines, portions=each.portions, revenue=each.revenue)
            for item, each in items.items()
        )
        SalesOfQuarter.objects.bulk_create(of_quarters)
