from django.contrib import admin

from qrservice.models import Account, Code, Scan

admin.site.register(Account)


@admin.register(Code)
class CodeAdmin(admin.ModelAdmin):
    list_display = ["slug", "redirect_url", "status", "account", "created_at"]
    list_filter = ["status", "account"]
    search_fields = ["slug", "redirect_url", "analytics_id", "metadata"]
    readonly_fields = ["slug", "analytics_id", "created_at", "updated_at"]


@admin.register(Scan)
class ScanAdmin(admin.ModelAdmin):
    """Scans are facts: to read, not to edit."""

    list_display = ["code", "scanned_at", "device_type", "city", "country"]
    list_filter = ["device_type"]
    date_hierarchy = "scanned_at"

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False
