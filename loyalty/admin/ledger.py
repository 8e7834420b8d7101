from django.contrib import admin
from django.utils.translation import gettext_lazy

from loyalty.admin.exports import ExportAdmin
from loyalty.admin.filters import MemberFilter
from loyalty.models import PointTransaction
from web.admin import ReadOnlyAdmin, change_link
from web.long_lists import LongListAdmin
from web.templatetags.money import format_money
from web.templatetags.reports import signed


@admin.register(PointTransaction)
class PointTransactionAdmin(ExportAdmin, LongListAdmin, ReadOnlyAdmin):
    list_display = [
        "created_at", "member", "type", "signed", "description", "bill", "location", "staff_id", "recorded_by",
    ]  # fmt: skip
    plain = {"member": "customer", "signed": "points", "bill": "order_total"}
    list_filter = [MemberFilter, "type", "location"]
    list_select_related = ["customer", "location"]
    ordering = ["-created_at", "-pk"]
    search_fields = ["customer__name", "customer__email", "description", "staff_id", "recorded_by"]
    search_help_text = gettext_lazy("Name or email of the member, description or staff")
    date_hierarchy = "created_at"
    fields = [
        "member", "type", "signed", "description", "bill", "location", "staff_id", "recorded_by", "created_at",
    ]  # fmt: skip
    readonly_fields = ["member", "signed", "bill"]

    @admin.display(description=gettext_lazy("member"), ordering="customer__name")
    def member(self, transaction: PointTransaction) -> str:
        return change_link(transaction.customer)

    @admin.display(description=gettext_lazy("points"), ordering="points")
    def signed(self, transaction: PointTransaction) -> str:
        return signed(transaction.points)

    @admin.display(description=gettext_lazy("order total"), ordering="order_total")
    def bill(self, transaction: PointTransaction) -> str | None:
        return None if transaction.order_total is None else format_money(transaction.order_total)
