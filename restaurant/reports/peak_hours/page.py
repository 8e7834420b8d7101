"""The page of the peak hours, and its CSV."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from restaurant.reports import NO_SCANS, ORDERS_NOTE
from restaurant.reports.peak_hours import PEAK_TIMES, SLOWEST_TIMES, USUAL_TIMES, Averages, Hour, PeakHours
from web.choices import label_before, phrase_before
from web.reporting import (
    Column,
    PageData,
    Plot,
    Table,
    Tile,
    clauses,
    clock,
    compared,
    top,
    with_count,
    with_figures,
    zone_words,
)

ONE = Decimal(1)


def page(report: PeakHours) -> PageData:
    """The tiles and tables are those of the CSV, which has sums; what the page shows in their place has averages."""
    busiest = _("Busiest times"), _("Slowest times")
    sums = [
        *_maps(report, report.hours)[:2],
        _times(busiest[0], report.peak_times, top(PEAK_TIMES)),
        _times(busiest[1], report.slowest_times, _slowest()),
    ]
    orders, scans, revenue = _maps(report, report.averages.hours)
    tiles = _tiles(report)
    return {
        "heading": _("Peak hours"),
        "sentence": _sentence(report),
        "tiles": [_busiest(report.hours[:1]), *tiles],
        "page_tiles": [_busiest_usual(report.averages), *tiles],
        "tables": sums,
        "orders": orders,
        "revenue": revenue,
        "scans": scans,
        "peak": _usual(busiest[0], report.averages.hours[:USUAL_TIMES], "", report),
        "slow": _slowest_usual(report),
        "slowest": sums[-1],
        "average": _over_weeks(report.averages),
        "notes": [
            ORDERS_NOTE,
            _("Scans of all table codes are counted. Repeat scans count."),
            _("Days start at midnight %(zone)s. When clocks go back, the repeated hour is shown as one.")
            % {"zone": zone_words()},
        ],
    }


def _sentence(report: PeakHours) -> str:
    busiest = next(iter(report.averages.hours), None)
    if busiest is None or not busiest.orders:
        return _("No orders in this period.")
    peak = _("%(day)s %(time)s is your peak, with %(orders)s") % {
        "day": WEEKDAYS[(busiest.weekday - 1) % 7],
        "time": clock(busiest.hour),
        "orders": _usual_orders(report.averages),
    }
    orders = report.totals.orders
    change = compared(orders, report.before.orders, phrase_before(report.period))
    in_all = with_count(ngettext("%(count)s order in all", "%(count)s orders in all", orders), orders)
    return clauses(peak, ", ".join(filter(None, (in_all, change))))


# --- tiles ----------------------------------------------------------------------------------------------


def _tiles(report: PeakHours) -> list[Tile]:
    now, before, period = report.totals, report.before, label_before(report.period)
    return [
        Tile(_("Orders"), now.orders, before=before.orders, period=period),
        Tile(_("Sales"), now.revenue, "money", before=before.revenue, period=period),
        Tile(_("Scans"), report.scans, before=report.scans_before, period=period),
    ]


def _busiest(hours: Sequence[Hour], note: str = "") -> Tile:
    if not hours or not hours[0].orders:
        return Tile(_("Busiest time"), None, "text", note=_("No orders in this period."))
    return Tile(_("Busiest time"), _time(hours[0]), "text", note=note)


def _busiest_usual(averages: Averages) -> Tile:
    if not averages.hours:
        return _busiest([])
    orders, weeks = _usual_orders(averages), averages.hours[0].weeks
    over = ngettext("%(orders)s over %(count)s week", "%(orders)s over %(count)s weeks", weeks)
    return _busiest(averages.hours, over % {"orders": orders, "count": weeks} if averages.is_average else orders)


def _usual_orders(averages: Averages) -> str:
    """Return the orders of the busiest hour."""
    count, is_whole = averages.hours[0].orders, averages.hours[0].orders % 1 == 0
    orders = ngettext("%(count)s order", "%(count)s orders", int(count) if is_whole else 2)
    text = with_count(orders, int(count) if is_whole else count)
    return _("%(orders)s on average") % {"orders": text} if averages.is_average else text


# --- maps and lists -------------------------------------------------------------------------------------


def _maps(report: PeakHours, hours: list[Hour]) -> tuple[Table, Table, Table]:
    """Orders, scans and sales of every hour of the week, all drawn from the same first hour to the same last."""
    orders = _week(_("Orders by day and hour"), {hour.key: hour.orders for hour in hours})
    scans = _week(_("Scans by day and hour"), {hour.key: hour.scans or 0 for hour in hours})
    revenue = _week(_("Sales by day and hour"), {hour.key: _whole(hour) for hour in hours})
    both = [[row[0], sum(row[1:]), sum(scanned[1:])] for row, scanned in zip(orders.rows, scans.rows, strict=True)]
    used = {hour for hour, *figures in both if any(figures)}
    plot = Plot(rows=with_figures(both, 1, 2), used=used, without=_without(_("No orders"), report))
    of_scans = replace(plot, without=_without(_("No scans"), report))
    if report.scans is None:
        scans = replace(scans, rows=[], empty=str(NO_SCANS))
    return replace(orders, plot=plot), replace(scans, plot=of_scans), replace(revenue, plot=plot)


def _week(title: str, figures: dict[tuple[int, int], Any]) -> Table:
    columns = [Column(_("Hour")), *(Column(_weekday(day), "number") for day in _weekdays())]
    rows = [[clock(hour), *(figures.get((day, hour), 0) for day in _weekdays())] for hour in range(24)]
    return Table(title, columns, rows)


def _whole(hour: Hour) -> Decimal:
    """Its sales without cents, for which a map has no room; what is left of it is never rounded away."""
    return max(hour.revenue.quantize(ONE, ROUND_HALF_UP), ONE) if hour.revenue else hour.revenue


def _without(nothing: str, report: PeakHours) -> list[str]:
    """Return what stands in the column of a weekday without any; "" for one that the period doesn't have."""
    closed = report.opening.closed if report.opening else frozenset()
    days = {date.isoweekday() % 7 for date in report.period.window.dates}
    return ["" if day not in days else _("Closed") if day in closed else nothing for day in _weekdays()]


def _weekdays() -> list[int]:
    """Return the weekdays in the order of the active language's calendars. 0 is Sunday."""
    first = int(get_format("FIRST_DAY_OF_WEEK"))
    return [day % 7 for day in range(first, first + 7)]


def _weekday(weekday: int) -> str:
    """The short name. `weekday`: 0 is Sunday; Django counts from Monday."""
    return str(WEEKDAYS_ABBR[(weekday - 1) % 7])


def _time(hour: Hour) -> str:
    return f"{_weekday(hour.weekday)} {clock(hour.hour)}"


def _times(title: str, hours: list[Hour], note: str) -> Table:
    columns = [
        Column(_("Day")),
        Column(_("Hour")),
        Column(_("Orders"), "number"),
        Column(_("Sales"), "money"),
        Column(_("Scans"), "number"),
    ]
    rows = [[_weekday(hour.weekday), clock(hour.hour), hour.orders, hour.revenue, hour.scans] for hour in hours]
    return Table(title, columns, rows, note=note, empty=_("No orders or scans in this period."))


def _slowest() -> str:
    return _("The %(count)s slowest hours with any orders or scans.") % {"count": SLOWEST_TIMES}


def _usual(title: str, hours: list[Hour], note: str, report: PeakHours) -> Table:
    """Return the page's list of times, without the scans, which the map beside it has."""
    orders, revenue = _("Orders"), _("Sales")
    if report.averages.is_average:
        orders, revenue = _("Orders on average"), _("Sales on average")
    columns = [Column(_("Time")), Column(orders, "number"), Column(revenue, "money")]
    rows = [[_time(hour), hour.orders, hour.revenue] for hour in hours]
    return Table(title, columns, rows, note=note, empty=_("No orders or scans in this period."))


def _slowest_usual(report: PeakHours) -> Table:
    note = _("Of the hours with at least a tenth of the busiest hour's orders.")
    empty = _("No orders in this period.")
    if report.opening:
        note, empty = _("Of the hours that are open throughout."), _("No open hour of this period is over.")
    table = _usual(_("Slowest times"), report.averages.slowest, note, report)
    return replace(table, empty=empty) if report.hours else table


def _over_weeks(averages: Averages) -> str:
    """Say over how many weeks averages are; empty where there is none."""
    if not averages.is_average or not averages.hours:
        return ""
    weeks = [hour.weeks for hour in averages.hours]
    least, most = min(weeks), max(weeks)
    sentence = ngettext(
        "On average for each weekday, over %(count)s week.", "On average for each weekday, over %(count)s weeks.", most
    )
    both = _("%(least)s or %(most)s") if most - least == 1 else _("%(least)s to %(most)s")
    return sentence % {"count": most if most == least else both % {"least": least, "most": most}}
