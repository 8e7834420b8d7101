"""The page of the dashboard."""

from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from restaurant.reports.dashboard import TOP_ITEMS
from restaurant.views.report_pages import BARS, Page, Table, clock, every_order, table_of, tile, zone_name


def page(data: dict[str, Any], details: dict[str, Any], now: datetime) -> Page:
    hours, items, tables = _hours(details["hours"]), _top_items(data), _tables(data)
    return {
        "heading": _("The restaurant today"),
        "until": now,
        "tiles": _tiles_of_today(data["today"], details["before"]),
        "tables": [hours, items, tables],
        "hours": hours,
        "items": items,
        "places": tables,
        "busiest_places": _busiest(tables),
        "has_many_places": len(tables["rows"]) > BARS,
        "has_sales": any(any(row[1:]) for row in hours["rows"]),
        "notes": [
            _("Today is the day in %(zone)s: it began at midnight there.") % {"zone": zone_name()},
            _("Sessions are those that began today."),
            every_order(),
            _("Today's figures are compared with yesterday's until the same time of day."),
            _("Hour by hour, all of yesterday is shown."),
        ],
    }  # fmt: skip


def _tiles_of_today(today: dict[str, Any], before: dict[str, Any]) -> list[dict[str, Any]]:
    labels = [
        ("revenue", _("Revenue"), "money"),
        ("orders", _("Orders"), "number"),
        ("sessions", _("Table sessions"), "number"),
        ("avgOrderValue", _("Average order"), "money"),
    ]
    period = _("Yesterday until now")
    return [tile(label, today[name], kind, before=before[name], period=period) for name, label, kind in labels]


def _hours(hours: list[dict[str, Any]]) -> Table:
    columns = [
        (_("Hour"), "text"), (_("Revenue today"), "money"), (_("Revenue yesterday"), "money"),
        (_("Orders today"), "number"), (_("Orders yesterday"), "number"),
    ]  # fmt: skip
    names = ("revenue", "revenue_before", "orders", "orders_before")
    return table_of(
        _("Hour by hour"), columns, [[clock(hour["hour"]), *(hour[name] for name in names)] for hour in hours]
    )


def _top_items(data: dict[str, Any]) -> Table:
    columns = [(_("Item"), "text"), (_("Portions"), "number"), (_("Revenue"), "money")]
    rows = [[item["name"], item["quantity"], item["revenue"]] for item in data["topItems"]]
    note = _("At most %(count)s are shown.") % {"count": TOP_ITEMS}
    empty = _("No order has been placed today yet.")
    return table_of(_("Most ordered today"), columns, rows, note=note, empty=empty)


def _tables(data: dict[str, Any]) -> Table:
    columns = [(_("Table"), "text"), (_("Section"), "text"), (_("Sessions"), "number"), (_("Revenue"), "money")]
    places = data["tableUtilization"]
    rows = [[each["table_number"], each["section"], each["sessions_today"], each["revenue_today"]] for each in places]
    links = [reverse("report_table", args=[each["table_number"]]) for each in places]
    empty = _("There are no tables yet: they are made in the admin.")
    return table_of(_("Tables by revenue"), columns, rows, links=links, empty=empty)


def _busiest(tables: Table) -> Table:
    earning = [row for row in tables["rows"] if row[3]]
    rows = [[_("Table %(number)s") % {"number": row[0]}, *row[1:]] for row in earning[:BARS]]
    return {**tables, "rows": rows, "is_cut": len(earning) > BARS}
