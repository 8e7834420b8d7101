from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from loyalty.admin.exports import ExportAdmin
from loyalty.admin.filters import MemberFilter
from loyalty.models import PointTransaction
from loyalty.search import all_lines_with, lines_with
from web.admin import ReadOnlyAdmin, change_link
from web.long_lists import LongListAdmin, words
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
    search_fields = ["customer__search_text", "description", "staff_id", "recorded_by"]
    search_help_text = gettext_lazy(
        "Name, email or phone of the member; description or staff among the latest 10,000 that are listed"
    )
    date_hierarchy = "created_at"
    fields = [
        "member", "type", "signed", "description", "bill", "location", "staff_id", "recorded_by", "created_at",
    ]  # fmt: skip
    readonly_fields = ["member", "signed", "bill"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[PointTransaction], search_term: str
    ) -> tuple[QuerySet[PointTransaction], bool]:
        parts = words(search_term)
        if request.path.endswith("/export/"):  # has everything, and may take its time
            return queryset.filter(all_lines_with(parts)), False
        return lines_with(queryset, parts) if parts else queryset, False

    @admin.display(description=gettext_lazy("member"), ordering="customer__name")
    def member(self, transaction: PointTransaction) -> str:
        return change_link(transaction.customer)

    @admin.display(description=gettext_lazy("points"), ordering="points")
    def signed(self, transaction: PointTransaction) -> str:
        return signed(transaction.points)

    @admin.display(description=gettext_lazy("order total"), ordering="order_total")
    def bill(self, transaction: PointTransaction) -> str | None:
        return None if transaction.order_total is None else format_money(transaction.order_total)
