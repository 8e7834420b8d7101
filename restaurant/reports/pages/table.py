"""The page of a table's scans."""

from dataclasses import replace
from datetime import timedelta

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from restaurant.ordering.models import SESSION_WINDOW
from restaurant.reports.dashboard import Part
from restaurant.reports.pages import EVERY_ORDER, NO_SCANS
from restaurant.reports.pages.dashboard import by_time
from restaurant.reports.table import PEAK_HOURS, HourCount, Sales, TableScans
from restaurant.reports.today import Today
from restaurant.tables.models import Table as RestaurantTable
from web.choices import label_before, phrase_before
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
    grouped,
    money_text,
    share,
    with_figures,
    zone_words,
)
from web.templatetags.reports import shown


def page(report: TableScans, sales: Sales, parts: list[Part]) -> PageData:
    """`parts`: its sales by time, which only the page shows."""
    hours, devices = _hours(report), _devices(report)
    notes = [_("Repeat scans count."), _("Hours are in %(zone)s.") % {"zone": zone_words()}]
    of_sales = [
        EVERY_ORDER,
        _("Sales are those of its orders, also on bills that are not paid yet."),
        _("A stay is from the first scan or order until the table is closed, if that was within %(hours)s hours.")
        % {"hours": SESSION_WINDOW // timedelta(hours=1)},
        _("Sales per seat count every seat, taken or not; of all tables, those whose seats are known."),
    ]
    of_devices = _("iPads count as iOS.")
    peak = report.busiest_hours
    tiles = [
        Tile(_("Scans"), report.total, before=report.before, period=label_before(report.period)),
        Tile(_("Scans per day"), report.per_day, "decimal"),
        Tile(
            _("Busiest hours") if len(peak) > 1 else _("Busiest hour"), _clocks(peak) or None, "text", note=_scans(peak)
        ),
    ]
    return {
        "heading": _heading(report.table),
        "sentence": _sentence(report, peak, sales),
        "is_first": _both(sales).is_first,
        "sales_tiles": _sales(sales, label_before(report.period)),
        "tiles": tiles,
        "facts": [*_facts(report, sales), *_scan_facts(report, tiles)],
        "tables": [hours, devices],
        "sales": by_time(parts, report.period),
        "has_sales": any(part.orders or part.orders_before for part in parts),
        "hours": hours,
        "devices": devices,
        "measures": _measures(report, sales),
        "of_devices": of_devices,
        "notes": [*notes, of_devices],
        "page_notes": [*of_sales, *notes],
    }


def _sales(sales: Sales, period: str) -> list[Tile]:
    now, before = sales.now, sales.before
    found = [
        Tile(_("Sales"), now.revenue, "money", before=before.revenue, period=period),
        Tile(_("Orders"), now.orders, before=before.orders, period=period),
        Tile(_("Table sessions"), now.sessions, before=before.sessions, period=period),
        Tile(_("Average order"), now.average_order, "money", before=before.average_order, period=period),
    ]
    return [replace(each, is_first=_both(sales).is_first) for each in found]


def _measures(report: TableScans, sales: Sales) -> list[Table]:
    """The table beside all of them, as far as there are others: how long parties stay, and what they bring."""
    seats, of_all = report.table.capacity, sales.of_all
    if sales.tables < 2 or not sales.now.orders:
        return []
    per_seat = average(sales.now.revenue, seats) if seats else None
    measures = [
        (_("Average stay"), "minutes", sales.stay, of_all.stay),
        (_("Sales per seat"), "money", per_seat, of_all.per_seat),
        (_("Average order"), "money", sales.now.average_order, of_all.order),
    ]
    own, every = _("Table %(number)s") % {"number": report.table.table_number}, _("All tables")
    return [
        Table(title, [Column(_("Table")), Column(title, kind)], [[own, figure], [every, average_of_all]])
        for title, kind, figure, average_of_all in measures
        if figure is not None and average_of_all is not None
    ]


def _facts(report: TableScans, sales: Sales) -> list[Tile]:
    """How long parties stay, and what a seat brings where the seats are known."""
    now, before, seats = sales.now.revenue, sales.before.revenue, report.table.capacity
    stay = Tile(_("Average stay"), sales.stay, "minutes", before=sales.stay_before)
    if not seats:
        return [stay]
    return [stay, Tile(_("Sales per seat"), average(now, seats), "money", before=average(before, seats))]


def _scan_facts(report: TableScans, tiles: list[Tile]) -> list[Tile]:
    """Scans and the busiest hour. Beside revenue per seat, which needs a place, scans per day are a note."""
    scans, per_day, busiest = tiles
    if not report.table.capacity:
        return [scans, per_day, busiest]
    known = {"figure": shown(report.per_day, "decimal"), "before": shown(report.before, "number")}
    words = _("%(figure)s per day, %(before)s before") if report.before else _("%(figure)s per day")
    return [replace(scans, note=words % known) if report.total is not None else scans, busiest]


def _both(sales: Sales) -> Today:
    return Today(today=sales.now, before=sales.before)


def _scans(peak: list[HourCount]) -> str:
    if not peak:
        return ""
    count = peak[0].count
    scans = ngettext("%(count)s scan", "%(count)s scans", count) % {"count": grouped(count)}
    return scans if len(peak) == 1 else _("%(scans)s each") % {"scans": scans}


def _clocks(peak: list[HourCount]) -> str:
    """Of the hours that share the most scans; of more than three none stands out."""
    if len(peak) > PEAK_HOURS:
        return _("Several")
    return str(get_text_list([clock(each.hour) for each in peak], _("and")))


def _heading(table: RestaurantTable) -> str:
    name = _("Table %(number)s") % {"number": table.table_number}
    return f"{name} · {table.section}" if table.section else name


def _sentence(report: TableScans, peak: list[HourCount], sales: Sales) -> str:
    """Its sales and the place they have, if there is any, and its scans; what they are compared with is said once."""
    now = sales.now
    if not now.orders:
        return _scanned(report, peak, compared(report.total, report.before, phrase_before(report.period)))
    sold = _("Sales are %(amount)s") % {"amount": money_text(now.revenue)}
    change = compared(now.revenue, sales.before.revenue, phrase_before(report.period))
    rank = _("%(place)s of %(count)s tables") % {"place": ordinal(sales.rank), "count": sales.tables}
    parts = (sold, change, rank if now.revenue and sales.tables > 1 else "")
    return f"{clauses(', '.join(part for part in parts if part))} {_scanned(report, peak, '')}"


def _scanned(report: TableScans, peak: list[HourCount], change: str) -> str:
    if not report.total or not peak:
        return _why_empty(report)
    words = ngettext("Scanned %(count)s time", "Scanned %(count)s times", report.total)
    scanned = words % {"count": grouped(report.total)}
    often = _("%(scanned)s, most often at %(time)s") % {"scanned": scanned, "time": _clocks(peak)}
    return clauses(often if len(peak) <= PEAK_HOURS else scanned, change)


def _why_empty(report: TableScans) -> str:
    if report.total is None:
        return str(NO_SCANS)
    if not report.table.qr_analytics_id:
        return _("This table has no QR code yet. Save it in the admin to create one.")
    return _("No scans in this period.")


def _hours(report: TableScans) -> Table:
    by_hour = report.by_hour or {}
    rows = [[clock(hour), by_hour.get(hour, 0)] for hour in range(24)] if report.total else []
    columns = [Column(_("Hour")), Column(_("Scans"), "number")]
    return Table(_("Scans by hour"), columns, rows, plot=Plot(rows=with_figures(rows, 1)), empty=_why_empty(report))


def _devices(report: TableScans) -> Table:
    labels = {"ios": "iOS", "android": "Android", "other": _("Other")}
    total, by_device = report.total or 0, report.by_device or {}
    rows = [[labels[name], count, share(count, total)] for name, count in by_device.items()] if total else []
    columns = [Column(_("Device")), Column(_("Scans"), "number"), Column(_("Share"), "percent")]
    return Table(_("Devices"), columns, rows, empty=_why_empty(report))
