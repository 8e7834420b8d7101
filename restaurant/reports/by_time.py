"""Sales by hour of a day, or by day, beside those of the period before."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from itertools import zip_longest
from typing import Any

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext as _

from restaurant.ordering.queries import counted
from restaurant.reports.queries.placed import NO_ORDERS, OrderSums
from web.choices import legend_before
from web.quarter_hours import by_quarter_hour
from web.reporting import Column, Table, clock, plot_of, with_figures
from web.windows import Period, calendar

ANY_ORDER = Q()


@dataclass(frozen=True, slots=True)
class Interval:
    """`at`: an hour of a day, or a day. `before` is None where the period before has no such day."""

    at: int | date
    now: OrderSums
    before: OrderSums | None


def sales_by_time(period: Period, orders: Q = ANY_ORDER) -> list[Interval]:
    """Return all 24 hours of one day beside those of the whole day before, or the days of a longer period."""
    return _by_hour(period, orders) if period.window.is_one_day else _by_day(period, orders)


def has_orders(intervals: list[Interval]) -> bool:
    """Return whether there is anything to plot."""
    return any(interval.now.orders or (interval.before and interval.before.orders) for interval in intervals)


def _by_hour(period: Period, orders: Q) -> list[Interval]:
    day, day_before = period.window.first, period.before.first
    whole_day_before = calendar(day_before, day_before, period.now, period.zone).window
    either = period.window.within("created_at") | whole_day_before.within("created_at")
    sums = _sums(either & orders, lambda local: (local.date(), local.hour), period)
    return [Interval(hour, sums[day, hour], sums[day_before, hour]) for hour in range(24)]


def _by_day(period: Period, orders: Q) -> list[Interval]:
    """Return each day beside the one with the same number in the period before."""
    window, before = period.window, period.before
    sums, sums_before = (
        _sums(either.within("created_at") & orders, datetime.date, period) for either in (window, before)
    )
    return [
        Interval(day, sums[day], sums_before[day_before] if day_before else None)
        for day, day_before in zip_longest(window.dates, before.dates[: len(window.dates)])
    ]


def _sums(times: Q, key: Callable[[datetime], Any], period: Period) -> defaultdict[Any, OrderSums]:
    """Add up orders by the `key` of their local time."""
    sums: defaultdict[Any, OrderSums] = defaultdict(lambda: NO_ORDERS)
    orders = counted.orders().filter(times)
    for second, count, revenue in by_quarter_hour(orders, "created_at", orders=Count("*"), revenue=Sum("total")):
        sums[key(datetime.fromtimestamp(second, period.zone))] += OrderSums(count, revenue)
    return sums


def table_by_time(intervals: list[Interval], period: Period) -> Table:
    is_today, by_hour = period.is_beside_last_week, period.window.is_one_day
    columns = [
        Column(_("Hour")) if by_hour else Column(_("Day"), "date"),
        Column(_("Sales today") if is_today else _("Sales"), "money"),
        Column(_("Sales a week ago") if is_today else _("Sales before"), "money"),
        Column(_("Orders today") if is_today else _("Orders"), "number"),
        Column(_("Orders a week ago") if is_today else _("Orders before"), "number"),
    ]
    rows = [_row(interval) for interval in intervals]
    plotted = with_figures(rows, 3, 4) if by_hour else None
    title, by_week = (_("Sales by hour"), "") if by_hour else (_("Sales by day"), _("Sales by week"))
    plot = plot_of(period, legend=legend_before(period), by_week=by_week, rows=plotted)
    return Table(title, columns, rows, plot=plot)


def _row(interval: Interval) -> list[Any]:
    now, before = interval.now, interval.before
    name = interval.at if isinstance(interval.at, date) else clock(interval.at)
    return [name, now.revenue, before and before.revenue, now.orders, before and before.orders]
