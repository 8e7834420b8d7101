"""The page of a table's scans."""

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from restaurant.models import Table as RestaurantTable
from restaurant.reports.dashboard import Part
from restaurant.reports.pages import NO_SCANS
from restaurant.reports.pages.dashboard import by_time
from restaurant.reports.table import HourCount, Sales, TableScans
from restaurant.reports.today import Today
from web.choices import label_before, phrase_before
from web.reporting import (
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
    with_figures,
    zone_words,
)


def page(report: TableScans, sales: Sales, parts: list[Part]) -> PageData:
    """`parts`: its sales by time, which only the page shows."""
    hours, devices = _hours(report), _devices(report)
    notes = [_("Repeat scans count."), _("Hours are in %(zone)s.") % {"zone": zone_words()}]
    of_devices = _("iPads count as iOS.")
    peak = report.peak_hours[0] if report.peak_hours else None
    return {
        "heading": _heading(report.table),
        "sentence": _sentence(report, peak, sales),
        "is_first": _both(sales).is_first,
        "sales_tiles": _sales(sales, label_before(report.period)),
        "tiles": [
            tile(_("Scans"), report.total, before=report.before, period=label_before(report.period)),
            tile(_("Scans per day"), report.per_day, "decimal"),
            tile(_("Busiest hour"), clock(peak.hour) if peak else None, "text", note=_scans(peak)),
        ],
        "tables": [hours, devices],
        "sales": by_time(parts, report.period),
        "has_sales": any(part.orders or part.orders_before for part in parts),
        "hours": hours,
        "devices": devices,
        "of_devices": of_devices,
        "notes": [*notes, of_devices],
        "page_notes": notes,
    }


def _sales(sales: Sales, period: str) -> list[Tile]:
    now, before = sales.now, sales.before
    found = [
        tile(_("Revenue"), now.revenue, "money", before=before.revenue, period=period),
        tile(_("Orders"), now.orders, before=before.orders, period=period),
        tile(_("Table sessions"), now.sessions, before=before.sessions, period=period),
        tile(_("Average order"), now.average_order, "money", before=before.average_order, period=period),
    ]
    return [each | {"is_first": _both(sales).is_first} for each in found]


def _both(sales: Sales) -> Today:
    return Today(today=sales.now, before=sales.before)


def _scans(peak: HourCount | None) -> str:
    return ngettext("%(count)s scan", "%(count)s scans", peak.count) % {"count": grouped(peak.count)} if peak else ""


def _heading(table: RestaurantTable) -> str:
    name = _("Table %(number)s") % {"number": table.table_number}
    return f"{name} · {table.section}" if table.section else name


def _sentence(report: TableScans, peak: HourCount | None, sales: Sales) -> str:
    """Its revenue and the place it has, if there is any, and its scans; what they are compared with is said once."""
    now = sales.now
    if not now.orders:
        return _scanned(report, peak, compared(report.total, report.before, phrase_before(report.period)))
    revenue = _("Revenue is %(amount)s") % {"amount": money_text(now.revenue)}
    change = compared(now.revenue, sales.before.revenue, phrase_before(report.period))
    rank = _("%(place)s of %(count)s tables") % {"place": ordinal(sales.rank), "count": sales.tables}
    parts = (revenue, change, rank if now.revenue and sales.tables > 1 else "")
    return f"{clauses(', '.join(part for part in parts if part))} {_scanned(report, peak, '')}"


def _scanned(report: TableScans, peak: HourCount | None, change: str) -> str:
    if not report.total or peak is None:
        return _why_empty(report)
    words = ngettext(
        "Scanned %(count)s time, most often from %(time)s", "Scanned %(count)s times, most often from %(time)s",
        report.total,
    )  # fmt: skip
    return clauses(words % {"count": grouped(report.total), "time": clock(peak.hour)}, change)


def _why_empty(report: TableScans) -> str:
    if report.total is None:
        return str(NO_SCANS)
    if not report.table.qr_analytics_id:
        return _("This table has no QR code yet. Save it in the admin to create one.")
    return _("No scans in this period.")


def _hours(report: TableScans) -> Table:
    by_hour = report.by_hour or {}
    rows = [[clock(hour), by_hour.get(hour, 0)] for hour in range(24)] if report.total else []
    columns = [(_("Hour"), "text"), (_("Scans"), "number")]
    return table_of(_("Scans by hour"), columns, rows, plotted=with_figures(rows, 1), empty=_why_empty(report))


def _devices(report: TableScans) -> Table:
    labels = {"ios": "iOS", "android": "Android", "other": _("Other")}
    total, by_device = report.total or 0, report.by_device or {}
    rows = [[labels[name], count, share(count, total)] for name, count in by_device.items()] if total else []
    columns = [(_("Device"), "text"), (_("Scans"), "number"), (_("Share"), "percent")]
    return table_of(_("Devices"), columns, rows, empty=_why_empty(report))
