from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from loyalty.exports import ExportAdmin
from loyalty.points.models import TAKE_BACK_ANY, PointTransaction
from loyalty.points.queries.search import search_transactions, transaction_matches
from web.admin import ReadOnlyAdmin, money_column
from web.searching import terms_of


@admin.register(PointTransaction)
class PointTransactionAdmin(ExportAdmin, ReadOnlyAdmin):
    list_display = [
        "created_at", "customer", "type", "points", "what", "bill", "location", "staff_id", "recorded_by",
    ]  # fmt: skip
    plain = {"bill": "order_total", "what": "description"}
    bill = money_column("order_total", gettext_lazy("order total"))
    list_filter = ["type", "location", "created_at"]
    list_select_related = ["customer", "location", "reverses__location"]
    ordering = ["-created_at", "-pk"]
    search_fields = ["customer__search_text", "description", "staff_id", "recorded_by"]
    search_help_text = gettext_lazy("Member or text")
    date_hierarchy = "created_at"
    fields = [
        "customer", "type", "points", "what", "bill", "location", "staff_id", "recorded_by",
        "created_at",
    ]  # fmt: skip
    readonly_fields = ["what", "bill", "take_back"]

    @admin.display(description=gettext_lazy("description"), ordering="description")
    def what(self, transaction: PointTransaction) -> str:
        return transaction.local_description

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[PointTransaction], search_term: str
    ) -> tuple[QuerySet[PointTransaction], bool]:
        terms = terms_of(search_term)
        if request.path.endswith("/export/"):  # has everything, and may take its time
            return queryset.filter(transaction_matches(terms)), False
        return search_transactions(queryset, terms) if terms else queryset, False

    def get_fields(self, request: HttpRequest, obj: PointTransaction | None = None) -> Any:
        if obj is None or not request.user.has_perm(TAKE_BACK_ANY):
            return self.fields
        standing = PointTransaction.objects.filter(pk=obj.pk, customer__erased_at=None).purchases().standing()
        return [*(self.fields or []), *(["take_back"] if standing.exists() else [])]

    @admin.display(description=gettext_lazy("by mistake?"))
    def take_back(self, transaction: PointTransaction) -> str:
        address = reverse("admin:loyalty_member_take_back", args=[transaction.customer_id, transaction.pk])
        return format_html('<a href="{}">{}</a>', address, _("Take back"))
