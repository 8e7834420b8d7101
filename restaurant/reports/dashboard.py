"""The restaurant today, or in another period. See "Restaurant dashboard" in docs/behaviour.md."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, QuerySet, Sum
from django.db.models.functions import ExtractHour, TruncDate

from restaurant.models import Table, TableSession
from restaurant.reports import counted
from restaurant.reports.today import Figures, figures
from web.windows import Period, Window, calendar

TOP_ITEMS = 10
NOTHING = Decimal("0.00")


@dataclass(frozen=True, slots=True)
class TopItem:
    name: str
    quantity: int
    revenue: Decimal


@dataclass(frozen=True, slots=True)
class TableToday:
    table_number: int
    section: str
    sessions: int
    orders: int
    revenue: Decimal


@dataclass(frozen=True, slots=True)
class Dashboard:
    period: Period
    today: Figures
    top_items: list[TopItem]
    tables: list[TableToday]


@dataclass(frozen=True, slots=True)
class Part:
    """`at`: an hour of a day, or a day. What is before is None where the period before has no such day."""

    at: int | date
    revenue: Decimal
    revenue_before: Decimal | None
    orders: int
    orders_before: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """`before`: until the same time of day. `parts`: all 24 hours of one day and of the whole day before, else days."""

    before: Figures
    parts: list[Part]


def read(*, period: Period) -> Dashboard:
    tables = _tables(period.window)
    today = Figures(
        sessions=sum(each.sessions for each in tables),
        orders=sum(each.orders for each in tables),
        revenue=sum((each.revenue for each in tables), NOTHING),
    )
    return Dashboard(period=period, today=today, top_items=_top_items(period.window), tables=tables)


def _tables(window: Window) -> list[TableToday]:
    """Every table, the highest revenue first."""
    sessions = _by_table(TableSession.objects.filter(window.within("started_at")), sessions=Count("*"))
    placed = counted.orders().filter(window.within("created_at"))
    orders = _by_table(placed, orders=Count("*"), revenue=Sum("total"))
    none: dict[str, Any] = {"sessions": 0, "orders": 0, "revenue": NOTHING}
    tables = [
        TableToday(number, section, **(none | sessions.get(pk, {}) | orders.get(pk, {})))
        for pk, number, section in Table.objects.values_list("pk", "table_number", "section")
    ]
    return sorted(tables, key=lambda each: (-each.revenue, each.table_number))


def _by_table(rows: Any, **aggregates: Any) -> dict[Any, dict[str, Any]]:
    return {row.pop("table_id"): row for row in rows.order_by().values("table_id").annotate(**aggregates)}


def _top_items(window: Window) -> list[TopItem]:
    ordered: QuerySet[Any, Any] = counted.lines().filter(window.within("order__created_at")).order_by()
    items = ordered.values("menu_item_id").annotate(
        name=F("menu_item__name"), sold=counted.PORTIONS, revenue=counted.REVENUE
    )
    first = items.order_by("-sold", "-revenue", "name", "menu_item_id").values_list("name", "sold", "revenue")
    return [TopItem(*row) for row in first[:TOP_ITEMS]]


def compare(*, period: Period) -> Comparison:
    """What only page and CSV show."""
    before = period.before
    return Comparison(
        before=figures(before.start, before.until),
        parts=by_time(period),
    )


def by_time(period: Period) -> list[Part]:
    """By hour of one day, else by day."""
    return _hours(period) if period.window.is_one_day else _days(period)


def _hours(period: Period) -> list[Part]:
    day = period.before.first
    whole = calendar(day, day, period.now, period.zone).window
    found = _sales(period.window, whole, ExtractHour("created_at", tzinfo=period.zone))
    return [Part(hour, **found.get(hour, NO_SALES)) for hour in range(24)]


def _days(period: Period) -> list[Part]:
    """Each day beside the one at the same place in the period before."""
    window, before = period.window, period.before
    found = _sales(window, before, TruncDate("created_at", tzinfo=period.zone))
    parts = []
    for place, day in enumerate(window.dates):
        sold = found.get(day, NO_SALES)
        old = found.get(before.dates[place], NO_SALES) if place < len(before.dates) else UNKNOWN
        parts.append(Part(day, sold["revenue"], old["revenue_before"], sold["orders"], old["orders_before"]))
    return parts


NO_SALES: dict[str, Any] = {"revenue": NOTHING, "revenue_before": NOTHING, "orders": 0, "orders_before": 0}
UNKNOWN: dict[str, Any] = {"revenue_before": None, "orders_before": None}


def _sales(window: Window, before: Window, part: Any) -> dict[Any, dict[str, Any]]:
    """Of both windows, by hour or by day."""
    now, then = window.within("created_at"), before.within("created_at")
    placed = counted.orders().filter(now | then).order_by()
    by_part: QuerySet[Any, Any] = placed.values(part=part)
    sales = by_part.annotate(
        revenue=Sum("total", filter=now, default=NOTHING),
        revenue_before=Sum("total", filter=then, default=NOTHING),
        orders=Count("pk", filter=now),
        orders_before=Count("pk", filter=then),
    )
    return {row.pop("part"): row for row in sales}
