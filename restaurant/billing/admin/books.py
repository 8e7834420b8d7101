"""Cash drawers; payments and changes of orders, to look up who did what, and when."""

from django.contrib import admin
from django.db.models import QuerySet
from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from restaurant.billing.models import Account, Accountant, CashDrawer, Payment
from restaurant.ordering.admin.lists import table_and_section
from restaurant.ordering.models import OrderChange
from restaurant.protected_admin import ProtectedAdmin
from web.admin import OneRowAdmin, ReadOnlyAdmin, change_link, column, money_column
from web.templatetags.money import format_money


@admin.register(CashDrawer)
class CashDrawerAdmin(ProtectedAdmin):
    fields = ["name", "printer", "active"]
    list_display = ["name", "printer", "active"]
    list_select_related = ["printer"]
    refusal = gettext_lazy("“%(name)s” is in the books, so it can't be deleted. To stop it, make it inactive.")

    def rows_with_history(self) -> QuerySet[CashDrawer]:
        return CashDrawer.objects.filter(days__isnull=False).distinct()


@admin.register(Payment)
class PaymentAdmin(ReadOnlyAdmin):
    list_display = ["created_at", "at_table", "method", "paid", "given", "taken_by_name", "voided_at", "voided_by_name"]
    list_filter = ["method", "created_at", ("voided_at", admin.EmptyFieldListFilter)]
    list_select_related = ["session__table"]
    date_hierarchy = "created_at"
    ordering = ["-created_at", "-pk"]
    search_fields = ["taken_by_name__typed", "void_note__typed"]
    search_help_text = gettext_lazy("Who took it, or the note of a voided one")
    fields = [
        "at_table", "in_session", "method", "paid", "given", "created_at", "taken_by_name", "voided_at",
        "voided_by_name", "void_note",
    ]  # fmt: skip
    readonly_fields = ["at_table", "in_session", "paid", "given"]
    given = money_column("tip", gettext_lazy("tip"))
    at_table = column(
        gettext_lazy("table"), lambda payment: table_and_section(payment.session), "session__table__table_number"
    )
    in_session = column(gettext_lazy("session"), lambda payment: change_link(payment.session))

    @admin.display(description=gettext_lazy("amount"), ordering="amount")
    def paid(self, payment: Payment) -> str:
        return format_html("<s>{}</s>" if payment.voided_at else "{}", format_money(payment.amount))


@admin.register(OrderChange)
class OrderChangeAdmin(ReadOnlyAdmin):
    list_display = ["at", "at_table", "kind", "worth", "reason", "user_name", "note"]
    list_filter = ["kind", "reason", "at"]
    list_select_related = ["order__table"]
    date_hierarchy = "at"
    ordering = ["-at", "-pk"]
    search_fields = ["user_name__typed", "note__typed"]
    search_help_text = gettext_lazy("Who changed it, or the note")
    fields = ["at_table", "of_order", "at", "kind", "user_name", "reason", "note", "worth"]
    readonly_fields = ["at_table", "of_order", "worth"]
    worth = money_column("amount", gettext_lazy("amount"))
    at_table = column(
        gettext_lazy("table"), lambda change: table_and_section(change.order), "order__table__table_number"
    )
    of_order = column(gettext_lazy("order"), lambda change: change_link(change.order, change.order.called))


@admin.register(Account)
class AccountAdmin(admin.ModelAdmin):
    list_display = ["number", "kind", "vat_rate", "name"]


@admin.register(Accountant)
class AccountantAdmin(OneRowAdmin):
    pass
