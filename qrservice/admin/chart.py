"""The chart of scans by day in `templates/admin/qrservice/code/_chart.html`."""

from datetime import date
from functools import cached_property

from django.utils.translation import gettext as _

from web.reporting import Column, Plot, Table
from web.templatetags.reports import shown


class Chart:
    def __init__(self, days: list[tuple[date, int]]) -> None:
        self.days = days
        self.total = shown(sum(number for _day, number in days), "number")
        self.highest = shown(max((number for _day, number in days), default=0), "number")

    @cached_property
    def table(self) -> Table:
        rows = [list(day) for day in self.days]
        plot = Plot(nothing=_("No scans"), running=len(rows) - 1 if rows else None)
        return Table(_("Scans by day"), [Column(_("Day"), "date"), Column(_("Scans"), "number")], rows, plot=plot)
