"""Sums of what was sold on days that are over. See "Sums of days" in docs/behaviour/common.md."""

from datetime import UTC, date, datetime
from functools import partial

from django.db import transaction
from django.db.models import Min

from restaurant.menu.models import SalesDay, SalesOfItem, SalesOfQuarter
from restaurant.ordering.models import Order
from restaurant.reports.queries import summed
from restaurant.reports.queries.placed import by_quarter
from restaurant.reports.queries.sold import by_item
from web import sums_of_days


def sum_up(*, now: datetime, again_since: date | None = None) -> int:
    """Return how many days were summed up: see `web.sums_of_days.sum_up`."""
    first = Order.objects.aggregate(first=Min("created_at"))["first"]
    sum_day = partial(_sum_up, now=now)
    return sums_of_days.sum_up(
        SalesDay.objects.all(), first, summed.changed_days, sum_day, now=now, again_since=again_since
    )


def _sum_up(day: date, *, now: datetime) -> None:
    window = sums_of_days.window_of(day)
    with transaction.atomic():
        SalesDay.objects.filter(day=day).delete()
        items = by_item(window)
        quarters = [
            SalesOfQuarter(day_id=day, quarter=datetime.fromtimestamp(second, UTC), orders=orders, revenue=revenue)
            for second, orders, revenue in by_quarter(window)
        ]
        SalesDay.objects.create(day=day, summed_at=now)
        SalesOfItem.objects.bulk_create(
            SalesOfItem(day_id=day, menu_item_id=item, lines=sold.lines, portions=sold.portions, revenue=sold.revenue)
            for item, sold in items.items()
        )
        SalesOfQuarter.objects.bulk_create(quarters)
