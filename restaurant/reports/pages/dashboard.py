"""The page of the dashboard."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from restaurant.reports.dashboard import TOP_ITEMS, Comparison, Dashboard, Hour, TableToday, TopItem
from restaurant.reports.pages import EVERY_ORDER
from restaurant.reports.today import Today
from web.reporting import BARS, PageData, Table, Tile, clock, table_of, tile, top, zone_name


def page(report: Dashboard, comparison: Comparison) -> PageData:
    hours, items, tables = _hours(comparison.hours), _top_items(report.top_items), _tables(report.tables)
    return {
        "heading": _("Restaurant today"),
        "until": report.until,
        "tiles": tiles(Today(today=report.today, before=comparison.before)),
        "tables": [hours, items, tables],
        "hours": hours,
        "items": items,
        "places": tables,
        "busiest_places": _busiest(report.tables),
        "has_many_places": len(report.tables) > BARS,
        "has_sales": any(hour.orders or hour.orders_before for hour in comparison.hours),
        "notes": [
            _("Days start at midnight %(zone)s.") % {"zone": zone_name()},
            _("Table sessions count on the day they start."),
            EVERY_ORDER,
            _("Today is compared with yesterday up to the same time; the hourly chart shows all of yesterday."),
        ],
    }


def tiles(figures: Today) -> list[Tile]:
    today, before = figures.today, figures.before
    period = _("Yesterday by this time")
    return [
        tile(_("Revenue"), today.revenue, "money", before=before.revenue, period=period),
        tile(_("Orders"), today.orders, before=before.orders, period=period),
        tile(_("Table sessions"), today.sessions, before=before.sessions, period=period),
        tile(_("Average order"), today.average_order, "money", before=before.average_order, period=period),
    ]


def _hours(hours: list[Hour]) -> Table:
    columns = [
        (_("Hour"), "text"), (_("Revenue today"), "money"), (_("Revenue yesterday"), "money"),
        (_("Orders today"), "number"), (_("Orders yesterday"), "number"),
    ]  # fmt: skip
    rows = [[clock(hour.hour), hour.revenue, hour.revenue_before, hour.orders, hour.orders_before] for hour in hours]
    return table_of(_("Sales by hour"), columns, rows)


def _top_items(items: list[TopItem]) -> Table:
    columns = [(_("Item"), "text"), (_("Sold"), "number"), (_("Revenue"), "money")]
    rows = [[item.name, item.quantity, item.revenue] for item in items]
    return table_of(_("Top items today"), columns, rows, note=top(TOP_ITEMS), empty=_("No orders yet today."))


def _tables(tables: list[TableToday]) -> Table:
    columns = [(_("Table"), "text"), (_("Section"), "text"), (_("Sessions"), "number"), (_("Revenue"), "money")]
    rows = [[each.table_number, each.section, each.sessions, each.revenue] for each in tables]
    links = [reverse("report_table", args=[each.table_number]) for each in tables]
    return table_of(_("Revenue by table"), columns, rows, links=links, empty=_("No tables yet. Add them in the admin."))


def _busiest(tables: list[TableToday]) -> dict[str, Any]:
    """What the chart shows of the tables."""
    earning = [each for each in tables if each.revenue]
    rows = [[_("Table %(number)s") % {"number": each.table_number}, each.revenue] for each in earning[:BARS]]
    chart = table_of(_("Revenue by table"), [(_("Table"), "text"), (_("Revenue"), "money")], rows)
    return {**chart, "note": _("Chart shows the top %(count)s.") % {"count": BARS} if len(earning) > BARS else ""}
