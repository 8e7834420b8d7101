"""The restaurant today, or in another period. See "Sales reports" in docs/behaviour/restaurant.md."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, Count, ExpressionWrapper, Q, QuerySet, Sum

from restaurant.billing.queries import Tax
from restaurant.errors import SectionUnknown
from restaurant.menu.models import OTHER, MenuItem
from restaurant.ordering.models import TableSession
from restaurant.ordering.queries import counted
from restaurant.reports.only import EVERY, PHONE, STAFF, Only
from restaurant.reports.queries import sold
from restaurant.reports.today import Figures, figures
from restaurant.tables.models import Table
from web.quarter_hours import by_quarter_hour
from web.windows import Period, Window, calendar

TOP_ITEMS = 10
MOST_TAXED = 31  # days: of a year it would take longer than the rest of the report
NOTHING = Decimal("0.00")
ANY_ORDER = Q()


@dataclass(frozen=True, slots=True)
class TopItem:
    pk: UUID
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
class Share:
    """What a category, a section or a channel brought. `count`: its portions, or its orders."""

    name: str
    count: int
    revenue: Decimal


@dataclass(frozen=True, slots=True)
class Dashboard:
    """`categories`: of what was sold; only page and CSV show them. `sections`: all that tables are in."""

    period: Period
    only: Only
    sections: list[str]
    today: Figures
    top_items: list[TopItem]
    tables: list[TableToday]
    categories: list[Share]


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
    """`before`: until the same time of day. `parts`: all 24 hours of one day and of the whole day before, else days.

    `net`: of VAT; None of more than MOST_TAXED days, or if nothing was sold at a rate.
    """

    before: Figures
    parts: list[Part]
    channels: list[Share]
    net: Decimal | None


def read(*, period: Period, only: Only = EVERY) -> Dashboard:
    """Raises SectionUnknown."""
    places = list(Table.objects.values_list("pk", "table_number", "section"))
    sections = {section for _pk, _number, section in places}
    if only.section and only.section not in sections:
        raise SectionUnknown
    tables = _tables(period.window, only, [each for each in places if only.section in ("", each[2])])
    today = Figures(
        sessions=sum(each.sessions for each in tables),
        orders=sum(each.orders for each in tables),
        revenue=sum((each.revenue for each in tables), NOTHING),
    )
    items = _items(period.window, only)
    top_items = sorted((item for _category, item in items), key=lambda each: (-each.quantity, -each.revenue))
    return Dashboard(
        period=period,
        only=only,
        sections=sorted(sections - {""}),
        today=today,
        top_items=top_items[:TOP_ITEMS],
        tables=tables,
        categories=shares((category, item.quantity, item.revenue) for category, item in items),
    )


def _tables(window: Window, only: Only, places: list[tuple[Any, int, str]]) -> list[TableToday]:
    """Each of these tables, the highest revenue first."""
    within = TableSession.objects.filter(window.within("started_at") & only.at_tables())
    sessions = _by_table(within, sessions=Count("*"))
    placed = counted.orders().filter(window.within("created_at") & only.orders())
    orders = _by_table(placed, orders=Count("*"), revenue=Sum("total"))
    none: dict[str, Any] = {"sessions": 0, "orders": 0, "revenue": NOTHING}
    tables = [
        TableToday(number, section, **(none | sessions.get(pk, {}) | orders.get(pk, {})))
        for pk, number, section in places
    ]
    return sorted(tables, key=lambda each: (-each.revenue, each.table_number))


def _by_table(rows: Any, **aggregates: Any) -> dict[Any, dict[str, Any]]:
    return {row.pop("table_id"): row for row in rows.order_by().values("table_id").annotate(**aggregates)}


def _items(window: Window, only: Only) -> list[tuple[str, TopItem]]:
    """Those that were sold by their names, each after its category. The sums of days are of all orders."""
    lines = window.within("order__created_at") & only.orders("order__")
    sales = sold.of_lines(lines) if only else sold.by_item(window)
    names = MenuItem.objects.order_by("name", "pk").values_list("pk", "category", "name")
    return [
        (category or OTHER, TopItem(pk, name, sales[pk].portions, sales[pk].revenue))
        for pk, category, name in names
        if pk in sales
    ]


def shares(figures: Iterable[tuple[str, int, Decimal]]) -> list[Share]:
    """What has the same name put together, the highest revenue first."""
    sums: dict[str, Share] = {}
    for name, count, revenue in figures:
        before = sums.get(name, Share(name, 0, NOTHING))
        sums[name] = Share(name, before.count + count, before.revenue + revenue)
    return sorted(sums.values(), key=lambda each: (-each.revenue, each.name))


def compare(report: Dashboard) -> Comparison:
    """What only page and CSV show."""
    period, only = report.period, report.only
    before = period.before
    return Comparison(
        before=figures(before.start, before.until, only),
        parts=by_time(period, only.orders()),
        channels=_channels(period.window, only),
        net=_net(report),
    )


def _net(report: Dashboard) -> Decimal | None:
    if report.period.window.days > MOST_TAXED:
        return None
    within = report.period.window.within("order__created_at") & report.only.orders("order__")
    rates: QuerySet[Any, Any] = counted.lines().filter(within).order_by().values_list("vat_rate")
    taxes = [Tax(*row) for row in rates.annotate(gross=counted.REVENUE) if row[0] is not None]
    return report.today.revenue - sum((each.tax for each in taxes), NOTHING) if taxes else None


def _channels(window: Window, only: Only) -> list[Share]:
    """Named STAFF or PHONE."""
    placed = counted.orders().filter(window.within("created_at") & only.orders()).order_by()
    by_staff: QuerySet[Any, Any] = placed.values_list(ExpressionWrapper(~Q(placed_by=""), BooleanField()))
    sums = by_staff.annotate(Count("pk"), Sum("total"))
    return shares((STAFF if is_staff else PHONE, *figures) for is_staff, *figures in sums)


def by_time(period: Period, which: Q = ANY_ORDER) -> list[Part]:
    """By hour of one day, else by day; of the orders that `which` finds."""
    return _hours(period, which) if period.window.is_one_day else _days(period, which)


def _hours(period: Period, which: Q) -> list[Part]:
    today, day = period.window.first, period.before.first
    whole = calendar(day, day, period.now, period.zone).window
    either = period.window.within("created_at") | whole.within("created_at")
    sales = _sales(either & which, lambda local: (local.date(), local.hour), period)
    return [
        Part(hour, *_pair(sales.get((today, hour), NO_SALES), sales.get((day, hour), NO_SALES))) for hour in range(24)
    ]


def _days(period: Period, which: Q) -> list[Part]:
    """Each day beside the one at the same place in the period before."""
    window, before = period.window, period.before
    now, then = (
        _sales(each.within("created_at") & which, lambda local: local.date(), period) for each in (window, before)
    )
    parts = []
    for place, day in enumerate(window.dates):
        old = then.get(before.dates[place], NO_SALES) if place < len(before.dates) else UNKNOWN
        parts.append(Part(day, *_pair(now.get(day, NO_SALES), old)))
    return parts


Sales = tuple[Decimal, int]
NO_SALES: Sales = (NOTHING, 0)
UNKNOWN = (None, None)


def _pair(now: Sales, before: Sales | tuple[None, None]) -> tuple[Decimal, Decimal | None, int, int | None]:
    return now[0], before[0], now[1], before[1]


def _sales(times: Q, part_of: Callable[[datetime], Any], period: Period) -> dict[Any, Sales]:
    """By what `part_of` makes of the local time of an order."""
    sales: dict[Any, Sales] = {}
    placed = counted.orders().filter(times)
    for second, revenue, orders in by_quarter_hour(placed, "created_at", revenue=Sum("total"), orders=Count("*")):
        part = part_of(datetime.fromtimestamp(second, period.zone))
        before = sales.get(part, NO_SALES)
        sales[part] = before[0] + revenue, before[1] + orders
    return sales
