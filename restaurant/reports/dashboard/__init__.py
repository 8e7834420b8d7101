"""The restaurant today, or in another period. See "Sales reports" in docs/behaviour/restaurant.md."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, Count, ExpressionWrapper, Q, QuerySet, Sum

from restaurant.billing.sums import Tax
from restaurant.errors import SectionUnknown
from restaurant.menu.models import OTHER, MenuItem
from restaurant.ordering.models import TableSession
from restaurant.ordering.queries import counted
from restaurant.reports.by_time import Interval, sales_by_time
from restaurant.reports.order_filter import ALL_ORDERS, PHONE, STAFF, OrderFilter
from restaurant.reports.queries import sold
from restaurant.reports.queries.sales import NOTHING, Sales, sales, taken_off
from restaurant.tables.models import Table
from web.money import unit
from web.windows import Period, Window

TOP_ITEMS = 10
MOST_TAXED = 31  # days: of a year it would take longer than the rest of the report


@dataclass(frozen=True, slots=True)
class TopItem:
    pk: UUID
    name: str
    quantity: int
    revenue: Decimal


@dataclass(frozen=True, slots=True)
class TableSales:
    table_number: int
    section: str
    sessions: int
    orders: int
    revenue: Decimal


@dataclass(frozen=True, slots=True)
class Share:
    """The revenue of a category, a section or a channel. `count`: its portions, or its orders."""

    name: str
    count: int
    revenue: Decimal


@dataclass(frozen=True, slots=True)
class Dashboard:
    """`categories`: of what was sold; only page and CSV show them. `sections`: all that tables are in."""

    period: Period
    order_filter: OrderFilter
    sections: list[str]
    sales: Sales
    top_items: list[TopItem]
    tables: list[TableSales]
    categories: list[Share]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`before`: until the same time of day. `intervals`: hours or days, see `sales_by_time`.

    `net`: of VAT; None of more than MOST_TAXED days, or if nothing was sold at a rate.
    """

    before: Sales
    intervals: list[Interval]
    channels: list[Share]
    net: Decimal | None
    taken_off: Decimal  # of all orders alone


def read(*, period: Period, order_filter: OrderFilter = ALL_ORDERS) -> Dashboard:
    """Raises SectionUnknown."""
    rows = list(Table.objects.values_list("pk", "table_number", "section"))
    sections = {section for _pk, _number, section in rows}
    if order_filter.section and order_filter.section not in sections:
        raise SectionUnknown
    tables = _tables(period.window, order_filter, [row for row in rows if order_filter.section in ("", row[2])])
    items = _items(period.window, order_filter)
    top_items = sorted((item for _category, item in items), key=lambda item: (-item.quantity, -item.revenue))
    return Dashboard(
        period=period,
        order_filter=order_filter,
        sections=sorted(sections - {""}),
        sales=Sales(
            sessions=sum(table.sessions for table in tables),
            orders=sum(table.orders for table in tables),
            revenue=sum((table.revenue for table in tables), NOTHING),
        ),
        top_items=top_items[:TOP_ITEMS],
        tables=tables,
        categories=shares((category, item.quantity, item.revenue) for category, item in items),
    )


def _tables(window: Window, order_filter: OrderFilter, rows: list[tuple[Any, int, str]]) -> list[TableSales]:
    """Return each of these tables, the highest revenue first."""
    begun = TableSession.objects.filter(window.within("started_at") & order_filter.of_sessions())
    sessions = _by_table(begun, sessions=Count("*"))
    placed = counted.orders().filter(window.within("created_at") & order_filter.of_orders())
    orders = _by_table(placed, orders=Count("*"), revenue=Sum("total"))
    none: dict[str, Any] = {"sessions": 0, "orders": 0, "revenue": NOTHING}
    tables = [
        TableSales(number, section, **(none | sessions.get(pk, {}) | orders.get(pk, {})))
        for pk, number, section in rows
    ]
    return sorted(tables, key=lambda table: (-table.revenue, table.table_number))


def _by_table(rows: Any, **aggregates: Any) -> dict[Any, dict[str, Any]]:
    return {row.pop("table_id"): row for row in rows.order_by().values("table_id").annotate(**aggregates)}


def _items(window: Window, order_filter: OrderFilter) -> list[tuple[str, TopItem]]:
    """Return items that were sold, by name, each with its category. The sums of days are of all orders."""
    lines = window.within("order__created_at") & order_filter.of_orders("order__")
    sales_of_items = sold.of_lines(lines) if order_filter else sold.by_item(window)
    items = MenuItem.objects.order_by("name", "pk").values_list("pk", "category", "name")
    return [
        (category or OTHER, TopItem(pk, name, sales_of_items[pk].portions, sales_of_items[pk].revenue))
        for pk, category, name in items
        if pk in sales_of_items
    ]


def shares(figures: Iterable[tuple[str, int, Decimal]]) -> list[Share]:
    """Add up figures of the same name; the highest revenue comes first."""
    sums: dict[str, Share] = {}
    for name, count, revenue in figures:
        before = sums.get(name, Share(name, 0, NOTHING))
        sums[name] = Share(name, before.count + count, before.revenue + revenue)
    return sorted(sums.values(), key=lambda share: (-share.revenue, share.name))


def compare(report: Dashboard) -> Comparison:
    """Return what only page and CSV show."""
    period, order_filter = report.period, report.order_filter
    return Comparison(
        before=sales(period.before, order_filter),
        intervals=sales_by_time(period, order_filter.of_orders()),
        channels=_channels(period.window, order_filter),
        net=_net(report),
        taken_off=NOTHING if order_filter else taken_off(period.window),
    )


def _net(report: Dashboard) -> Decimal | None:
    if report.period.window.days > MOST_TAXED:
        return None
    within = report.period.window.within("order__created_at") & report.order_filter.of_orders("order__")
    rates: QuerySet[Any, Any] = counted.lines().filter(within).order_by().values_list("vat_rate")
    taxes = [Tax.of(rate, gross, unit()) for rate, gross in rates.annotate(gross=counted.REVENUE) if rate is not None]
    return report.sales.revenue - sum((tax.tax for tax in taxes), NOTHING) if taxes else None


def _channels(window: Window, order_filter: OrderFilter) -> list[Share]:
    """Return the shares of STAFF and PHONE."""
    placed = counted.orders().filter(window.within("created_at") & order_filter.of_orders()).order_by()
    by_staff: QuerySet[Any, Any] = placed.values_list(ExpressionWrapper(~Q(placed_by=""), BooleanField()))
    sums = by_staff.annotate(Count("pk"), Sum("total"))
    return shares((STAFF if is_staff else PHONE, *figures) for is_staff, *figures in sums)
