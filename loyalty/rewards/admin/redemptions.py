from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty.exports import ExportAdmin
from loyalty.points.admin.filters import MemberFilter
from loyalty.rewards.models import Confirmation, Redemption, RedemptionQuerySet
from loyalty.rewards.queries.redemptions import state_of
from web.admin import ReadOnlyAdmin, change_link, number_column
from web.long_lists import LongListAdmin
from web.templatetags.moments import recent, short_day

# Beside the label, so that no status is told by colour alone.
SIGNS = {
    Redemption.Status.ACTIVE: "○",
    Redemption.Status.USED: "●",
    Redemption.Status.EXPIRED: "✕",
    Redemption.Status.CANCELLED: "↩",
}


def state_label(redemption: Redemption) -> str:
    state = Redemption.Status(state_of(redemption, timezone.now()))
    return format_html(
        '<span class="redemption-state redemption-{}"><span aria-hidden="true">{} </span>{}</span>',
        state.value,
        SIGNS[state],
        state.label,
    )


def state_moment(redemption: Redemption) -> str:
    """Return when it was used or has expired, or until when it can be used. Empty for one that was cancelled."""
    states, state = Redemption.Status, state_of(redemption, timezone.now())
    if state == states.USED and redemption.used_at:
        return recent(redemption.used_at)
    if state == states.ACTIVE:
        return _("until %(day)s") % {"day": redemption.until}
    return short_day(redemption.expires_at) if state == states.EXPIRED else ""


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
        if self.value() in (states.USED, states.CANCELLED):
            return queryset.filter(status=self.value())
        return queryset


class ConfirmationsFilter(admin.SimpleListFilter):
    title = gettext_lazy("confirmations")
    parameter_name = "confirmations"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [("0", _("none")), ("1", _("one")), ("more", _("more than one"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Redemption]) -> QuerySet[Redemption]:
        confirmed = Confirmation.objects.filter(undone_at=None).order_by().values("redemption")
        counted = confirmed.annotate(number=Count("pk"))
        if self.value() == "0":
            return queryset.exclude(pk__in=confirmed)
        if self.value() == "1":
            return queryset.filter(pk__in=counted.filter(number=1).values("redemption"))
        if self.value() == "more":
            return queryset.filter(pk__in=counted.filter(number__gt=1).values("redemption"))
        return queryset


@admin.register(Redemption)
class RedemptionAdmin(ExportAdmin, LongListAdmin, ReadOnlyAdmin):
    list_display = [
        "redemption_code", "state", "confirmed", "member", "reward", "recorded_by", "created_at", "expires_at",
        "used_at",
    ]  # fmt: skip
    plain = {"member": "customer"}
    list_filter = [MemberFilter, StateFilter, ConfirmationsFilter, "reward"]
    list_select_related = ["customer", "reward"]
    ordering = ["-created_at", "-pk"]
    search_fields = ["redemption_code", "customer__name", "customer__email"]
    search_help_text = gettext_lazy("Code, or name or email of the member")
    date_hierarchy = "created_at"
    fields = [
        "redemption_code", "member", "reward", "points", "state", "recorded_by", "created_at", "expires_at",
        "used_at",
    ]  # fmt: skip
    readonly_fields = ["member", "points", "state"]
    points = number_column("points_spent", gettext_lazy("points spent"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Redemption]:
        own = Confirmation.objects.filter(redemption=OuterRef("pk"), undone_at=None).order_by().values("redemption")
        number = Subquery(own.annotate(number=Count("pk")).values("number"), output_field=IntegerField())
        return super().get_queryset(request).annotate(times_confirmed=Coalesce(number, 0))

    @admin.display(description=gettext_lazy("member"), ordering="customer__name")
    def member(self, redemption: Redemption) -> str:
        return change_link(redemption.customer)

    @admin.display(description=gettext_lazy("status"), ordering="status")
    def state(self, redemption: Redemption) -> str:
        return state_label(redemption)

    @admin.display(description=gettext_lazy("confirmations"), ordering="times_confirmed")
    def confirmed(self, redemption: Redemption) -> Any:
        number: int = redemption.times_confirmed  # type: ignore[attr-defined]
        if number < 2:
            return number
        label = ngettext("%d time", "%d times", number) % number
        return format_html('<span class="needs-a-look"><span aria-hidden="true">⚠ </span>{}</span>', label)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        obj: Redemption | None = kwargs.get("obj")
        if obj is not None and request.user.has_perm("loyalty.view_confirmation"):
            confirmations = list(obj.confirmations.select_related("location").order_by("created_at", "pk"))
            context["confirmations"] = confirmations
            context["standing"] = [row for row in confirmations if row.undone_at is None]
        return super().render_change_form(request, context, *args, **kwargs)
