from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from qrservice.models import Scan
from web.admin import ReadOnlyAdmin, change_link

# All device types that `devices.detect` returns; a query for the recorded ones would read every scan.
DEVICES = ("iOS", "iOS (iPad)", "Android", "Windows", "macOS", "Linux", "ChromeOS", "other")


class DeviceFilter(admin.SimpleListFilter):
    title = gettext_lazy("device")
    parameter_name = "device"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [(name, name) for name in DEVICES]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Scan]) -> QuerySet[Scan]:
        return queryset.filter(device_type=self.value()) if self.value() else queryset


@admin.register(Scan)
class ScanAdmin(ReadOnlyAdmin):
    """Scans in the order in which they were stored: there is no index on the time alone."""

    list_display = ["scanned_at", "of_code", "device_type", "city", "country"]
    list_filter = [DeviceFilter]
    list_select_related = ["code"]
    list_max_show_all = 0
    ordering = ["-pk"]
    sortable_by = ()
    fields = ["scanned_at", "of_code", "device_type", "city", "country"]
    readonly_fields = ["of_code"]

    @admin.display(description=gettext_lazy("QR code"))
    def of_code(self, scan: Scan) -> str:
        return change_link(scan.code)
