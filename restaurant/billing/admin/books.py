"""Payments and changes of orders, to look up who did what, and when."""

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.billing.models import Payment
from restaurant.ordering.admin.lists import ServiceWrittenAdmin, TableFilter, table_and_section
from restaurant.ordering.models import OrderChange
from web.admin import change_link, moment_column
from web.templatetags.money import format_money


class TableOfSessionFilter(TableFilter):
    field = "session__table"


class TableOfOrderFilter(TableFilter):
    field = "order__table"


class VoidedFilter(admin.SimpleListFilter):
    title = gettext_lazy("voided")
    parameter_name = "voided"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [("no", _("no")), ("yes", _("yes"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(voided_at__isnull=self.value() == "no") if self.value() in {"yes", "no"} else queryset


def _since(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT")


@admin.register(Payment)
class PaymentAdmin(ServiceWrittenAdmin):
    list_display = ["taken", "at_table", "method", "paid", "extra", "taken_by_name", "voided"]
    list_filter = [TableOfSessionFilter, VoidedFilter, "method", "created_at"]
    list_select_related = ["session__table"]
    date_hierarchy = "created_at"
    ordering = ["-created_at", "-pk"]
    search_fields = ["taken_by_name", "void_note"]
    search_help_text = gettext_lazy("Who took it, or the note of a voided one")
    fields = [
        "at_table", "in_session", "method", "paid", "extra", "created_at", "taken_by_name", "voided_at",
        "voided_by_name", "void_note",
    ]  # fmt: skip
    readonly_fields = ["at_table", "in_session", "paid", "extra"]
    taken = moment_column("created_at", gettext_lazy("paid"))

    @admin.display(description=gettext_lazy("table"), ordering="session__table__table_number")
    def at_table(self, payment: Payment) -> str:
        return table_and_section(payment.session)

    @admin.display(description=gettext_lazy("session"))
    def in_session(self, payment: Payment) -> str:
        return change_link(payment.session, _("since %(time)s") % {"time": _since(payment.session.started_at)})

    @admin.display(description=gettext_lazy("amount"), ordering="amount")
    def paid(self, payment: Payment) -> str:
        return format_html("<s>{}</s>" if payment.voided_at else "{}", format_money(payment.amount))

    @admin.display(description=gettext_lazy("tip"), ordering="tip")
    def extra(self, payment: Payment) -> str | None:
        return format_money(payment.tip) if payment.tip else None

    @admin.display(description=gettext_lazy("voided"), ordering="voided_at")
    def voided(self, payment: Payment) -> str:
        if payment.voided_at is None:
            return ""
        return _("%(time)s by %(name)s") % {"time": _since(payment.voided_at), "name": payment.voided_by_name}


@admin.register(OrderChange)
class OrderChangeAdmin(ServiceWrittenAdmin):
    list_display = ["changed", "at_table", "kind", "worth", "reason", "who", "note"]
    list_filter = [TableOfOrderFilter, "kind", "reason", "at"]
    list_select_related = ["order__table"]
    date_hierarchy = "at"
    ordering = ["-at", "-pk"]
    search_fields = ["user_name", "note"]
    search_help_text = gettext_lazy("Who changed it, or the note")
    fields = ["at_table", "of_order", "at", "kind", "who", "reason", "note", "worth"]
    readonly_fields = ["at_table", "of_order", "who", "worth"]
    changed = moment_column("at", gettext_lazy("at"))

    @admin.display(description=gettext_lazy("table"), ordering="order__table__table_number")
    def at_table(self, change: OrderChange) -> str:
        return table_and_section(change.order)

    @admin.display(description=gettext_lazy("order"))
    def of_order(self, change: OrderChange) -> str:
        return change_link(change.order, _("placed %(time)s") % {"time": _since(change.order.created_at)})

    @admin.display(description=gettext_lazy("amount"), ordering="amount")
    def worth(self, change: OrderChange) -> str:
        return format_money(change.amount)

    @admin.display(description=gettext_lazy("by"), ordering="user_name")
    def who(self, change: OrderChange) -> str:
        return change.user_name or _("guest")
