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
from restaurant.reports import EVERY_ORDER
from restaurant.reports.dashboard import (
    TOP_ITEMS,
    Comparison,
    Dashboard,
    Part,
    Share,
    TableToday,
    TopItem,
    shares,
)
from restaurant.reports.only import PHONE, STAFF, Only
from restaurant.reports.today import Today
from web.choices import Choice, label_before, legend_before, phrase_before, query_of, with_parameter
from web.reporting import (
    BARS,
    Column,
    PageData,
    Table,
    Tile,
    clauses,
    clock,
    compared,
    plot_of,
    share,
    top,
    with_count,
    with_figures,
    zone_words,
)
from web.templatetags.plots import long_name
from web.templatetags.reports import shown
from web.windows import Period

NOTHING, HALF = Decimal("0.00"), Decimal("0.5")


def page(report: Dashboard, comparison: Comparison, parameters: QueryDict, *, with_admin: bool = False) -> PageData:
    """`parameters`: those of the request; what they choose is left out where it would be all there is.

    `with_admin`: dishes lead to the admin, as in the list of all items.
    """
    period, only, both = report.period, report.only, Today(today=report.today, before=comparison.before)
    hours, items, tables = (
        by_time(comparison.parts, period),
        _top_items(report.top_items, period, with_admin=with_admin),
        _tables(report.tables, only),
    )
    by_category = _("Category"), _("Sold")
    categories = _share_table(_("Sales by category"), by_category, report.categories, {OTHER: _("Other")})
    of_orders = _shares(report, comparison, parameters)
    has_before = any(part.orders_before for part in comparison.parts)
    return {
        "heading": _("Sales today") if period.is_today else _("Sales"),
        "sentence": _sentence(report, comparison),
        "tiles": _with_net(tiles(both, label_before(period), with_sessions=not only.channel), comparison.net),
        "is_first": both.is_first,
        "tables": [hours, items, tables, categories, *of_orders],
        **_chosen(report, parameters),
        "hours": hours,
        "items": items,
        "items_title": _("Top items by quantity"),
        "places": tables,
        "categories": categories,
        "shares": of_orders,
        "busiest_places": _busiest(report.tables),
        "menu_report": f"{reverse('report_menu')}?{query_of(period)}",
        "has_many_places": len(report.tables) > BARS,
        "has_sales": has_before or any(part.orders for part in comparison.parts),
        "nothing": _("No orders today or a week ago.")
        if period.is_beside_last_week
        else _("No orders in this period."),
        "notes": [
            *([_("Only orders: %(which)s.") % {"which": ", ".join(_named(only))}] if only else []),
            _("Days start at midnight %(zone)s.") % {"zone": zone_words()},
            *([] if only.channel else [_("Table sessions count on the day they start.")]),
            EVERY_ORDER,
            _("Sales include VAT. Rewards are not taken off."),
            *(how_compared(period) if has_before else []),
        ],
    }


def _channel_names() -> dict[str, str]:
    return {PHONE: _("On their phones"), STAFF: _("With staff")}


def _named(only: Only) -> list[str]:
    channel = [_channel_names()[only.channel]] if only.channel else []
    return [*channel, only.section] if only.section else channel


def _chosen(report: Dashboard, parameters: QueryDict) -> dict[str, Any]:
    """What may be chosen besides the period, and `also`: what is, for the links and forms that change the period."""
    only, sections = report.only, report.sections
    names = {"": _("All orders"), **_channel_names()}
    groups = [(_("How guests ordered"), _choices("channel", names, only.channel, parameters))]
    if len(sections) > 1 or only.section:
        places = {"": _("All sections"), **{each: each for each in sections}}
        groups.append((_("Section"), _choices("section", places, only.section, parameters)))
    also = {name: value for name, value in (("channel", only.channel), ("section", only.section)) if value}
    return {
        "which": " · ".join(_named(only)),
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
    period, today = report.period, report.today
    if not today.orders:
        return _("No orders yet today.") if period.is_today else _("No orders in this period.")
    change = compared(today.revenue, comparison.before.revenue, phrase_before(period))
    orders = with_count(ngettext("%(count)s order", "%(count)s orders", today.orders), today.orders)
    sales = _("%(revenue)s from %(orders)s") % {"revenue": shown(today.revenue, "money"), "orders": orders}
    first = _("Sales are %(amount)s, %(change)s") % {"amount": shown(today.revenue, "money"), "change": change}
    return clauses(first if change else sales, _what_made_it(comparison, period) or _best(comparison))


def _best(comparison: Comparison) -> str:
    parts = [part for part in comparison.parts if part.revenue]
    if len(parts) < 2:
        return ""
    best = max(parts, key=lambda part: part.revenue)
    amount = shown(best.revenue, "money")
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


def tiles(figures: Today, period: str, *, with_sessions: bool = True) -> list[Tile]:
    today, before = figures.today, figures.before
    sessions = Tile(_("Table sessions"), today.sessions, before=before.sessions, period=period)
    found = [
        Tile(_("Sales"), today.revenue, "money", before=before.revenue, period=period),
        Tile(_("Orders"), today.orders, before=before.orders, period=period),
        *([sessions] if with_sessions else []),
        Tile(_("Average order"), today.average_order, "money", before=before.average_order, period=period),
    ]
    return [replace(each, is_first=figures.is_first) for each in found]


def _with_net(found: list[Tile], net: Decimal | None) -> list[Tile]:
    sales, *others = found
    if net is None:
        return found
    return [replace(sales, note=_("%(amount)s net of VAT") % {"amount": shown(net, "money")}), *others]


def by_time(parts: list[Part], period: Period) -> Table:
    is_today, by_hour = period.is_beside_last_week, period.window.is_one_day
    columns = [
        Column(_("Hour")) if by_hour else Column(_("Day"), "date"),
        Column(_("Sales today") if is_today else _("Sales"), "money"),
        Column(_("Sales a week ago") if is_today else _("Sales before"), "money"),
        Column(_("Orders today") if is_today else _("Orders"), "number"),
        Column(_("Orders a week ago") if is_today else _("Orders before"), "number"),
    ]
    rows: list[list[Any]] = [
        [each.at if isinstance(each.at, date) else clock(each.at), each.revenue, each.revenue_before, each.orders,
         each.orders_before]
        for each in parts
    ]  # fmt: skip
    plotted = with_figures(rows, 3, 4) if by_hour else None
    title, by_week = (_("Sales by hour"), "") if by_hour else (_("Sales by day"), _("Sales by week"))
    plot = plot_of(period, legend=legend_before(period), by_week=by_week, rows=plotted)
    return Table(title, columns, rows, plot=plot)


def _top_items(items: list[TopItem], period: Period, *, with_admin: bool) -> Table:
    columns = [Column(_("Item")), Column(_("Sold"), "number"), Column(_("Sales"), "money")]
    rows = [[item.name, item.quantity, item.revenue] for item in items]
    title, empty = _("Top items"), _("No orders in this period.")
    if period.is_today:
        title, empty = _("Top items today"), _("No orders yet today.")
    links = [reverse("admin:restaurant_menuitem_change", args=[item.pk]) if with_admin else "" for item in items]
    return Table(title, columns, rows, links=links, note=top(TOP_ITEMS), empty=empty)


def _shares(report: Dashboard, comparison: Comparison, parameters: QueryDict) -> list[Table]:
    """By channel, and by section where there are several; not what is chosen already. A row leads to its own orders."""
    found, orders = [], _("Orders")
    if not report.only.channel:
        names = _channel_names()
        links = [f"?{with_parameter(parameters, 'channel', each.name)}" for each in comparison.channels]
        found.append(_share_table(_("How guests ordered"), (_("Ordered"), orders), comparison.channels, names, links))
    if len(report.sections) > 1 and not report.only.section:
        sections = shares((each.section, each.orders, each.revenue) for each in report.tables)
        links = [f"?{with_parameter(parameters, 'section', each.name)}" if each.name else "" for each in sections]
        names = {"": _("No section")}
        found.append(_share_table(_("Sales by section"), (_("Section"), orders), sections, names, links))
    return found


def _share_table(
    title: str, labels: tuple[str, str], parts: list[Share], names: Mapping[str, str], links: Sequence[str] = ()
) -> Table:
    """`labels`: of the first two columns. `names`: of those that are called otherwise on the page."""
    columns = [
        Column(labels[0]),
        Column(labels[1], "number"),
        Column(_("Sales"), "money"),
        Column(_("Share"), "percent"),
    ]
    whole = sum((each.revenue for each in parts), NOTHING)
    rows = [[names.get(each.name, each.name), each.count, each.revenue, share(each.revenue, whole)] for each in parts]
    return Table(title, columns, rows, links=links, empty=_("No orders in this period."))


def _tables(tables: list[TableToday], only: Only) -> Table:
    """Table sessions, or where those have no part in it, orders."""
    third = _("Orders") if only.channel else _("Sessions")
    columns = [Column(_("Table")), Column(_("Section")), Column(third, "number"), Column(_("Sales"), "money")]
    rows = [
        [each.table_number, each.section, each.orders if only.channel else each.sessions, each.revenue]
        for each in tables
    ]
    empty = _("No tables yet. Add them in the admin.")
    return Table(_("Sales by table"), columns, rows, links=_links(tables), empty=empty)


def _links(tables: list[TableToday]) -> list[str]:
    return [reverse("report_table", args=[each.table_number]) for each in tables]


def _busiest(tables: list[TableToday]) -> Table:
    """What the chart shows of the tables: those that have revenue; all of them are in the table below it."""
    found = [each for each in tables if each.revenue][:BARS]
    rows = [[_("Table %(number)s") % {"number": each.table_number}, each.revenue] for each in found]
    columns = [Column(_("Table")), Column(_("Sales"), "money")]
    return Table(_("Sales by table"), columns, rows, links=_links(found))
