"""The page of the peak hours."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from django.utils.dates import WEEKDAYS_ABBR
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from restaurant.reports.peak_hours import DAYS, PEAK_TIMES, SLOWEST_TIMES, Details, Hour
from restaurant.views.report_pages import (
    Page,
    Table,
    clock,
    days_before,
    every_order,
    table_of,
    tile,
    window,
    zone_name,
)


def page(data: dict[str, Any], details: Details, days: int, now: datetime) -> Page:
    orders = _week(_("Orders by day and hour"), {(each.weekday, each.hour): each.orders for each in details.hours})
    scans = _week(_("Scans by day and hour"), {(each.weekday, each.hour): each.scans for each in details.hours})
    if details.scans_before is None:
        scans |= {"rows": [], "empty": _("The scans are not known at the moment.")}
    peak = _times(_("Busiest times"), data["peakTimes"])
    slowest = _times(_("Slowest times"), data["slowestTimes"])
    peak["note"] = _("At most %(count)s are shown.") % {"count": PEAK_TIMES}
    slowest["note"] = _("Of the hours with any order or scan, the slowest first. At most %(count)s are shown.") % {
        "count": SLOWEST_TIMES
    }
    return window(days, now) | {
        "heading": _("Peak hours"),
        "tiles": _tiles_of_week(details, days),
        "tables": [orders, scans, peak, slowest],
        "orders": orders,
        "scans": scans,
        "peak": peak,
        "slowest": slowest,
        "notes": [
            every_order(),
            _("Scans are those of the codes of all tables. Who scans twice is counted twice."),
            _("Weekdays and hours are those of the clock in %(zone)s; where it is set back, an hour counts for two.")
            % {"zone": zone_name()},
        ],
    }


def _tiles_of_week(details: Details, days: int) -> list[dict[str, Any]]:
    hours, period = details.hours, days_before(days)
    orders = sum(hour.orders for hour in hours)
    revenue = sum((hour.revenue for hour in hours), Decimal("0.00"))
    scans = None if details.scans_before is None else sum(hour.scans or 0 for hour in hours)
    return [
        _busiest(hours),
        tile(_("Orders"), orders, before=details.orders_before, period=period),
        tile(_("Revenue"), revenue, "money", before=details.revenue_before, period=period),
        tile(_("Scans"), scans, before=details.scans_before, period=period),
    ]


def _busiest(hours: list[Hour]) -> dict[str, Any]:
    if not hours or not hours[0].orders:
        return tile(_("Busiest time"), None, "text", note=_("No orders in this time."))
    top = hours[0]
    note = ngettext("%(count)s order", "%(count)s orders", top.orders) % {"count": top.orders}
    return tile(_("Busiest time"), f"{_weekday(top.weekday)} {clock(top.hour)}", "text", note=note)


def _weekday(weekday: int) -> str:
    """In short, which a phone has room for. `weekday`: 0 is Sunday; Django counts from Monday."""
    return str(WEEKDAYS_ABBR[(weekday - 1) % 7])


def _week(title: str, figures: dict[tuple[int, int], int | None]) -> Table:
    """Every hour of the week, the days in the order in which a calendar of the language has them."""
    weekdays = [(int(get_format("FIRST_DAY_OF_WEEK")) + place) % 7 for place in range(7)]
    columns = [(_("Hour"), "text"), *((_weekday(each), "number") for each in weekdays)]
    rows = [[clock(hour), *(figures.get((each, hour), 0) for each in weekdays)] for hour in range(24)]
    return table_of(title, columns, rows)


def _times(title: str, times: list[dict[str, Any]]) -> Table:
    columns = [
        (_("Day"), "text"),
        (_("Hour"), "text"),
        (_("Orders"), "number"),
        (_("Revenue"), "money"),
        (_("Scans"), "number"),
    ]
    rows = []
    for each in times:
        day = _weekday(DAYS.index(each["day"]))
        rows.append([day, clock(each["hour"]), each["orders"], each["revenue"], each["scans"]])
    return table_of(title, columns, rows, empty=_("There was neither an order nor a scan in this time."))
