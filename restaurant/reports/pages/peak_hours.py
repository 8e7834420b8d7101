"""The page of the peak hours."""

from decimal import Decimal

from django.utils.dates import WEEKDAYS_ABBR
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from restaurant.reports.pages import EVERY_ORDER, NO_SCANS
from restaurant.reports.peak_hours import PEAK_TIMES, SLOWEST_TIMES, Hour, PeakHours, Totals
from web.reporting import PageData, Table, Tile, clock, days_before, table_of, tile, top, window, zone_name


def page(report: PeakHours, before: Totals) -> PageData:
    orders = _week(_("Orders by day and hour"), {(each.weekday, each.hour): each.orders for each in report.hours})
    scans = _week(_("Scans by day and hour"), {(each.weekday, each.hour): each.scans for each in report.hours})
    if report.scans is None:
        scans |= {"rows": [], "empty": NO_SCANS}
    peak = _times(_("Busiest times"), report.peak_times, top(PEAK_TIMES))
    slowest = _times(_("Slowest times"), report.slowest_times, _slowest())
    return window(report.days, report.until) | {
        "heading": _("Peak hours"),
        "tiles": _tiles(report, before),
        "tables": [orders, scans, peak, slowest],
        "orders": orders,
        "scans": scans,
        "peak": peak,
        "slowest": slowest,
        "notes": [
            EVERY_ORDER,
            _("Scans of all table codes are counted. Repeat scans count."),
            _("Days start at midnight %(zone)s. When clocks go back, the repeated hour is shown as one.")
            % {"zone": zone_name()},
        ],
    }


def _slowest() -> str:
    return _("The %(count)s slowest hours with any orders or scans.") % {"count": SLOWEST_TIMES}


def _tiles(report: PeakHours, before: Totals) -> list[Tile]:
    period = days_before(report.days)
    orders = sum(hour.orders for hour in report.hours)
    revenue = sum((hour.revenue for hour in report.hours), Decimal("0.00"))
    return [
        _busiest(report.hours),
        tile(_("Orders"), orders, before=before.orders, period=period),
        tile(_("Revenue"), revenue, "money", before=before.revenue, period=period),
        tile(_("Scans"), report.scans, before=report.scans_before, period=period),
    ]


def _busiest(hours: list[Hour]) -> Tile:
    if not hours or not hours[0].orders:
        return tile(_("Busiest time"), None, "text", note=_("No orders in this period."))
    first = hours[0]
    note = ngettext("%(count)s order", "%(count)s orders", first.orders) % {"count": first.orders}
    return tile(_("Busiest time"), f"{_weekday(first.weekday)} {clock(first.hour)}", "text", note=note)


def _weekday(weekday: int) -> str:
    """The short name. `weekday`: 0 is Sunday; Django counts from Monday."""
    return str(WEEKDAYS_ABBR[(weekday - 1) % 7])


def _week(title: str, figures: dict[tuple[int, int], int | None]) -> Table:
    """Every hour of the week, which begins as in a calendar of the active language."""
    weekdays = [(int(get_format("FIRST_DAY_OF_WEEK")) + place) % 7 for place in range(7)]
    columns = [(_("Hour"), "text"), *((_weekday(each), "number") for each in weekdays)]
    rows = [[clock(hour), *(figures.get((each, hour), 0) for each in weekdays)] for hour in range(24)]
    return table_of(title, columns, rows)


def _times(title: str, hours: list[Hour], note: str) -> Table:
    columns = [
        (_("Day"), "text"), (_("Hour"), "text"), (_("Orders"), "number"), (_("Revenue"), "money"),
        (_("Scans"), "number"),
    ]  # fmt: skip
    rows = [[_weekday(each.weekday), clock(each.hour), each.orders, each.revenue, each.scans] for each in hours]
    return table_of(title, columns, rows, note=note, empty=_("No orders or scans in this period."))
