"""The restaurant today. See "Restaurant dashboard" in docs/behaviour.md."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import ExtractHour

from restaurant.models import Table, TableSession
from restaurant.reports import counted
from restaurant.reports.today import Figures, figures
from web.reporting import days

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
    until: datetime
    today: Figures
    top_items: list[TopItem]
    tables: list[TableToday]


@dataclass(frozen=True, slots=True)
class Hour:
    hour: int
    revenue: Decimal
    revenue_before: Decimal
    orders: int
    orders_before: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """`before`: yesterday until the same time of day. `hours`: all 24, of today and of all of yesterday."""

    before: Figures
    hours: list[Hour]


def read(*, now: datetime, zone: ZoneInfo) -> Dashboard:
    """Today begins at midnight in `zone`."""
    since = days(now, zone).began
    tables = _tables(since, now)
    today = Figures(
        sessions=sum(each.sessions for each in tables),
        orders=sum(each.orders for each in tables),
        revenue=sum((each.revenue for each in tables), NOTHING),
    )
    return Dashboard(until=now, today=today, top_items=_top_items(since, now), tables=tables)


def _tables(since: datetime, until: datetime) -> list[TableToday]:
    """Every table, the highest revenue first."""
    sessions = _by_table(TableSession.objects.filter(started_at__range=(since, until)), sessions=Count("*"))
    placed = counted.orders().filter(created_at__range=(since, until))
    orders = _by_table(placed, orders=Count("*"), revenue=Sum("total"))
    none: dict[str, Any] = {"sessions": 0, "orders": 0, "revenue": NOTHING}
    tables = [
        TableToday(number, section, **(none | sessions.get(pk, {}) | orders.get(pk, {})))
        for pk, number, section in Table.objects.values_list("pk", "table_number", "section")
    ]
    return sorted(tables, key=lambda each: (-each.revenue, each.table_number))


def _by_table(rows: Any, **aggregates: Any) -> dict[Any, dict[str, Any]]:
    return {row.pop("table_id"): row for row in rows.order_by().values("table_id").annotate(**aggregates)}


def _top_items(since: datetime, until: datetime) -> list[TopItem]:
    ordered: QuerySet[Any, Any] = counted.lines().filter(order__created_at__range=(since, until)).order_by()
    items = ordered.values("menu_item_id").annotate(
        name=F("menu_item__name"), sold=counted.PORTIONS, revenue=counted.REVENUE
    )
    first = items.order_by("-sold", "-revenue", "name", "menu_item_id").values_list("name", "sold", "revenue")
    return [TopItem(*row) for row in first[:TOP_ITEMS]]


def compare(*, now: datetime, zone: ZoneInfo) -> Comparison:
    """What only page and CSV show."""
    bounds = days(now, zone)
    return Comparison(
        before=figures(bounds.yesterday, bounds.until), hours=_hours(bounds.yesterday, bounds.began, now, zone)
    )


def _hours(since: datetime, midnight: datetime, until: datetime, zone: ZoneInfo) -> list[Hour]:
    is_today = Q(created_at__gte=midnight)
    placed = counted.orders().filter(created_at__range=(since, until)).order_by()
    hours = placed.values(hour=ExtractHour("created_at", tzinfo=zone)).annotate(
        revenue=Sum("total", filter=is_today, default=NOTHING),
        revenue_before=Sum("total", filter=~is_today, default=NOTHING),
        orders=Count("pk", filter=is_today),
        orders_before=Count("pk", filter=~is_today),
    )
    found = {row["hour"]: Hour(**row) for row in hours}
    return [found.get(hour) or Hour(hour, NOTHING, NOTHING, 0, 0) for hour in range(24)]
