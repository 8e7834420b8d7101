"""Orders and table sessions, which services alone write."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from loyalty import gateway as loyalty
from restaurant.billing.models import Payment
from restaurant.billing.queries import bill_of
from restaurant.ordering.admin.lists import table_and_section
from restaurant.ordering.models import Order, OrderChange, OrderItem, TableSession, TableSessionQuerySet
from restaurant.tables.models import MAX_TABLE_NUMBER
from web.admin import ReadOnly, ReadOnlyAdmin, column, money_column
from web.exports import ExportAdmin
from web.fields import is_uuid
from web.templatetags.moments import recent
from web.templatetags.money import format_money

_FIRST_ID, _LAST_ID = str(UUID(int=0)), str(UUID(int=2**128 - 1))


def by_table_or_id(queryset: QuerySet[Any], term: str) -> QuerySet[Any]:
    """Find up to five digits as a table's number, and anything else as an id or its beginning."""
    term = term.strip().lstrip("#").lower()  # dockets write #1A2B3C
    if term.isascii() and term.isdigit() and len(term) <= len(str(MAX_TABLE_NUMBER)):
        return queryset.filter(table__table_number=int(term))
    # The ids that begin so are those from the first such id to the last one: an index finds them.
    first, last = term + _FIRST_ID[len(term) :], term + _LAST_ID[len(term) :]
    return queryset.filter(pk__range=(first, last)) if is_uuid(first) and is_uuid(last) else queryset.none()


def link_to_bill(session: TableSession, if_paid: str = "") -> str:
    bill = bill_of(session)
    words = _("%(total)s, %(due)s due") if bill.due or not if_paid else if_paid
    text = words % {"total": format_money(bill.total), "due": format_money(bill.due)}
    return format_html('<a href="{}">{}</a>', session.bill_url, text)


class TableOrIdSearchAdmin(ReadOnlyAdmin):
    search_fields = ["pk"]  # so that there is a search box

    at_table = column(gettext_lazy("table"), table_and_section, "table__table_number")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        return (by_table_or_id(queryset, search_term) if search_term.strip() else queryset), False


# --- orders ---------------------------------------------------------------------------------------


class ItemInline(ReadOnly, admin.TabularInline):
    """Whoever sees the order sees its items."""

    model = OrderItem
    fields = ["quantity", "display_name", "chosen", "notes", "cancelled_quantity", "each", "sum"]
    readonly_fields = ["quantity", "display_name", "chosen", "notes", "cancelled_quantity", "each", "sum"]
    extra = 0
    verbose_name_plural = gettext_lazy("items")
    each = money_column("price", gettext_lazy("unit price"))
    sum = money_column("total", gettext_lazy("total"))
    display_name = column(gettext_lazy("item"), lambda item: item.display_name)
    chosen = column(gettext_lazy("options"), lambda item: ", ".join(option["name"] for option in item.options))

    def get_queryset(self, request: HttpRequest) -> QuerySet[OrderItem]:
        return super().get_queryset(request).select_related("menu_item")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("restaurant.view_order")

    @admin.display(description=gettext_lazy("notes"))
    def notes(self, item: OrderItem) -> str:
        allergy = _("Allergy: %s") % ", ".join(item.alert_names) if item.alert else ""
        return " · ".join(filter(None, [allergy, item.special_instructions]))


class ChangeInline(ReadOnly, admin.TabularInline):
    """Who approved, refused or cancelled it, or a part of it."""

    model = OrderChange
    fields = ["at", "kind", "user_name", "reason", "note", "worth"]
    readonly_fields = ["worth"]
    extra = 0
    worth = money_column("amount", gettext_lazy("amount"))


@admin.register(Order)
class OrderAdmin(ExportAdmin, TableOrIdSearchAdmin):
    list_display = ["called", "created_at", "at_table", "status_label", "cost", "completed_at"]
    plain = {"status_label": "status", "cost": "total"}
    list_filter = ["status", "created_at"]
    list_select_related = ["table"]
    date_hierarchy = "created_at"
    ordering = ["-created_at", "-pk"]
    sortable_by = ("called", "created_at", "cost")  # by an index
    search_help_text = gettext_lazy("Table or #1A2B3C")
    fieldsets = [
        (
            None,
            {
                "fields": [
                    ("called", "at_table"),
                    "status_label",
                    "cost",
                    "bill",
                    "by",
                    "card",
                    "points_collected",
                    "told",
                ]
            },
        ),
        (
            gettext_lazy("When"),
            {"fields": ["created_at", "approved_at", "ready_at", "served_at", "completed_at", "cancelled_at"]},
        ),
    ]
    readonly_fields = [
        "called", "at_table", "status_label", "bill", "by", "card", "points_collected", "told", "cost",
    ]  # fmt: skip
    inlines = [ItemInline, ChangeInline]
    cost = money_column("total", gettext_lazy("total"))
    called = column(gettext_lazy("number"), lambda order: order.called, "pk")
    status_label = column(gettext_lazy("status"), lambda order: order.status_label, "status")
    by = column(gettext_lazy("ordered by"), lambda order: order.placed_by or _("Guest"))
    bill = column(gettext_lazy("the table's bill"), lambda order: link_to_bill(order.session, _("%(total)s, paid")))
    told = column(gettext_lazy("allergies"), lambda order: ", ".join(order.allergy_names))

    def get_fieldsets(self, request: HttpRequest, obj: Order | None = None) -> Any:
        """Leave out what is empty for this order, or what the user may not see."""
        if obj is None:
            return self.fieldsets
        hidden = {name for name in ("approved_at", "cancelled_at", "points_collected") if getattr(obj, name) is None}
        is_used = {
            "bill": request.user.has_perm("restaurant.view_payment") and obj.is_counted,
            "card": obj.collector and loyalty.collects_at_tables(),
            "told": obj.allergies,
        }
        hidden |= {name for name, used in is_used.items() if not used}
        return [
            (title, {"fields": [name for name in part["fields"] if name not in hidden]})
            for title, part in self.fieldsets or []
        ]

    @admin.display(description=gettext_lazy("points go to"))
    def card(self, order: Any) -> str:
        """Return whose card gets the points, with a link for users who may see members."""
        card = loyalty.card(order.collector)
        holder = loyalty.holder(order.collector, order.reader) if card else None
        if holder:
            return format_html('<a href="{}">{}</a>', holder.path, holder.name)
        return (card.first_name if card else "") or _("A member")

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Lead from the page's head to the bill, and to where the order is cancelled."""
        obj: Order | None = kwargs.get("obj")
        if obj is not None:
            obj.reader = request.user  # type: ignore[attr-defined]
            context["subtitle"] = f"{obj.called} · {table_and_section(obj)}"
            may_cancel = request.user.has_perm("restaurant.work_kitchen") or request.user.has_perm(
                "restaurant.close_session"
            )
            if may_cancel and obj.status not in (Order.Status.COMPLETED, Order.Status.CANCELLED):
                context["cancel"] = reverse("cancel_order", args=[obj.pk])
            if request.user.has_perm("restaurant.view_payment") and obj.is_counted:
                context["bill_page"] = obj.session.bill_url
        return super().render_change_form(request, context, *args, **kwargs)


# --- sessions -------------------------------------------------------------------------------------


class StateFilter(admin.SimpleListFilter):
    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [("open", _("open")), ("closed", _("closed")), ("left", _("not closed within 4 hours"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> QuerySet[TableSession]:
        sessions: TableSessionQuerySet = queryset
        if self.value() == "open":
            return sessions.open()
        if self.value() == "closed":
            return sessions.filter(ended_at__isnull=False)
        return sessions.expired() if self.value() == "left" else sessions


class OrderInline(ReadOnly, admin.TabularInline):
    model = Order
    fields = ["created_at", "status", "cost"]
    readonly_fields = ["cost"]
    ordering = ["created_at", "pk"]
    extra = 0
    show_change_link = True
    cost = money_column("total", gettext_lazy("total"))


class PaymentInline(ReadOnly, admin.TabularInline):
    model = Payment
    fields = ["created_at", "method", "taken_by_name", "given", "paid", "voided_at"]
    readonly_fields = ["given", "paid"]
    ordering = ["created_at", "pk"]
    extra = 0
    show_change_link = True
    given = money_column("tip", gettext_lazy("tip"))
    paid = money_column("amount", gettext_lazy("amount"))


@admin.register(TableSession)
class TableSessionAdmin(TableOrIdSearchAdmin):
    list_display = ["started_at", "at_table", "ended", "total_scans", "total_orders", "revenue"]
    list_filter = [StateFilter, "started_at"]
    list_select_related = ["table"]
    date_hierarchy = "started_at"
    ordering = ["-started_at", "-pk"]
    search_help_text = gettext_lazy("Number of the table, or the beginning of a session's id")
    fields = ["at_table", "started_at", "ended", "covers", "total_scans", "total_orders", "revenue", "bill"]
    readonly_fields = ["at_table", "ended", "revenue", "bill"]
    inlines = [OrderInline, PaymentInline]
    revenue = money_column("total_revenue", gettext_lazy("revenue"))
    bill = column(gettext_lazy("bill"), link_to_bill)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        may_see_bill = request.user.has_perm("restaurant.view_payment")
        return [name for name in self.fields or () if may_see_bill or name != "bill"]

    @admin.display(description=gettext_lazy("ended"), ordering="ended_at")
    def ended(self, session: TableSession) -> str:
        if session.ended_at is not None:
            return recent(session.ended_at)
        return _("open") if session.is_open else _("not closed")
