"""The page of the peak hours."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from restaurant.reports.pages import EVERY_ORDER, NO_SCANS
from restaurant.reports.peak_hours import PEAK_TIMES, SLOWEST_TIMES, Hour, Opening, PeakHours, Totals
from restaurant.reports.usual_week import UsualHour, UsualWeek, slow_times
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
    grouped,
    top,
    with_figures,
    zone_words,
)
from web.templatetags.reports import shown

LISTED = 5  # times on the page; the map has all of them
TENTH, CENT, ONE = Decimal("0.1"), Decimal("0.01"), Decimal(1)


def page(report: PeakHours, week: UsualWeek, before: Totals, opening: Opening | None = None) -> PageData:
    """The tiles and tables are those of the CSV, which has sums; what the page shows in their place has averages."""
    period = label_before(report.period)
    sums = _sums(report)
    return {
        "heading": _("Peak hours"),
        "sentence": _sentence(report, week, before),
        "tiles": [_busiest(report.hours[:1]), *_tiles(report, before, period)],
        "page_tiles": [_busiest_usual(week), *_tiles(report, before, period)],
        "tables": sums,
        "slowest": sums[-1],
        **_averages(report, week, opening),
        "notes": [
            EVERY_ORDER,
            _("Scans of all table codes are counted. Repeat scans count."),
            _("Days start at midnight %(zone)s. When clocks go back, the repeated hour is shown as one.")
            % {"zone": zone_words()},
        ],
    }


def _sums(report: PeakHours) -> list[Table]:
    scans = _week(_("Scans by day and hour"), {(each.weekday, each.hour): each.scans for each in report.hours})
    if report.scans is None:
        scans = replace(scans, rows=[], empty=str(NO_SCANS))
    return [
        _week(_("Orders by day and hour"), {(each.weekday, each.hour): each.orders for each in report.hours}),
        scans,
        _times(_("Busiest times"), report.peak_times, top(PEAK_TIMES)),
        _times(_("Slowest times"), report.slowest_times, _slowest()),
    ]


def _averages(report: PeakHours, week: UsualWeek, opening: Opening | None) -> dict[str, Any]:
    rounded = _rounded(week.hours, week)
    orders = _week(_("Orders by day and hour"), {(each.weekday, each.hour): each.orders for each in rounded})
    scans = _week(_("Scans by day and hour"), {(each.weekday, each.hour): each.scans for each in rounded})
    revenue = _week(_("Sales by day and hour"), {(each.weekday, each.hour): _whole(each) for each in rounded})
    both = [[row[0], sum(row[1:]), sum(of_scans[1:])] for row, of_scans in zip(*_rows(orders, scans), strict=True)]
    of_orders = Plot(
        rows=with_figures(both, 1, 2),
        used={hour for hour, *figures in both if any(figures)},
        without=_without(_("No orders"), week.weekdays, opening),
    )
    of_scans = replace(of_orders, without=_without(_("No scans"), week.weekdays, opening))
    if report.scans is None:
        scans = replace(scans, rows=[], empty=str(NO_SCANS))
    return {
        "orders": replace(orders, plot=of_orders),
        "revenue": replace(revenue, plot=of_orders),
        "scans": replace(scans, plot=of_scans),
        "peak": _listed(_("Busiest times"), rounded[:LISTED], "", week),
        "slow": _slowest_usual(week, opening),
        "average": _average(week) if week.is_average and week.hours else "",
    }


def _average(week: UsualWeek) -> str:
    least, most = min(week.weeks.values()), max(week.weeks.values())
    words = ngettext(
        "On average for each weekday, over %(count)s week.", "On average for each weekday, over %(count)s weeks.", most
    )
    both = _("%(least)s or %(most)s") if most - least == 1 else _("%(least)s to %(most)s")
    return words % {"count": most if most == least else both % {"least": least, "most": most}}


def _slowest_usual(week: UsualWeek, opening: Opening | None) -> Table:
    hours = _rounded(slow_times(week, opening)[:LISTED], week)
    table = _listed(_("Slowest times"), hours, _slow(opening), week)
    if not week.hours:
        return table
    empty = _("No open hour of this period is over.") if opening else _("No orders in this period.")
    return replace(table, empty=empty)


def _tenths(average: Decimal, week: UsualWeek) -> Decimal:
    """To one decimal, half up; what is left of it is never rounded away. Whole if it is no average."""
    if not week.is_average or not average:
        return average.quantize(ONE)
    return max(average.quantize(TENTH, ROUND_HALF_UP), TENTH)


def _whole(hour: UsualHour) -> Decimal:
    """Its revenue without cents, for which a map has no room; what is left of it is never rounded away."""
    return max(hour.revenue.quantize(ONE, ROUND_HALF_UP), ONE) if hour.revenue else hour.revenue


def _rounded(hours: list[UsualHour], week: UsualWeek) -> list[UsualHour]:
    return [
        replace(
            each,
            orders=_tenths(each.orders, week),
            scans=None if each.scans is None else _tenths(each.scans, week),
            revenue=each.revenue.quantize(CENT, ROUND_HALF_UP),
        )
        for each in hours
    ]


def _sentence(report: PeakHours, week: UsualWeek, before: Totals) -> str:
    busiest = week.hours[0] if week.hours else None
    if busiest is None or not busiest.orders:
        return _("No orders in this period.")
    peak = _("%(day)s %(time)s is your peak, with %(orders)s") % {
        "day": WEEKDAYS[(busiest.weekday - 1) % 7], "time": clock(busiest.hour), "orders": _usual_orders(week),
    }  # fmt: skip
    orders = sum(hour.orders for hour in report.hours)
    change = compared(orders, before.orders, phrase_before(report.period))
    all_orders = ngettext("%(count)s order in all", "%(count)s orders in all", orders) % {"count": grouped(orders)}
    return clauses(peak, ", ".join(part for part in (all_orders, change) if part))


def _usual_orders(week: UsualWeek) -> str:
    """Those of the busiest hour."""
    count = _tenths(week.hours[0].orders, week)
    if not week.is_average:
        return _orders(int(count))
    text = _orders(int(count)) if count == int(count) else _("%(count)s orders") % {"count": shown(count, "number")}
    return _("%(orders)s on average") % {"orders": text}


def _orders(count: int) -> str:
    return ngettext("%(count)s order", "%(count)s orders", count) % {"count": grouped(count)}


def _rows(*tables: Table) -> list[list[list[int]]]:
    """With 0 for what is not known."""
    return [[[row[0], *(value or 0 for value in row[1:])] for row in table.rows] for table in tables]


def _slowest() -> str:
    return _("The %(count)s slowest hours with any orders or scans.") % {"count": SLOWEST_TIMES}


def _slow(opening: Opening | None) -> str:
    if opening:
        return _("Of the hours that are open throughout.")
    return _("Of the hours with at least a tenth of the busiest hour's orders.")


def _without(nothing: str, there: frozenset[int], opening: Opening | None) -> list[str]:
    """What stands in the column of a weekday without any; "" in that of one which the period doesn't have."""
    closed = opening.closed if opening else frozenset()
    words = {weekday: _("Closed") if weekday in closed else nothing for weekday in there}
    return [words.get(weekday, "") for weekday in _weekdays()]


def _tiles(report: PeakHours, before: Totals, period: str) -> list[Tile]:
    orders = sum(hour.orders for hour in report.hours)
    revenue = sum((hour.revenue for hour in report.hours), Decimal("0.00"))
    return [
        Tile(_("Orders"), orders, before=before.orders, period=period),
        Tile(_("Sales"), revenue, "money", before=before.revenue, period=period),
        Tile(_("Scans"), report.scans, before=report.scans_before, period=period),
    ]


def _busiest(hours: Sequence[Hour | UsualHour], note: str = "") -> Tile:
    if not hours or not hours[0].orders:
        return Tile(_("Busiest time"), None, "text", note=_("No orders in this period."))
    first = hours[0]
    return Tile(_("Busiest time"), f"{_weekday(first.weekday)} {clock(first.hour)}", "text", note=note)


def _busiest_usual(week: UsualWeek) -> Tile:
    if not week.hours:
        return _busiest([])
    first, orders = week.hours[0], _usual_orders(week)
    weeks = week.weeks[first.weekday, first.hour]
    over = ngettext("%(orders)s over %(count)s week", "%(orders)s over %(count)s weeks", weeks)
    return _busiest([first], over % {"orders": orders, "count": weeks} if week.is_average else orders)


def _weekday(weekday: int) -> str:
    """The short name. `weekday`: 0 is Sunday; Django counts from Monday."""
    return str(WEEKDAYS_ABBR[(weekday - 1) % 7])


def _week(title: str, figures: Mapping[tuple[int, int], Decimal | int | None]) -> Table:
    """Every hour of the week, which begins as in a calendar of the active language."""
    weekdays = _weekdays()
    columns = [Column(_("Hour")), *(Column(_weekday(each), "number") for each in weekdays)]
    rows = [[clock(hour), *(figures.get((each, hour), 0) for each in weekdays)] for hour in range(24)]
    return Table(title, columns, rows)


def _weekdays() -> list[int]:
    """As a calendar of the active language begins. 0 is Sunday."""
    return [(int(get_format("FIRST_DAY_OF_WEEK")) + place) % 7 for place in range(7)]


def _times(title: str, hours: Sequence[Hour | UsualHour], note: str) -> Table:
    columns = [
        Column(_("Day")), Column(_("Hour")), Column(_("Orders"), "number"), Column(_("Sales"), "money"),
        Column(_("Scans"), "number"),
    ]  # fmt: skip
    rows = [[_weekday(each.weekday), clock(each.hour), each.orders, each.revenue, each.scans] for each in hours]
    return Table(title, columns, rows, note=note, empty=_("No orders or scans in this period."))


def _listed(title: str, hours: Sequence[UsualHour], note: str, week: UsualWeek) -> Table:
    """As `_times`, beside the map that has the scans."""
    orders, revenue = _("Orders"), _("Sales")
    if week.is_average:
        orders, revenue = _("Orders on average"), _("Sales on average")
    columns = [Column(_("Time")), Column(orders, "number"), Column(revenue, "money")]
    rows = [[f"{_weekday(each.weekday)} {clock(each.hour)}", each.orders, each.revenue] for each in hours]
    return Table(title, columns, rows, note=note, empty=_("No orders or scans in this period."))
