"""Scans of a table's code in the latest days. See "Sales reports" in docs/behaviour/restaurant.md."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Avg, Count, DurationField, ExpressionWrapper, F, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from restaurant.ordering.models import SESSION_WINDOW, TableSession
from restaurant.ordering.queries import counted
from restaurant.reports import scans
from restaurant.reports.scans import Scans
from restaurant.reports.today import Figures
from restaurant.tables import queries as tables_queries
from restaurant.tables.models import Table
from web.reporting import average
from web.windows import Period, Window

PEAK_HOURS = 3
DEVICES = ("ios", "android")  # all others are "other"


@dataclass(frozen=True, slots=True)
class HourCount:
    hour: int
    count: int


@dataclass(frozen=True, slots=True)
class TableScans:
    """All counts are None if they are not known. `before`: of the period before."""

    table: Table
    period: Period
    total: int | None
    before: int | None
    by_hour: dict[int, int] | None
    by_device: dict[str, int] | None
    warnings: list[str]

    @property
    def per_day(self) -> Decimal | None:
        if self.total is None:
            return None
        return (Decimal(self.total) / self.period.window.days).quantize(Decimal("0.1"), ROUND_HALF_UP)

    @property
    def peak_hours(self) -> list[HourCount] | None:
        if self.by_hour is None:
            return None
        busiest = sorted(self.by_hour.items(), key=lambda each: (-each[1], each[0]))
        return [HourCount(hour, count) for hour, count in busiest[:PEAK_HOURS]]

    @property
    def busiest_hours(self) -> list[HourCount]:
        """Those that have as many as the busiest, by the clock."""
        by_hour = self.by_hour or {}
        most = max(by_hour.values(), default=0)
        return [HourCount(hour, count) for hour, count in sorted(by_hour.items()) if count == most]


@dataclass(frozen=True, slots=True)
class Averages:
    """Of all tables in the period, `per_seat` of those whose seats are known; None of none."""

    stay: int | None
    per_seat: Decimal | None
    order: Decimal | None


@dataclass(frozen=True, slots=True)
class Sales:
    """In the period and in the one before. `rank`: of its revenue among that of all `tables`.

    `stay`: how many minutes a party sat there on average; None of none. One that nobody closed in time is left out.
    """

    now: Figures
    before: Figures
    rank: int
    tables: int
    stay: int | None
    stay_before: int | None
    of_all: Averages


def read(*, table_number: int, period: Period, with_scans_before: bool = False) -> TableScans:
    """`with_scans_before`: also those of the period before, which only page and CSV show. Raises TableUnknown."""
    table = tables_queries.table(table_number)
    scanned = _scans(table, period, with_scans_before)
    return TableScans(
        table=table,
        period=period,
        total=scanned.total,
        before=scanned.before,
        by_hour=None if scanned.counts is None else _by_hour(scanned.counts),
        by_device=None if scanned.counts is None else _by_device(scanned.counts),
        warnings=scanned.warnings,
    )


def sales(report: TableScans) -> Sales:
    """Only the page shows them."""
    windows = {"now": report.period.window, "before": report.period.before}
    either = reduce(or_, (each.within("started_at") for each in windows.values()))
    sessions = TableSession.objects.filter(either, table=report.table).aggregate(
        **{name: Count("pk", filter=each.within("started_at")) for name, each in windows.items()},
        **{f"{name}_stay": _stay(each) for name, each in windows.items()},
    )
    either = reduce(or_, (each.within("created_at") for each in windows.values()))
    figures: dict[str, Any] = {}
    for name, each in windows.items():
        within = each.within("created_at")
        figures[f"{name}_orders"] = Count("pk", filter=within)
        figures[f"{name}_revenue"] = Sum("total", filter=within, default=Decimal("0.00"))
    placed: QuerySet[Any, Any] = counted.orders().filter(either).order_by().values_list("table_id")
    sold = {table: row for table, *row in placed.annotate(**figures)}
    own = sold.get(report.table.pk, [0, Decimal("0.00")] * 2)
    now, before = Figures(sessions["now"], *own[:2]), Figures(sessions["before"], *own[2:])
    better = sum(revenue > now.revenue for _orders, revenue, *_before in sold.values())
    stay, stay_before = (_minutes(sessions[f"{name}_stay"]) for name in windows)
    seats = dict(Table.objects.values_list("pk", "capacity"))
    of_all = _averages(report.period.window, {pk: (row[0], row[1]) for pk, row in sold.items()}, seats)
    return Sales(now, before, better + 1, len(seats), stay, stay_before, of_all)


def _averages(window: Window, sold: Mapping[Any, tuple[int, Decimal]], seats: Mapping[Any, int | None]) -> Averages:
    """`sold`: orders and revenue of the tables that have any; `seats`: of all."""
    stay = TableSession.objects.filter(window.within("started_at")).aggregate(stay=_stay(window))["stay"]
    orders = sum(count for count, _revenue in sold.values())
    revenue = sum((amount for _count, amount in sold.values()), Decimal("0.00"))
    of_seats = sum((amount for pk, (_count, amount) in sold.items() if seats.get(pk)), Decimal("0.00"))
    count = sum(each or 0 for each in seats.values())
    return Averages(
        stay=_minutes(stay),
        per_seat=average(of_seats, count) if count else None,
        order=average(revenue, orders) if orders else None,
    )


def _stay(window: Window) -> Avg:
    lasted = ExpressionWrapper(F("ended_at") - F("started_at"), DurationField())
    in_time = Q(ended_at__lte=F("started_at") + SESSION_WINDOW, merged_into=None)
    return Avg(lasted, filter=window.within("started_at") & in_time)


def _minutes(stay: timedelta | None) -> int | None:
    return None if stay is None else int(stay.total_seconds() / 60 + 0.5)


def _scans(table: Table, period: Period, with_before: bool) -> Scans:
    codes = [table.qr_analytics_id] if table.qr_analytics_id else []
    scanned = scans.count(codes, by=("hour", "device_type"), period=period, with_before=with_before)
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
