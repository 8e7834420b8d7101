from calendar import monthrange
from datetime import date, datetime, time
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from qrservice import queries
from qrservice.models import Scan
from web.admin import ReadOnlyAdmin, change_link

# All device types that `devices.detect` returns; a query for the recorded ones would read every scan.
DEVICES = ("iOS", "iOS (iPad)", "Android", "Windows", "macOS", "Linux", "ChromeOS", "other")

_YEAR, _MONTH, _DAY = (f"scanned_at__{part}" for part in ("year", "month", "day"))
_CODE = "code__id__exact"


class DeviceFilter(admin.SimpleListFilter):
    title = gettext_lazy("device")
    parameter_name = "device"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [(name, name) for name in DEVICES]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Scan]) -> QuerySet[Scan]:
        if not self.value():
            return queryset
        return queryset.filter(device_type=self.value()) if self.value() in DEVICES else queryset.none()


class NewestPaginator(Paginator):
    """Pages of the newest scans, so that counting takes a bounded time."""

    @cached_property
    def found(self) -> int:
        return queries.counted(self.object_list)  # type: ignore[arg-type]

    @property
    def is_cut(self) -> bool:
        return self.found > queries.MAX_COUNTED

    @cached_property
    def count(self) -> int:
        return min(self.found, queries.MAX_COUNTED)


class ScanList(ChangeList):
    """Newest first, with a date hierarchy that is computed from the first and the last scan."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: list[str | None] | None = None) -> QuerySet[Scan]:
        found = super().get_queryset(request, exclude_parameters)
        if self._ends is None or {_CODE, _MONTH} & set(self.params):
            return found  # the index on code and time sorts them
        year = int(self.params.get(_YEAR) or self._ends[1].year)
        last_day = min(self._ends[1], date(year, 12, 31))
        return queries.newest(found, until=timezone.make_aware(datetime.combine(last_day, time.max)))

    @cached_property
    def periods(self) -> dict[str, Any]:
        """The context of the template `admin/date_hierarchy.html`."""
        year, month, day = (int(self.params.get(name) or 0) for name in (_YEAR, _MONTH, _DAY))
        if year and month and day:
            here = {"title": capfirst(date_format(date(year, month, day), "MONTH_DAY_FORMAT"))}
            return {"show": True, "back": self._month(date(year, month, 1)), "choices": [here]}
        if self._ends is None:
            return {"show": False}
        begin, end = self._ends
        if year and month:
            days = [date(year, month, each) for each in range(1, monthrange(year, month)[1] + 1)]
            choices = [self._day(each) for each in days if begin <= each <= end]
            return {"show": True, "back": self._year(year), "choices": choices}
        if year:
            months = [date(year, each, 1) for each in range(1, 13)]
            choices = [self._month(each) for each in months if begin.replace(day=1) <= each <= end]
            return {"show": True, "back": {"link": self._link({}), "title": _("All dates")}, "choices": choices}
        choices = [self._year(each) for each in range(begin.year, end.year + 1)]
        return {"show": True, "back": None, "choices": choices}

    @cached_property
    def _ends(self) -> tuple[date, date] | None:
        """The local days of the first and of the last scan."""
        code = self.params.get(_CODE, "")
        ends = queries.scan_period(int(code) if code.isdecimal() else None)
        return (timezone.localdate(ends[0]), timezone.localdate(ends[1])) if ends else None

    def _link(self, period: dict[str, int]) -> str:
        return self.get_query_string(dict(period), ["scanned_at__"])

    def _year(self, year: int) -> dict[str, str]:
        return {"link": self._link({_YEAR: year}), "title": str(year)}

    def _month(self, first: date) -> dict[str, str]:
        link = self._link({_YEAR: first.year, _MONTH: first.month})
        return {"link": link, "title": capfirst(date_format(first, "YEAR_MONTH_FORMAT"))}

    def _day(self, day: date) -> dict[str, str]:
        link = self._link({_YEAR: day.year, _MONTH: day.month, _DAY: day.day})
        return {"link": link, "title": capfirst(date_format(day, "MONTH_DAY_FORMAT"))}


@admin.register(Scan)
class ScanAdmin(ReadOnlyAdmin):
    """The time for each page is bounded, whatever the number of scans."""

    list_display = ["scanned_at", "of_code", "device_type", "city", "country"]
    list_filter = [DeviceFilter]
    list_select_related = ["code"]
    list_per_page = 100
    list_max_show_all = 0
    ordering = ["-scanned_at", "-pk"]
    sortable_by = ()
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    date_hierarchy = "scanned_at"
    fields = ["scanned_at", "of_code", "device_type", "city", "country"]
    readonly_fields = ["of_code"]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return ScanList

    def get_paginator(self, request: HttpRequest, queryset: Any, *args: Any, **kwargs: Any) -> Paginator:
        # Django calls this for the list of scans, and for the log entries of a history page.
        paginator = NewestPaginator if queryset.model is Scan else Paginator
        return paginator(queryset, *args, **kwargs)

    @admin.display(description=gettext_lazy("QR code"))
    def of_code(self, scan: Scan) -> str:
        return change_link(scan.code)
