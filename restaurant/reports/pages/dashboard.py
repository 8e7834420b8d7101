"""The page of the dashboard."""

from datetime import date
from decimal import Decimal
from typing import Any

from django.urls import reverse
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from restaurant.models.menu import OTHER
from restaurant.reports.dashboard import (
    TOP_ITEMS,
    Channel,
    Comparison,
    Dashboard,
    OfCategory,
    Part,
    TableToday,
    TopItem,
)
from restaurant.reports.pages import EVERY_ORDER
from restaurant.reports.today import Today
from web.choices import label_before, legend_before, phrase_before, query_of
from web.reporting import (
    BARS,
    PageData,
    Table,
    Tile,
    clauses,
    clock,
    compared,
    grouped,
    money_text,
    share,
    table_of,
    tile,
    top,
    unfinished,
    with_figures,
    zone_words,
)
from web.templatetags.plots import long_name
from web.windows import Period

NOTHING, HALF = Decimal("0.00"), Decimal("0.5")


def page(report: Dashboard, comparison: Comparison) -> PageData:
    period, both = report.period, Today(today=report.today, before=comparison.before)
    hours, items, tables = (
        by_time(comparison.parts, period),
        _top_items(report.top_items, period),
        _tables(report.tables),
    )
    categories, channels = _categories(report.categories), _channels(comparison.channels)
    has_before = any(part.orders_before for part in comparison.parts)
    return {
        "heading": _("Sales today") if period.is_today else _("Sales"),
        "sentence": _sentence(report, comparison),
        "tiles": tiles(both, label_before(period)),
        "is_first": both.is_first,
        "tables": [hours, items, tables, categories, channels],
        "hours": hours,
        "items": items,
        "items_title": _("Top items by quantity"),
        "places": tables,
        "categories": categories,
        "channels": channels,
        "busiest_places": _busiest(report.tables),
        "menu_report": f"{reverse('report_menu')}?{query_of(period)}",
        "has_many_places": len(report.tables) > BARS,
        "has_sales": has_before or any(part.orders for part in comparison.parts),
        "nothing": _("No orders today or a week ago.")
        if period.is_beside_last_week
        else _("No orders in this period."),
        "notes": [
            _("Days start at midnight %(zone)s.") % {"zone": zone_words()},
            _("Table sessions count on the day they start."),
            EVERY_ORDER,
            *(how_compared(period) if has_before else []),
        ],
    }


def how_compared(period: Period) -> list[str]:
    if period.is_beside_last_week:
        return [_("Today is compared with a week ago up to the same minute; the hourly chart shows all of that day.")]
    if period.is_running:
        return [_("A period that is not over is compared up to the same minute of its last day.")]
    return []


def _sentence(report: Dashboard, comparison: Comparison) -> str:
    period, today = report.period, report.today
    if not today.orders:
        return _("No orders yet today.") if period.is_today else _("No orders in this period.")
    change = compared(today.revenue, comparison.before.revenue, phrase_before(period))
    orders = ngettext("%(count)s order", "%(count)s orders", today.orders) % {"count": grouped(today.orders)}
    sales = _("%(revenue)s from %(orders)s") % {"revenue": money_text(today.revenue), "orders": orders}
    first = _("Sales are %(amount)s, %(change)s") % {"amount": money_text(today.revenue), "change": change}
    return clauses(first if change else sales, _what_made_it(comparison, period) or _best(comparison))


def _best(comparison: Comparison) -> str:
    parts = [part for part in comparison.parts if part.revenue]
    if len(parts) < 2:
        return ""
    best = max(parts, key=lambda part: part.revenue)
    amount = money_text(best.revenue)
    if isinstance(best.at, date):
        return _("%(day)s was the best day, with %(amount)s") % {"day": long_name(best.at), "amount": amount}
    return _("%(time)s was the best hour, with %(amount)s") % {"time": clock(best.at), "amount": amount}


def _what_made_it(comparison: Comparison, period: Period) -> str:
    """The weekday that more than half of the difference comes from. Weekdays are compared with the same ones."""
    window = period.window
    if not window.is_calendar or window.is_month or window.days % 7:
        return ""
    gained: dict[int, Decimal] = {}
    for part in comparison.parts:
        if isinstance(part.at, date) and part.revenue_before is not None:
            weekday = part.at.weekday()
            gained[weekday] = gained.get(weekday, NOTHING) + part.revenue - part.revenue_before
    change = sum(gained.values(), NOTHING)
    most = max(gained, key=lambda weekday: gained[weekday] * (1 if change > 0 else -1), default=0)
    if not change or gained[most] / change <= HALF:
        return ""
    # Translators: of what sales went up or down by.
    return _("%(weekday)s made most of the difference") % {"weekday": WEEKDAYS[most]}


def tiles(figures: Today, period: str) -> list[Tile]:
    today, before = figures.today, figures.before
    found = [
        tile(_("Revenue"), today.revenue, "money", before=before.revenue, period=period),
        tile(_("Orders"), today.orders, before=before.orders, period=period),
        tile(_("Table sessions"), today.sessions, before=before.sessions, period=period),
        tile(_("Average order"), today.average_order, "money", before=before.average_order, period=period),
    ]
    return [each | {"is_first": figures.is_first} for each in found]


def by_time(parts: list[Part], period: Period) -> Table:
    is_today, by_hour = period.is_beside_last_week, period.window.is_one_day
    columns = [
        (_("Hour"), "text") if by_hour else (_("Day"), "date"),
        (_("Revenue today") if is_today else _("Revenue"), "money"),
        (_("Revenue a week ago") if is_today else _("Revenue before"), "money"),
        (_("Orders today") if is_today else _("Orders"), "number"),
        (_("Orders a week ago") if is_today else _("Orders before"), "number"),
    ]
    rows: list[list[Any]] = [
        [each.at if isinstance(each.at, date) else clock(each.at), each.revenue, each.revenue_before, each.orders,
         each.orders_before]
        for each in parts
    ]  # fmt: skip
    plotted = with_figures(rows, 3, 4) if by_hour else None
    title, by_week = (_("Sales by hour"), "") if by_hour else (_("Sales by day"), _("Sales by week"))
    named = {"legend": legend_before(period), "by_week": by_week}
    return table_of(title, columns, rows, plotted=plotted, **named, **unfinished(period))


def _top_items(items: list[TopItem], period: Period) -> Table:
    columns = [(_("Item"), "text"), (_("Sold"), "number"), (_("Revenue"), "money")]
    rows = [[item.name, item.quantity, item.revenue] for item in items]
    title, empty = _("Top items"), _("No orders in this period.")
    if period.is_today:
        title, empty = _("Top items today"), _("No orders yet today.")
    return table_of(title, columns, rows, note=top(TOP_ITEMS), empty=empty)


def _categories(categories: list[OfCategory]) -> Table:
    columns = [(_("Category"), "text"), (_("Sold"), "number"), (_("Revenue"), "money"), (_("Share"), "percent")]
    whole = sum((each.revenue for each in categories), NOTHING)
    rows = [
        [_("Other") if each.name == OTHER else each.name, each.quantity, each.revenue, share(each.revenue, whole)]
        for each in categories
    ]
    return table_of(_("Revenue by category"), columns, rows, empty=_("No orders in this period."))


def _channels(channels: list[Channel]) -> Table:
    columns = [(_("Ordered"), "text"), (_("Orders"), "number"), (_("Revenue"), "money"), (_("Share"), "percent")]
    whole = sum((each.revenue for each in channels), NOTHING)
    names = {False: _("On their phones"), True: _("With staff")}
    rows = [[names[each.is_staff], each.orders, each.revenue, share(each.revenue, whole)] for each in channels]
    return table_of(_("How guests ordered"), columns, rows, empty=_("No orders in this period."))


def _tables(tables: list[TableToday]) -> Table:
    columns = [(_("Table"), "text"), (_("Section"), "text"), (_("Sessions"), "number"), (_("Revenue"), "money")]
    rows = [[each.table_number, each.section, each.sessions, each.revenue] for each in tables]
    empty = _("No tables yet. Add them in the admin.")
    return table_of(_("Revenue by table"), columns, rows, links=_links(tables), empty=empty)


def _links(tables: list[TableToday]) -> list[str]:
    return [reverse("report_table", args=[each.table_number]) for each in tables]


def _busiest(tables: list[TableToday]) -> Table:
    """What the chart shows of the tables: those that have revenue; all of them are in the table below it."""
    found = [each for each in tables if each.revenue][:BARS]
    rows = [[_("Table %(number)s") % {"number": each.table_number}, each.revenue] for each in found]
    columns = [(_("Table"), "text"), (_("Revenue"), "money")]
    return table_of(_("Revenue by table"), columns, rows, links=_links(found))
