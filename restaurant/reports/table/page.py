"""The page of a table's scans and sales, and its CSV."""

from dataclasses import replace
from datetime import timedelta

from babel.lists import format_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from restaurant.ordering.models import SESSION_WINDOW
from restaurant.reports import NO_SCANS, ORDERS_NOTE
from restaurant.reports.by_time import Interval, has_orders, table_by_time
from restaurant.reports.dashboard.page import sales_tiles
from restaurant.reports.queries.sales import are_first
from restaurant.reports.table import PEAK_HOURS, HourCount, TableReport
from restaurant.tables.models import Table as RestaurantTable
from web.choices import label_before, phrase_before
from web.formats import locale
from web.reporting import (
    Column,
    PageData,
    Plot,
    Table,
    Tile,
    average,
    clauses,
    clock,
    compared,
    share,
    with_count,
    with_figures,
    zone_words,
)
from web.templatetags.reports import shown


def page(report: TableReport, intervals: list[Interval]) -> PageData:
    """`intervals`: its sales by time, which only the page shows."""
    hours, devices = _hours(report), _devices(report)
    notes = [_("Repeat scans count."), _("Hours are in %(zone)s.") % {"zone": zone_words()}]
    sales_notes = [
        ORDERS_NOTE,
        _("Sales are those of its orders, also on bills that are not paid yet."),
        _("A stay is from the first scan or order until the table is closed, if that was within %(hours)s hours.")
        % {"hours": SESSION_WINDOW // timedelta(hours=1)},
        _("Sales per seat count every seat, taken or not; of all tables, those whose seats are known."),
    ]
    devices_note = _("iPads count as iOS.")
    tiles = _tiles(report)
    return {
        "heading": _heading(report.table),
        "sentence": _sentence(report),
        "is_first": are_first(report.sales),
        "sales_tiles": sales_tiles(report.sales, label_before(report.period)),
        "tiles": tiles,
        "facts": [*_facts(report), *_scan_facts(report, tiles)],
        "tables": [hours, devices],
        "sales": table_by_time(intervals, report.period),
        "has_sales": has_orders(intervals),
        "hours": hours,
        "devices": devices,
        "measures": _measures(report),
        "devices_note": devices_note,
        "notes": [*notes, devices_note],
        "page_notes": [*sales_notes, *notes],
    }


def _tiles(report: TableReport) -> list[Tile]:
    peak = report.busiest_hours
    busiest = _("Busiest hours") if len(peak) > 1 else _("Busiest hour")
    return [
        Tile(_("Scans"), report.total, before=report.scans_before, period=label_before(report.period)),
        Tile(_("Scans per day"), report.per_day, "decimal"),
        Tile(busiest, _clocks(peak) or None, "text", note=_scans_at(peak)),
    ]


def _measures(report: TableReport) -> list[Table]:
    """Compare the table with all of them, if there are others: how long parties stay, and what they bring."""
    all_tables = report.all_tables
    if report.tables < 2 or not report.sales.now.orders:
        return []
    measures = [
        (_("Average stay"), "minutes", report.stay, all_tables.stay),
        (_("Sales per seat"), "money", report.per_seat, all_tables.per_seat),
        (_("Average order"), "money", report.sales.now.average_order, all_tables.order),
    ]
    own, every = _("Table %(number)s") % {"number": report.table.table_number}, _("All tables")
    return [
        Table(title, [Column(_("Table")), Column(title, kind)], [[own, figure], [every, average_of_all]])
        for title, kind, figure, average_of_all in measures
        if figure is not None and average_of_all is not None
    ]


def _facts(report: TableReport) -> list[Tile]:
    """Return how long parties stay, and what a seat brings where the seats are known."""
    stay = Tile(_("Average stay"), report.stay, "minutes", before=report.stay_before)
    if not report.table.capacity:
        return [stay]
    before = average(report.sales.before.revenue, report.table.capacity)
    return [stay, Tile(_("Sales per seat"), report.per_seat, "money", before=before)]


def _scan_facts(report: TableReport, tiles: list[Tile]) -> list[Tile]:
    """Scans and the busiest hour. Beside sales per seat, which need room, scans per day are a note."""
    scanned, per_day, busiest = tiles
    if not report.table.capacity:
        return [scanned, per_day, busiest]
    known = {"figure": shown(report.per_day, "decimal"), "before": shown(report.scans_before, "number")}
    phrase = _("%(figure)s per day, %(before)s before") if report.scans_before else _("%(figure)s per day")
    return [scanned if report.total is None else replace(scanned, note=phrase % known), busiest]


def _scans_at(peak: list[HourCount]) -> str:
    if not peak:
        return ""
    count = peak[0].count
    phrase = with_count(ngettext("%(count)s scan", "%(count)s scans", count), count)
    return phrase if len(peak) == 1 else _("%(scans)s each") % {"scans": phrase}


def _clocks(peak: list[HourCount]) -> str:
    """Name the hours that share the most scans; among more than three none stands out."""
    if len(peak) > PEAK_HOURS:
        return _("Several")
    return format_list([clock(hour.hour) for hour in peak], locale=locale())


def _heading(table: RestaurantTable) -> str:
    name = _("Table %(number)s") % {"number": table.table_number}
    return f"{name} · {table.section}" if table.section else name


def _sentence(report: TableReport) -> str:
    """Its sales with their rank, and its scans; what they are compared with is said once."""
    now, phrase = report.sales.now, phrase_before(report.period)
    if not now.orders:
        return _scanned(report, compared(report.total, report.scans_before, phrase))
    sold = _("Sales are %(amount)s") % {"amount": shown(now.revenue, "money")}
    change = compared(now.revenue, report.sales.before.revenue, phrase)
    rank = _("number %(place)s of %(count)s tables") % {"place": report.rank, "count": report.tables}
    first = ", ".join(filter(None, (sold, change, rank if now.revenue and report.tables > 1 else "")))
    return f"{clauses(first)} {_scanned(report, '')}"


def _scanned(report: TableReport, change: str) -> str:
    peak = report.busiest_hours
    if not report.total or not peak:
        return _why_empty(report)
    phrase = ngettext("Scanned %(count)s time", "Scanned %(count)s times", report.total)
    scanned = with_count(phrase, report.total)
    often = _("%(scanned)s, most often at %(time)s") % {"scanned": scanned, "time": _clocks(peak)}
    return clauses(often if len(peak) <= PEAK_HOURS else scanned, change)


def _why_empty(report: TableReport) -> str:
    if report.total is None:
        return str(NO_SCANS)
    if not report.table.qr_analytics_id:
        return _("This table has no QR code yet. Save it in the admin to create one.")
    return _("No scans in this period.")


def _hours(report: TableReport) -> Table:
    by_hour = report.by_hour or {}
    rows = [[clock(hour), by_hour.get(hour, 0)] for hour in range(24)] if report.total else []
    columns = [Column(_("Hour")), Column(_("Scans"), "number")]
    return Table(_("Scans by hour"), columns, rows, plot=Plot(rows=with_figures(rows, 1)), empty=_why_empty(report))


def _devices(report: TableReport) -> Table:
    labels = {"ios": "iOS", "android": "Android", "other": _("Other")}
    total, by_device = report.total or 0, report.by_device or {}
    rows = [[labels[name], count, share(count, total)] for name, count in by_device.items()] if total else []
    columns = [Column(_("Device")), Column(_("Scans"), "number"), Column(_("Share"), "percent")]
    return Table(_("Devices"), columns, rows, empty=_why_empty(report))
