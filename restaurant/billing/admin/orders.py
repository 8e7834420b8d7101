from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.billing.admin import order_page
from restaurant.billing.admin.order_lists import (
    OrderList,
    StateTabs,
    are_payments_taken,
    with_payments,
    with_quantities,
)
from restaurant.billing.queries import bill_of, payment_events
from restaurant.ordering.admin.lists import ServiceWrittenAdmin, TableFilter, table_and_section
from restaurant.ordering.models import Order, TableSession, TableSessionQuerySet
from restaurant.ordering.queries import timeline
from restaurant.ordering.queries.sessions import ordered
from restaurant.tables.models import MAX_TABLE_NUMBER
from web.admin import LinkedFilter, change_link, change_url, moment_column, number_column
from web.exports import ExportAdmin
from web.fields import is_uuid
from web.templatetags.moments import recent
from web.templatetags.money import format_money

SHOWN = 50  # orders on a session's page
EXPORTED_AT_ONCE = 500  # orders whose items and bills are read by one statement each
_FIRST_ID, _LAST_ID = str(UUID(int=0)), str(UUID(int=2**128 - 1))


def _session(text: str) -> TableSession | None:
    return TableSession.objects.select_related("table").filter(pk=text).first() if is_uuid(text) else None


class SessionFilter(LinkedFilter):
    title = gettext_lazy("session")
    parameter_name = "session"
    field = "session"
    find = staticmethod(_session)


def by_table_or_id(queryset: QuerySet[Any], term: str) -> QuerySet[Any]:
    """Find up to five digits as a table's number, and anything else as an id or its beginning."""
    term = term.strip().lstrip("#").lower()  # dockets write #1A2B3C
    if term.isascii() and term.isdigit() and len(term) <= len(str(MAX_TABLE_NUMBER)):
        return queryset.filter(table__table_number=int(term))
    # The ids that begin so are those from the first such id to the last one: an index finds them.
    first, last = term + _FIRST_ID[len(term) :], term + _LAST_ID[len(term) :]
    return queryset.filter(pk__range=(first, last)) if is_uuid(first) and is_uuid(last) else queryset.none()


def struck(text: object) -> str:
    return format_html('<s>{}<span class="visually-hidden"> {}</span></s>', text, _("cancelled"))


class TableOrIdSearchAdmin(ServiceWrittenAdmin):
    search_fields = ["pk"]  # so that there is a search box

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        return (by_table_or_id(queryset, search_term) if search_term.strip() else queryset), False


# --- orders ---------------------------------------------------------------------------------------


@admin.register(Order)
class OrderAdmin(ExportAdmin, TableOrIdSearchAdmin):
    change_list_template = "admin/restaurant/order/change_list.html"
    list_display = ["number", "placed", "at_table", "state", "number_of_items", "cost", "payment", "completed"]
    plain = {"placed": "created_at", "state": "status", "cost": "total", "completed": "completed_at"}
    list_filter = [StateTabs, TableFilter, SessionFilter, "status", "created_at"]
    list_select_related = ["table"]
    date_hierarchy = "created_at"
    ordering = ["-created_at", "-pk"]
    search_help_text = gettext_lazy("Table or #1A2B3C")
    fields = ["payment", "bill", "by", "card", "told", "in_session"]
    readonly_fields = ["payment", "bill", "by", "card", "told", "in_session"]

    placed = moment_column("created_at", gettext_lazy("placed"))

    # What an index sorts. A table or a status is chosen by the filters.
    sortable_by = ("placed", "cost")

    def get_list_display(self, request: HttpRequest) -> Any:
        without = set() if are_payments_taken(request) else {"payment"}
        return [name for name in self.list_display if name not in without]

    def with_all(self, rows: Iterator[Any]) -> Iterator[Any]:
        while part := list(islice(rows, EXPORTED_AT_ONCE)):
            yield from with_payments(with_quantities(part))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return OrderList

    @admin.display(description=gettext_lazy("order"))
    def number(self, order: Order) -> str:
        """Return the number that dockets and guests name."""
        return order.called

    @admin.display(description=gettext_lazy("completed"))
    def completed(self, order: Order) -> str | None:
        return order_page.until(order)

    @admin.display(description=gettext_lazy("table"))
    def at_table(self, order: Order) -> str:
        section = order.table.section
        return (
            format_html('{}<span class="order-section"> · {}</span>', order.table, section)
            if section
            else str(order.table)
        )

    @admin.display(description=gettext_lazy("status"))
    def state(self, order: Order) -> str:
        css_class = "order-open" if order.status in Order.OPEN else "order-done"
        state = "kept" if order.is_kept else order.status
        return format_html('<span class="{} is-{}">{}</span>', css_class, state, order.status_label)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Add what the page says of the bill and of points, once: Django reads the fields several times."""
        order: Any = super().get_object(request, object_id, from_field)
        if order is not None:
            may_see = request.user.has_perm("restaurant.view_payment")
            order.payments = list(order.session.payments.order_by("created_at", "pk")) if may_see else []
            standing = [payment for payment in order.payments if payment.voided_at is None]
            paid = sum((payment.amount for payment in standing), Decimal(0))
            total = ordered(order.session) if may_see else Decimal(0)
            order.payment_html = order_page.payment_details(
                order, total, paid, standing[-1].created_at if standing else None
            )
            order.bill_html = order_page.bill_link(order, total)
            order.card_html = order_page.collected_by(order, request.user)
        return order

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Leave out the fields that are empty for this order, or that the user may not see."""
        if obj is None:
            return self.fields
        values = {"payment": obj.payment_html, "bill": obj.bill_html, "card": obj.card_html, "told": obj.allergies}
        return [name for name in self.fields or () if values.get(str(name), True)]

    @admin.display(description=gettext_lazy("payment"))
    def payment(self, order: Any) -> str | None:
        """Return details for the order's page; for the list one word, or a warning if guests left without paying."""
        if hasattr(order, "payment_html"):
            return str(order.payment_html)
        left = getattr(order, "left", None)  # of the list alone: a file says what is paid
        if left and order.is_counted:
            return order_page.left_unpaid(left)
        return order_page.payment_label(order_page.state_of_payment(order, *order.bill_sums)) or None

    @admin.display(description=gettext_lazy("the table's bill"))
    def bill(self, order: Any) -> str:
        return str(order.bill_html)

    @admin.display(description=gettext_lazy("ordered by"))
    def by(self, order: Order) -> str:
        return order_page.ordered_by(order)

    @admin.display(description=gettext_lazy("points go to"))
    def card(self, order: Any) -> str:
        return str(order.card_html)

    @admin.display(description=gettext_lazy("allergies"))
    def told(self, order: Order) -> str:
        return ", ".join(order.allergy_names)

    @admin.display(description=gettext_lazy("items"))
    def number_of_items(self, order: Any) -> Any:
        """Return the number of items; in the list, of a cancelled order those that were cancelled, struck through."""
        cancelled = getattr(order, "cancelled", None)
        return struck(cancelled[0]) if cancelled else int(order.quantities)

    @admin.display(description=gettext_lazy("total"), ordering="total")
    def cost(self, order: Order) -> str:
        cancelled = getattr(order, "cancelled", None)
        return struck(format_money(cancelled[1])) if cancelled else format_money(order.total)

    @admin.display(description=gettext_lazy("session"))
    def in_session(self, order: Order) -> str:
        began = order_page.time_within(order, order.session.started_at)
        return change_link(order.session, _("Since %(time)s") % {"time": began})

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        obj: Any = kwargs.get("obj")
        if obj is not None:
            context["subtitle"] = f"{obj.called} · {table_and_section(obj)}"
            context["title_parts"] = context["subtitle"].split(" · ")
            context["items"] = obj.items.select_related("menu_item").order_by("position", "pk")
            context["steps"] = order_page.steps(obj)
            events = timeline.of_order(obj, payment_events(obj.payments))
            context["timeline"] = [(order_page.time_of(obj, event.at), event) for event in events]
            context["names"] = order_page.names_of(event.by for event in events)
            context["dishes"] = {str(item.position): item.display_name for item in context["items"]}
            context["cancel"] = self._cancel_page(request, obj)
            if request.user.has_perm("restaurant.view_payment"):
                context["bill_page"] = obj.session.bill_url if obj.is_counted else ""
        return super().render_change_form(request, context, *args, **kwargs)

    @staticmethod
    def _cancel_page(request: HttpRequest, order: Order) -> str:
        """Return the page's address; empty for users who may not cancel, and for what can't be cancelled any more."""
        may = request.user.has_perm("restaurant.work_kitchen") or request.user.has_perm("restaurant.close_session")
        is_over = order.status in (Order.Status.COMPLETED, Order.Status.CANCELLED)
        return reverse("cancel_order", args=[order.pk]) if may and not is_over else ""


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


@admin.register(TableSession)
class TableSessionAdmin(TableOrIdSearchAdmin):
    list_display = ["began", "at_table", "ended", "scans", "orders", "revenue"]
    list_filter = [TableFilter, StateFilter, "started_at"]
    list_select_related = ["table"]
    date_hierarchy = "started_at"
    ordering = ["-started_at", "-pk"]
    search_help_text = gettext_lazy("Number of the table, or the beginning of a session's id")
    fields = ["at_table", "started_at", "ended", "covers", "scans", "orders", "revenue"]
    readonly_fields = ["at_table", "ended", "covers", "scans", "orders", "revenue"]
    began = moment_column("started_at", gettext_lazy("started"))
    scans = number_column("total_scans", gettext_lazy("scans"))
    orders = number_column("total_orders", gettext_lazy("orders"))

    @admin.display(description=gettext_lazy("table"), ordering="table__table_number")
    def at_table(self, session: TableSession) -> str:
        return table_and_section(session)

    @admin.display(description=gettext_lazy("revenue"), ordering="total_revenue")
    def revenue(self, session: TableSession) -> str:
        return format_money(session.total_revenue)

    @admin.display(description=gettext_lazy("ended"), ordering="ended_at")
    def ended(self, session: TableSession) -> Any:
        if session.ended_at is not None:
            return recent(session.ended_at)
        if session.is_open:
            return format_html('<span class="order-open">{}</span>', _("open"))
        return _("not closed")

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        obj: TableSession | None = kwargs.get("obj")
        if obj is not None:
            since = date_format(timezone.localtime(obj.started_at), "DATETIME_FORMAT")
            context["subtitle"] = _("%(table)s, since %(time)s") % {"table": table_and_section(obj), "time": since}
        if obj is not None and request.user.has_perm("restaurant.view_order"):
            of_session = OrderAdmin(Order, self.admin_site).get_queryset(request).filter(session=obj)
            orders = with_quantities(of_session.order_by("created_at", "pk")[: SHOWN + 1])
            context["orders"] = [{"row": order, "address": change_url(order)} for order in orders[:SHOWN]]
            context["are_more"] = len(orders) > SHOWN
        if obj is not None and request.user.has_perm("restaurant.view_payment"):
            context["bill"] = bill_of(obj)
            context["bill_page"] = obj.bill_url
        return super().render_change_form(request, context, *args, **kwargs)
