"""Sums of what was sold on days that are over. See "Sums of days" in docs/behaviour.md."""

from datetime import UTC, date, datetime, time

from django.db import transaction
from django.db.models import Min, Q

from restaurant.models import Order, SalesDay, SalesOfItem
from restaurant.queries import sold
from web.windows import DAY, TICK, Window


def sum_up(*, now: datetime) -> int:
    """Sum up the days that are over and not summed up, and those of which an order was changed since; how many."""
    first = Order.objects.aggregate(first=Min("created_at"))["first"]
    if first is None:
        return 0
    summed = dict(SalesDay.objects.values_list("day", "summed_at"))
    changed = sold.changed_days(min(summed.values()), Q()) if summed else set()
    days = [day for day in _days(first, now - sold.LATENESS) if day not in summed or day in changed]
    for day in days:
        _sum_up(day, now)
    # All of them are right by now: reports have only the changes since to look at.
    SalesDay.objects.exclude(summed_at=now).update(summed_at=now)
    return len(days)


def _days(first: datetime, until: datetime) -> list[date]:
    """Those that are over by then."""
    start, end = first.astimezone(UTC).date(), until.astimezone(UTC).date()
    return [start + number * DAY for number in range((end - start).days)]


def _sum_up(day: date, now: datetime) -> None:
    began = datetime.combine(day, time.min, tzinfo=UTC)
    with transaction.atomic():
        SalesDay.objects.filter(day=day).delete()
        window = Window(began, began + DAY - TICK, day, day, days=1, is_calendar=True)
        items = sold.by_item(window)
        SalesDay.objects.create(day=day, summed_at=now)
        SalesOfItem.objects.bulk_create(
            SalesOfItem(day_id=day, menu_item_id=item, lines=each.lines, portions=each.portions, revenue=each.revenue)
            for item, each in items.items()
        )
