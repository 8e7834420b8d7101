from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from loyalty.exports import ExportAdmin
from loyalty.rewards.models import Confirmation, Redemption, RedemptionQuerySet
from loyalty.rewards.queries.redemptions import state_of
from web.admin import ReadOnly, ReadOnlyAdmin


def state_label(redemption: Redemption) -> str:
    return str(capfirst(Redemption.Status(state_of(redemption, timezone.now())).label))


class StateFilter(admin.SimpleListFilter):
    title = gettext_lazy("status")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [(state.value, str(state.label)) for state in Redemption.Status]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        states, now = Redemption.Status, timezone.now()
        redemptions = cast("RedemptionQuerySet", queryset)
        if self.value() == states.ACTIVE:
            return redemptions.usable_at(now)
        if self.value() == states.EXPIRED:
            return redemptions.filter(status=states.EXPIRED) | redemptions.overdue_at(now)
        return queryset.filter(status=self.value()) if self.value() in (states.USED, states.CANCELLED) else queryset


class ConfirmationInline(ReadOnly, admin.TabularInline):
    model = Confirmation
    fields = ["created_at", "staff_id", "recorded_by", "location", "message", "undone_at", "undone_by"]
    readonly_fields = ["created_at", "staff_id", "recorded_by", "location", "message", "undone_at", "undone_by"]
    ordering = ["created_at", "pk"]
    extra = 0


@admin.register(Redemption)
class RedemptionAdmin(ExportAdmin, ReadOnlyAdmin):
    list_display = [
        "redemption_code", "state", "confirmed", "customer", "reward", "recorded_by", "created_at", "expires_at",
        "used_at",
    ]  # fmt: skip
    list_filter = [StateFilter, "reward"]
    list_select_related = ["customer", "reward"]
    ordering = ["-created_at", "-pk"]
    search_fields = ["redemption_code", "customer__name__typed", "customer__email__typed"]
    search_help_text = gettext_lazy("Code, or name or email of the member")
    date_hierarchy = "created_at"
    fields = [
        "redemption_code", "customer", "reward", "points_spent", "state", "recorded_by", "created_at", "expires_at",
        "used_at",
    ]  # fmt: skip
    readonly_fields = ["state"]
    inlines = [ConfirmationInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Redemption]:
        own = Confirmation.objects.filter(redemption=OuterRef("pk"), undone_at=None).order_by().values("redemption")
        number = Subquery(own.annotate(number=Count("pk")).values("number"), output_field=IntegerField())
        return super().get_queryset(request).annotate(times_confirmed=Coalesce(number, 0))

    @admin.display(description=gettext_lazy("status"), ordering="status")
    def state(self, redemption: Redemption) -> str:
        return state_label(redemption)

    @admin.display(description=gettext_lazy("confirmations"), ordering="times_confirmed")
    def confirmed(self, redemption: Any) -> int:
        return int(redemption.times_confirmed)
