"""The page of a table's scans."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from restaurant.reports.table import Details
from restaurant.views.report_pages import Page, Table, clock, days_before, share, table_of, tile, window, zone_name


def page(data: dict[str, Any], details: Details, days: int, now: datetime) -> Page:
    hours, devices = _table_hours(data, details), _devices(data)
    total, per_day = data["totalScans"], data["avgScansPerDay"]
    peak = (data["peakHours"] or [None])[0]
    return window(days, now) | {
        "heading": _("Scans of table %(number)s") % {"number": data["tableNumber"]},
        "section": details.section,
        "tiles": [
            tile(_("Scans"), total, before=details.before, period=days_before(days)),
            tile(_("Scans a day"), per_day, "decimal"),
            tile(_("Busiest hour"), clock(peak["hour"]) if peak else None, "text", note=_scans(peak)),
        ],
        "tables": [hours, devices],
        "hours": hours,
        "devices": devices,
        "notes": [
            _("Every scan of the code on this table is counted, also a second one by the same phone."),
            _("Hours are those of the clock in %(zone)s.") % {"zone": zone_name()},
            _("iPads count as iOS."),
        ],
    }


def _scans(peak: dict[str, int] | None) -> str:
    return ngettext("%(count)s scan", "%(count)s scans", peak["count"]) % {"count": peak["count"]} if peak else ""


def _why_no_scans(data: dict[str, Any], has_code: bool = True) -> str:
    if data["totalScans"] is None:
        return _("The scans are not known at the moment.")
    if not has_code:
        return _("This table has no code yet: it gets one when it is saved in the admin.")
    return _("The code of this table was not scanned in this time.")


def _table_hours(data: dict[str, Any], details: Details) -> Table:
    rows = [[clock(hour), details.by_hour.get(hour, 0)] for hour in range(24)] if data["totalScans"] else []
    columns = [(_("Hour"), "text"), (_("Scans"), "number")]
    return table_of(_("Scans by hour"), columns, rows, empty=_why_no_scans(data, details.has_code))


def _devices(data: dict[str, Any]) -> Table:
    found, total = data["deviceBreakdown"] or {}, data["totalScans"]
    labels = {"ios": "iOS", "android": "Android", "other": _("Other")}
    rows = [[labels[name], count, share(count, total)] for name, count in found.items()] if total else []
    columns = [(_("Device"), "text"), (_("Scans"), "number"), (_("Share"), "percent")]
    return table_of(_("Devices"), columns, rows, empty=_why_no_scans(data))
