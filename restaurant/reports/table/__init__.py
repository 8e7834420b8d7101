"""A table's scans and sales in a period. See "Sales reports" in docs/behaviour/restaurant.md."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db.models import Avg, Count, DurationField, ExpressionWrapper, F, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from restaurant.ordering.models import SESSION_WINDOW, TableSession
from restaurant.ordering.queries import counted
from restaurant.reports import scans
from restaurant.reports.queries.sales import NOTHING, Sales
from restaurant.reports.scans import Scans
from restaurant.tables import queries as tables_queries
from restaurant.tables.models import Table
from web.reporting import average
from web.windows import Compared, Period

PEAK_HOURS = 3
DEVICES = ("ios", "android")  # all others are "other"


@dataclass(frozen=True, slots=True)
class HourCount:
    hour: int
    count: int


@dataclass(frozen=True, slots=True)
class Averages:
    """Averages of all tables: `stay` in minutes, `per_seat` of those whose seats are known. None without any."""

    stay: int | None
    per_seat: Decimal | None
    order: Decimal | None


@dataclass(frozen=True, slots=True)
class TableReport:
    """`total`, `scans_before`, `by_hour` and `by_device` are None if they are not known.

    `rank`: of its sales among those of all `tables`. `stay`: how many minutes a party sat there on average; None of
    none. One that nobody closed in time is left out.
    """

    table: Table
    period: Period
    total: int | None
    scans_before: int | None
    by_hour: dict[int, int] | None
    by_device: dict[str, int] | None
    warnings: list[str]
    sales: Compared[Sales]
    rank: int
    tables: int
    stay: int | None
    stay_before: int | None
    all_tables: Averages

    @property
    def per_day(self) -> Decimal | None:
        if self.total is None:
            return None
        return (Decimal(self.total) / self.period.window.days).quantize(Decimal("0.1"), ROUND_HALF_UP)

    @property
    def per_seat(self) -> Decimal | None:
        return average(self.sales.now.revenue, self.table.capacity) if self.table.capacity else None

    @property
    def hours(self) -> list[HourCount] | None:
        """The hours with any scan, by the clock."""
        return None if self.by_hour is None else [HourCount(*item) for item in sorted(self.by_hour.items())]

    @property
    def peak_hours(self) -> list[HourCount] | None:
        return None if self.hours is None else sorted(self.hours, key=lambda hour: -hour.count)[:PEAK_HOURS]

    @property
    def busiest_hours(self) -> list[HourCount]:
        """The hours that have as many as the busiest, by the clock."""
        most = max((hour.count for hour in self.hours or []), default=0)
        return [hour for hour in self.hours or [] if hour.count == most]


def read(*, table_number: int, period: Period) -> TableReport:
    """Raises TableUnknown."""
    table = tables_queries.table(table_number)
    scanned = _scans(table, period)
    sessions, by_table = _sessions(table, period), _sales_by_table(period)
    orders, revenue, orders_before, revenue_before = by_table.get(table.pk, (0, NOTHING, 0, NOTHING))
    seats = dict(Table.objects.values_list("pk", "capacity"))
    return TableReport(
        table=table,
        period=period,
        total=scanned.total,
        scans_before=scanned.before,
        by_hour=None if scanned.counts is None else _by_hour(scanned.counts),
        by_device=None if scanned.counts is None else _by_device(scanned.counts),
        warnings=scanned.warnings,
        sales=Compared(
            Sales(sessions["now"], orders, revenue), Sales(sessions["before"], orders_before, revenue_before)
        ),
        rank=1 + sum(other > revenue for _orders, other, *_before in by_table.values()),
        tables=len(seats),
        stay=_minutes(sessions["stay"]),
        stay_before=_minutes(sessions["stay_before"]),
        all_tables=_averages(_minutes(sessions["stay_of_all"]), by_table, seats),
    )


def _sessions(table: Table, period: Period) -> dict[str, Any]:
    now, before = period.window.within("started_at"), period.before.within("started_at")
    own = Q(table=table)
    return TableSession.objects.filter(now | before).aggregate(
        now=Count("pk", filter=now & own),
        before=Count("pk", filter=before & own),
        stay=_stay(now & own),
        stay_before=_stay(before & own),
        stay_of_all=_stay(now),
    )


def _stay(which: Q) -> Avg:
    lasted = ExpressionWrapper(F("ended_at") - F("started_at"), DurationField())
    in_time = Q(ended_at__lte=F("started_at") + SESSION_WINDOW, merged_into=None)
    return Avg(lasted, filter=which & in_time)


def _minutes(stay: timedelta | None) -> int | None:
    return None if stay is None else int(stay.total_seconds() / 60 + 0.5)


def _sales_by_table(period: Period) -> dict[Any, tuple[int, Decimal, int, Decimal]]:
    """Return number and sum of orders, and those of the period before, by table; tables without any are left out."""
    now, before = period.window.within("created_at"), period.before.within("created_at")
    placed: QuerySet[Any, Any] = counted.orders().filter(now | before).order_by().values_list("table_id")
    sums = placed.annotate(
        orders=Count("pk", filter=now),
        revenue=Sum("total", filter=now, default=NOTHING),
        orders_before=Count("pk", filter=before),
        revenue_before=Sum("total", filter=before, default=NOTHING),
    )
    return {table: tuple(row) for table, *row in sums}


def _averages(stay: int | None, sales: Mapping[Any, tuple[Any, ...]], seats: Mapping[Any, int | None]) -> Averages:
    """`sales`: of `_sales_by_table`."""
    orders, revenue = sum(row[0] for row in sales.values()), sum((row[1] for row in sales.values()), NOTHING)
    revenue_of_seats = sum((row[1] for pk, row in sales.items() if seats.get(pk)), NOTHING)
    all_seats = sum(capacity or 0 for capacity in seats.values())
    return Averages(
        stay=stay,
        per_seat=average(revenue_of_seats, all_seats) if all_seats else None,
        order=average(revenue, orders) if orders else None,
    )


def _scans(table: Table, period: Period) -> Scans:
    codes = [table.qr_analytics_id] if table.qr_analytics_id else []
    scanned = scans.count(codes, by=("hour", "device_type"), period=period)
    if not scanned.unknown:
        return scanned
    return Scans(warnings=[_("The QR code service does not know this table's code, so its scans can't be counted.")])


def _by_hour(counts: Mapping[tuple[Any, ...], int]) -> dict[int, int]:
    hours: Counter[int] = Counter()
    for (hour, _device), count in counts.items():
        hours[hour] += count
    return dict(hours)


def _by_device(counts: Mapping[tuple[Any, ...], int]) -> dict[str, int]:
    """An iPad is `iOS (iPad)`: devices are recognised by a part of their name."""
    devices = dict.fromkeys((*DEVICES, "other"), 0)
    for (_hour, device), count in counts.items():
        devices[next((name for name in DEVICES if name in device.lower()), "other")] += count
    return devices
