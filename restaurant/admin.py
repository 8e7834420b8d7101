from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from qrservice import gateway
from restaurant.models import MenuItem, Order, OrderItem, Table, TableSession
from restaurant.services import tables


class ReadOnly(admin.ModelAdmin):
    """For what services alone may write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(MenuItem)
class MenuItemAdmin(admin.ModelAdmin):
    list_display = ["name", "available", "price", "category"]
    list_editable = ["category", "price", "available"]
    list_filter = ["available", "category"]
    search_fields = ["name", "description"]


@admin.register(Table)
class TableAdmin(admin.ModelAdmin):
    """A new table gets its code once it is saved (decision 5.1)."""

    list_display = ["table_number", "section", "capacity", "has_code"]
    list_filter = ["section"]
    search_fields = ["table_number", "section"]
    readonly_fields = ["short_url", "code_picture"]

    def get_readonly_fields(self, request: HttpRequest, obj: Table | None = None) -> list[str]:
        # A printed code leads to its number: another number is another table.
        return [*self.readonly_fields, *(["table_number"] if obj else [])]

    @admin.display(boolean=True, description=_("code"))
    def has_code(self, table: Table) -> bool:
        return bool(table.qr_analytics_id)

    @admin.display(description=_("QR code"))
    def code_picture(self, table: Table) -> str:
        if not table.qr_code_url:
            return "-"
        return format_html(
            '<img src="{}" width="256" height="256" alt="{}"><br><a href="{}">{}</a>',
            gateway.image_url(table.qr_code_url, size=512),
            _("The code of this table"),
            gateway.image_url(table.qr_code_url, size=2048),
            _("Large picture, for print"),
        )

    def changeform_view(self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any) -> Any:
        response = super().changeform_view(request, object_id, *args, **kwargs)
        # After the admin's own transaction: a call of the code service must not wait inside one.
        saved = getattr(request, "saved_table", None)
        if saved is not None:
            self._give_code(request, saved)
        return response

    def save_model(self, request: HttpRequest, obj: Table, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        request.saved_table = obj  # type: ignore[attr-defined]

    def _give_code(self, request: HttpRequest, table: Table) -> None:
        try:
            tables.give_code(table=table)
        except gateway.QRServiceError:
            sentence = _("The table is saved, but has no code yet: the QR code service can't be reached. Save again.")
            messages.warning(request, sentence)


@admin.register(TableSession)
class TableSessionAdmin(ReadOnly):
    list_display = ["table", "started_at", "ended_at", "total_scans", "total_orders", "total_revenue"]
    date_hierarchy = "started_at"
    list_select_related = ["table"]


class OrderItemInline(admin.TabularInline):
    model = OrderItem
    fields = ["name", "quantity", "price", "special_instructions"]
    extra = 0


@admin.register(Order)
class OrderAdmin(ReadOnly):
    list_display = ["id", "table", "status", "total", "created_at", "completed_at"]
    list_filter = ["status"]
    date_hierarchy = "created_at"
    list_select_related = ["table"]
    inlines = [OrderItemInline]
