from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from loyalty.exports import ExportAdmin
from loyalty.points.admin import lines
from loyalty.points.admin.filters import MemberFilter
from loyalty.points.models import TAKE_BACK_ANY, PointTransaction
from loyalty.points.queries.search import search_transactions, transaction_matches
from web.admin import ReadOnlyAdmin, change_link, moment_column
from web.long_lists import LongList, LongListAdmin, words


class Ledger(LongList):
    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        lines.name_staff(self.result_list)

    @cached_property
    def sums(self) -> dict[str, int]:
        """The points `given` on all pages, as they are filtered, and `taken` by redemptions and corrections."""
        given = Sum("points", filter=Q(points__gt=0), default=0)
        taken = -Sum("points", filter=Q(points__lt=0), default=0)
        sums: dict[str, int] = self.queryset.order_by().aggregate(given=given, taken=taken)
        return sums


@admin.register(PointTransaction)
class PointTransactionAdmin(ExportAdmin, LongListAdmin, ReadOnlyAdmin):
    # The text says of which type a line is. It can be filtered by it, and its page and the export have it.
    list_display = ["member", "signed", "what", "bill", "at", "staff"]
    list_display_links = ["at"]
    exported = [
        "created_at", "member", "type", "signed", "description", "bill", "location", "staff_id", "recorded_by",
    ]  # fmt: skip
    plain = {"member": "customer", "signed": "points", "bill": "order_total"}
    list_filter = [MemberFilter, "type", "location", "created_at"]
    list_select_related = ["customer", "location"]
    ordering = ["-created_at", "-pk"]
    search_fields = ["customer__search_text", "description", "staff_id", "recorded_by"]
    search_help_text = gettext_lazy("Member or text")
    date_hierarchy = "created_at"
    fields = [
        "member", "type", "signed", "description", "bill", "location", "staff_id", "recorded_by", "created_at",
    ]  # fmt: skip
    readonly_fields = ["member", "signed", "bill"]

    at = moment_column("created_at", gettext_lazy("time"))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[PointTransaction], search_term: str
    ) -> tuple[QuerySet[PointTransaction], bool]:
        terms = words(search_term)
        if request.path.endswith("/export/"):  # has everything, and may take its time
            return queryset.filter(transaction_matches(terms)), False
        return search_transactions(queryset, terms) if terms else queryset, False

    @admin.display(description=gettext_lazy("member"), ordering="customer__name")
    def member(self, transaction: PointTransaction) -> str:
        return change_link(transaction.customer)

    @admin.display(description=gettext_lazy("points"), ordering="points")
    def signed(self, transaction: PointTransaction) -> str:
        text = lines.points(transaction)
        return format_html('<span class="points-minus">{}</span>', text) if transaction.points < 0 else text

    @admin.display(description=gettext_lazy("order total"), ordering="order_total")
    def bill(self, transaction: PointTransaction) -> str | None:
        return lines.bill(transaction) or None

    @admin.display(description=gettext_lazy("place or reason"))
    def what(self, transaction: PointTransaction) -> str:
        return lines.text(transaction)

    @admin.display(description=gettext_lazy("staff"))
    def staff(self, transaction: Any) -> str | None:
        return str(transaction.staff) or None

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return Ledger

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        obj: PointTransaction | None = kwargs.get("obj")
        if obj is not None and request.user.has_perm(TAKE_BACK_ANY):
            standing = PointTransaction.objects.filter(pk=obj.pk, customer__erased_at=None).purchases().standing()
            context["may_take_back"] = standing.exists()
        return super().render_change_form(request, context, *args, **kwargs)
