from datetime import date, datetime, time
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy

from qrservice import queries
from qrservice.models import Scan
from web.admin import ReadOnlyAdmin, change_link, moment_column
from web.long_lists import LongList, LongListAdmin

# All device types that `devices.detect` returns; a query for the recorded ones would read every scan.
DEVICES = ("iOS", "iOS (iPad)", "Android", "Windows", "macOS", "Linux", "ChromeOS", "other")

_YEAR, _MONTH = (f"scanned_at__{part}" for part in ("year", "month"))
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


class ScanList(LongList):
    """Scans, newest first. There is no index on the time alone: the range of dates comes from the codes' own scans.

    Without a code or a month the list begins at `since`. A filter may leave few of those rows: finding a device that is
    nowhere else would mean reading every scan.
    """

    since: date | None = None

    def get_queryset(self, request: HttpRequest, exclude_parameters: list[str | None] | None = None) -> QuerySet[Scan]:
        scans = super().get_queryset(request, exclude_parameters)
        if self.ends is None or {_CODE, _MONTH} & set(self.params):
            return scans  # the index on code and time sorts them
        year = int(self.params.get(_YEAR) or self.ends[1].year)
        last_day = min(self.ends[1], date(year, 12, 31))
        until = timezone.make_aware(datetime.combine(last_day, time.max))
        since = queries.newest_since(until, for_filter=DeviceFilter.parameter_name in self.params)
        if since is None:
            return scans
        self.since = timezone.localdate(since)
        return scans.filter(scanned_at__gt=since)

    @cached_property
    def ends(self) -> tuple[date, date] | None:
        """The local days of the first and the last scan."""
        code = self.params.get(_CODE, "")
        ends = queries.scan_period(int(code) if code.isdecimal() else None)
        return (timezone.localdate(ends[0]), timezone.localdate(ends[1])) if ends else None


@admin.register(Scan)
class ScanAdmin(LongListAdmin, ReadOnlyAdmin):
    list_display = ["scanned", "of_code", "device_type", "city", "country"]
    list_filter = [DeviceFilter]
    list_select_related = ["code"]
    list_max_show_all = 0
    ordering = ["-scanned_at", "-pk"]
    sortable_by = ()
    date_hierarchy = "scanned_at"
    fields = ["scanned_at", "of_code", "device_type", "city", "country"]
    readonly_fields = ["of_code"]
    scanned = moment_column("scanned_at", gettext_lazy("scanned"))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return ScanList

    @admin.display(description=gettext_lazy("QR code"))
    def of_code(self, scan: Scan) -> str:
        return change_link(scan.code)
