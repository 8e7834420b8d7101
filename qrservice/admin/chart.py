"""The chart of scans by day in `templates/admin/qrservice/code/_chart.html`."""

from datetime import date
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from web.templatetags.reports import shown


class Chart:
    def __init__(self, days: list[tuple[date, int]]) -> None:
        self.days = days
        self.total = shown(sum(number for _day, number in days), "number")
        self.highest = shown(max((number for _day, number in days), default=0), "number")

    @cached_property
    def table(self) -> dict[str, Any]:
        """As `web.templatetags.plots` wants it."""
        columns = [{"label": _("Day"), "kind": "date"}, {"label": _("Scans"), "kind": "number"}]
        rows = [list(day) for day in self.days]
        today = len(rows) - 1 if rows else None
        return {
            "title": _("Scans by day"), "columns": columns, "rows": rows, "without": _("No scans"), "running": today,
        }  # fmt: skip
