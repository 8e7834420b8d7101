"""The page of the dashboard."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from restaurant.menu.models import OTHER
from restaurant.reports import ORDERS_NOTE
from restaurant.reports.by_time import Interval, has_orders, table_by_time
from restaurant.reports.dashboard import TOP_ITEMS, Comparison, Dashboard, Share, TableSales, TopItem, shares
from restaurant.reports.order_filter import PHONE, STAFF, OrderFilter
from restaurant.reports.queries.sales import NOTHING, Sales, are_first
from web.choices import Choice, label_before, phrase_before, query_of, with_parameter
from web.reporting import (
    BARS,
    Column,
    PageData,
    Table,
    Tile,
    clauses,
    clock,
    compared,
    share,
    top,
    with_count,
    zone_words,
)
from web.templatetags.plots import long_name
from web.templatetags.reports import shown
from web.windows import Compared, Period

HALF = Decimal("0.5")


def page(report: Dashboard, comparison: Comparison, parameters: QueryDict, *, with_admin: bool = False) -> PageData:
    """`parameters`: those of the request; what they choose is left out where it would be all there is.

    `with_admin`: dishes lead to the admin, as in the list of all items.
    """
    period, order_filter, intervals = report.period, report.order_filter, comparison.intervals
    sales = Compared(report.sales, comparison.before)
    hours, tables = table_by_time(intervals, period), _tables(report.tables, order_filter)
    items = _top_items(report.top_items, period, with_admin=with_admin)
    categories = _share_table(
        _("Sales by category"), (_("Category"), _("Sold")), report.categories, {OTHER: _("Other")}
    )
    share_tables = _shares(report, comparison, parameters)
    tiles = sales_tiles(sales, label_before(period), with_sessions=not order_filter.channel)
    return {
        "heading": _("Sales today") if period.is_today else _("Sales"),
        "sentence": _sentence(report, comparison),
        "tiles": _with_net(tiles, comparison.net),
        "is_first": are_first(sales),
        "tables": [hours, items, tables, categories, *share_tables],
        **_chosen(report, parameters),
        "hours": hours,
        "items": items,
        "items_title": _("Top items by quantity"),
        "places": tables,
        "categories": categories,
        "shares": share_tables,
        "busiest_places": _busiest(report.tables),
        "menu_report": f"{reverse('report_menu')}?{query_of(period)}",
        "has_many_places": len(report.tables) > BARS,
        "has_sales": has_orders(intervals),
        "nothing": _("No orders today or a week ago.")
        if period.is_beside_last_week
        else _("No orders in this period."),
        "notes": [*_taken_off(comparison), *_notes(order_filter, intervals, period)],
    }


def _notes(order_filter: OrderFilter, intervals: list[Interval], period: Period) -> list[str]:
    is_compared = any(interval.before and interval.before.orders for interval in intervals)
    return [
        *([_("Only orders: %(which)s.") % {"which": ", ".join(_labels(order_filter))}] if order_filter else []),
        _("Days start at midnight %(zone)s.") % {"zone": zone_words()},
        *([] if order_filter.channel else [_("Table sessions count on the day they start.")]),
        str(ORDERS_NOTE),
        _("Sales include VAT. Rewards are not taken off."),
        *(how_compared(period) if is_compared else []),
    ]


def _taken_off(comparison: Comparison) -> list[str]:
    if not comparison.taken_off:
        return []
    sentence = _("Sales are before discounts, what was on the house, and service: together %(amount)s.")
    return [sentence % {"amount": shown(comparison.taken_off, "money")}]


def _channel_labels() -> dict[str, str]:
    return {PHONE: _("On their phones"), STAFF: _("With staff")}


def _labels(order_filter: OrderFilter) -> list[str]:
    return [label for label in (_channel_labels().get(order_filter.channel), order_filter.section) if label]


def _chosen(report: Dashboard, parameters: QueryDict) -> dict[str, Any]:
    """Return the choices besides the period; `also` is what is chosen, for links and forms that change the period."""
    channel, section = report.order_filter.channel, report.order_filter.section
    labels = {"": _("All orders"), **_channel_labels()}
    groups = [(_("How guests ordered"), _choices("channel", labels, channel, parameters))]
    if len(report.sections) > 1 or section:
        labels = {"": _("All sections"), **{name: name for name in report.sections}}
        groups.append((_("Section"), _choices("section", labels, section, parameters)))
    also = {name: value for name, value in (("channel", channel), ("section", section)) if value}
    return {
        "which": " · ".join(_labels(report.order_filter)),
        "which_groups": groups,
        "also": urlencode(also),
        "also_values": also,
    }


def _choices(name: str, labels: dict[str, str], chosen: str, parameters: QueryDict) -> list[Choice]:
    return [Choice(label, with_parameter(parameters, name, value), value == chosen) for value, label in labels.items()]


def how_compared(period: Period) -> list[str]:
    if period.is_beside_last_week:
        return [_("Today is compared with a week ago up to the same minute; the hourly chart shows all of that day.")]
    if period.is_running:
        return [_("A period that is not over is compared up to the same minute of its last day.")]
    return []


def _sentence(report: Dashboard, comparison: Comparison) -> str:
    period, sales = report.period, report.sales
    if not sales.orders:
        return _("No orders yet today.") if period.is_today else _("No orders in this period.")
    change = compared(sales.revenue, comparison.before.revenue, phrase_before(period))
    orders = with_count(ngettext("%(count)s order", "%(count)s orders", sales.orders), sales.orders)
    revenue = shown(sales.revenue, "money")
    first = _("%(revenue)s from %(orders)s") % {"revenue": revenue, "orders": orders}
    if change:
        first = _("Sales are %(amount)s, %(change)s") % {"amount": revenue, "change": change}
    return clauses(first, _what_made_it(comparison, period) or _best(comparison))


def _best(comparison: Comparison) -> str:
    selling = [interval for interval in comparison.intervals if interval.now.revenue]
    if len(selling) < 2:
        return ""
    best = max(selling, key=lambda interval: interval.now.revenue)
    amount = shown(best.now.revenue, "money")
    if isinstance(best.at, date):
        return _("%(day)s was the best day, with %(amount)s") % {"day": long_name(best.at), "amount": amount}
    return _("%(time)s was the best hour, with %(amount)s") % {"time": clock(best.at), "amount": amount}


def _what_made_it(comparison: Comparison, period: Period) -> str:
    """Name the weekday that more than half of the difference comes from. Weekdays are compared with the same ones."""
    window = period.window
    if not window.is_calendar or window.is_month or window.days % 7:
        return ""
    gained: dict[int, Decimal] = {}
    for interval in comparison.intervals:
        if isinstance(interval.at, date) and interval.before:
            weekday = interval.at.weekday()
            gained[weekday] = gained.get(weekday, NOTHING) + interval.now.revenue - interval.before.revenue
    change = sum(gained.values(), NOTHING)
    most = max(gained, key=lambda weekday: gained[weekday] * (1 if change > 0 else -1), default=0)
    if not change or gained[most] / change <= HALF:
        return ""
    # Translators: of what sales went up or down by.
    return _("%(weekday)s made most of the difference") % {"weekday": WEEKDAYS[most]}


def sales_tiles(sales: Compared[Sales], period: str, *, with_sessions: bool = True) -> list[Tile]:
    """`period`: the name of the one before."""
    now, before = sales
    sessions = Tile(_("Table sessions"), now.sessions, before=before.sessions, period=period)
    tiles = [
        Tile(_("Sales"), now.revenue, "money", before=before.revenue, period=period),
        Tile(_("Orders"), now.orders, before=before.orders, period=period),
        *([sessions] if with_sessions else []),
        Tile(_("Average order"), now.average_order, "money", before=before.average_order, period=period),
    ]
    return [replace(tile, is_first=are_first(sales)) for tile in tiles]


def _with_net(tiles: list[Tile], net: Decimal | None) -> list[Tile]:
    if net is None:
        return tiles
    sales, *others = tiles
    return [replace(sales, note=_("%(amount)s net of VAT") % {"amount": shown(net, "money")}), *others]


def _top_items(items: list[TopItem], period: Period, *, with_admin: bool) -> Table:
    columns = [Column(_("Item")), Column(_("Sold"), "number"), Column(_("Sales"), "money")]
    rows = [[item.name, item.quantity, item.revenue] for item in items]
    title, empty = _("Top items"), _("No orders in this period.")
    if period.is_today:
        title, empty = _("Top items today"), _("No orders yet today.")
    links = [reverse("admin:restaurant_menuitem_change", args=[item.pk]) if with_admin else "" for item in items]
    return Table(title, columns, rows, links=links, note=top(TOP_ITEMS), empty=empty)


def _shares(report: Dashboard, comparison: Comparison, parameters: QueryDict) -> list[Table]:
    """Return shares by channel and by section, if neither is chosen. A row leads to its own orders."""
    tables, orders = [], _("Orders")
    if not report.order_filter.channel:
        links = [f"?{with_parameter(parameters, 'channel', channel.name)}" for channel in comparison.channels]
        title, labels = _("How guests ordered"), (_("Ordered"), orders)
        tables.append(_share_table(title, labels, comparison.channels, _channel_labels(), links))
    if len(report.sections) > 1 and not report.order_filter.section:
        sections = shares((table.section, table.orders, table.revenue) for table in report.tables)
        links = [
            f"?{with_parameter(parameters, 'section', section.name)}" if section.name else "" for section in sections
        ]
        title, labels = _("Sales by section"), (_("Section"), orders)
        tables.append(_share_table(title, labels, sections, {"": _("No section")}, links))
    return tables


def _share_table(
    title: str, labels: tuple[str, str], rows: list[Share], names: Mapping[str, str], links: Sequence[str] = ()
) -> Table:
    """`labels`: of the first two columns. `names`: of those that are called otherwise on the page."""
    columns = [
        Column(labels[0]),
        Column(labels[1], "number"),
        Column(_("Sales"), "money"),
        Column(_("Share"), "percent"),
    ]
    whole = sum((row.revenue for row in rows), NOTHING)
    cells = [[names.get(row.name, row.name), row.count, row.revenue, share(row.revenue, whole)] for row in rows]
    return Table(title, columns, cells, links=links, empty=_("No orders in this period."))


def _tables(tables: list[TableSales], order_filter: OrderFilter) -> Table:
    """Show table sessions, or orders where a channel is chosen, which sessions don't have."""
    third = _("Orders") if order_filter.channel else _("Sessions")
    columns = [Column(_("Table")), Column(_("Section")), Column(third, "number"), Column(_("Sales"), "money")]
    rows = [
        [
            table.table_number,
            table.section,
            table.orders if order_filter.channel else table.sessions,
            table.revenue,
        ]
        for table in tables
    ]
    empty = _("No tables yet. Add them in the admin.")
    return Table(_("Sales by table"), columns, rows, links=_links(tables), empty=empty)


def _links(tables: list[TableSales]) -> list[str]:
    return [reverse("report_table", args=[table.table_number]) for table in tables]


def _busiest(tables: list[TableSales]) -> Table:
    """Return the tables of the chart: those with the most revenue. All of them are in the table below it."""
    busiest = [table for table in tables if table.revenue][:BARS]
    rows = [[_("Table %(number)s") % {"number": table.table_number}, table.revenue] for table in busiest]
    columns = [Column(_("Table")), Column(_("Sales"), "money")]
    return Table(_("Sales by table"), columns, rows, links=_links(busiest))
