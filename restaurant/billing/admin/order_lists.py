"""The list of orders: figures that are read for all orders of a page at once, and its tabs."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.contrib.admin.views.main import ChangeList
from django.db.models import F, QuerySet, Sum
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from restaurant.billing.models import Payment
from restaurant.billing.queries import sums_of, unpaid
from restaurant.ordering.models import Order, OrderItem, TableSession
from web.long_lists import LongList

UNPAID_DAYS = 7  # bills of all years would take seconds


class OrderList(LongList):
    def get_results(self, request: HttpRequest) -> None:
        """Count the items of the page's orders alone: to count those before the page as well takes seconds."""
        super().get_results(request)
        self.result_list = with_quantities(self.result_list)
        _mark_cancelled(self.result_list)
        if "payment" in self.list_display:
            self.result_list = with_payments(self.result_list)
            _mark_left(self.result_list)


def with_quantities(rows: Iterable[Order]) -> list[Any]:
    """Return the orders, each with `quantities`: the number of its items that are not cancelled."""
    orders: list[Any] = list(rows)
    items = OrderItem.objects.filter(order__in=orders).order_by().values_list("order")
    numbers = dict(items.annotate(number=Sum(F("quantity") - F("cancelled_quantity"))))
    for order in orders:
        order.quantities = numbers.get(order.pk, 0)
    return orders


def _mark_cancelled(orders: list[Any]) -> None:
    """Give orders of which nothing is left `cancelled`: the number of their items, and their sum."""
    empty = [order for order in orders if order.status == Order.Status.CANCELLED and not order.quantities]
    if empty:
        items = OrderItem.objects.filter(order__in=empty).order_by().values_list("order")
        number, total = Sum("cancelled_quantity"), Sum(F("price") * F("cancelled_quantity"))
        sums = {pk: cancelled for pk, *cancelled in items.annotate(number=number, worth=total)}
        for order in empty:
            order.cancelled = sums.get(order.pk)


def with_payments(rows: Iterable[Order]) -> list[Any]:
    """Return the orders, each with `bill_sums`: what its session has ordered, and what of it is paid."""
    orders: list[Any] = list(rows)
    sums = sums_of({order.session_id for order in orders})
    for order in orders:
        order.bill_sums = sums[order.session_id]
    return orders


def _mark_left(orders: list[Any]) -> None:
    """Give orders `left`: the amount due of guests who have gone. By one statement, if anything is due."""
    due = {order.session_id: total - paid for order in orders for total, paid in [order.bill_sums] if paid < total}
    here = set(TableSession.objects.open().filter(pk__in=due).values_list("pk", flat=True))
    for order in orders:
        order.left = None if order.session_id in here else due.get(order.session_id)


def are_payments_taken(request: HttpRequest) -> bool:
    """Return whether the user may see payments, and there are any: a restaurant may take them elsewhere."""
    if not hasattr(request, "are_payments_taken"):
        may_see = request.user.has_perm("restaurant.view_payment")
        request.are_payments_taken = may_see and Payment.objects.exists()  # type: ignore[attr-defined]
    return bool(request.are_payments_taken)  # type: ignore[attr-defined]


OPEN, DUE, LEFT = "open", "due", "left"


class StateTabs(admin.SimpleListFilter):
    """The tabs of the list, for what is to be done about orders. Bills matter where payments are taken."""

    title = gettext_lazy("which orders")
    parameter_name = "show"
    template = "admin/_tabs.html"
    is_tabs = True

    def __init__(self, request: HttpRequest, *args: Any) -> None:
        self.has_bills = are_payments_taken(request)
        super().__init__(request, *args)

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        bills = [(DUE, _("To be paid")), (LEFT, _("Left without paying"))] if self.has_bills else []
        return [(OPEN, _("Open")), *bills]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return self._of(self.value(), queryset) if self.value() in dict(self.lookup_choices) else queryset

    def _of(self, tab: str | None, orders: QuerySet[Any]) -> QuerySet[Any]:
        if tab == OPEN:
            return orders.filter(status__in=Order.OPEN)
        since = timezone.now() - timedelta(days=UNPAID_DAYS)
        # An order is not older than its session: an index finds those of these days.
        of_days = orders.filter(created_at__gte=since).exclude(status__in=Order.UNCOUNTED)
        return of_days.filter(session__in=self._gone if tab == LEFT else self._unpaid)

    @cached_property
    def _unpaid(self) -> list[Any]:
        since = timezone.now() - timedelta(days=UNPAID_DAYS)
        bills = unpaid(TableSession.objects.filter(started_at__gte=since))
        return list(bills.values_list("pk", flat=True))

    @cached_property
    def _gone(self) -> list[Any]:
        here = set(TableSession.objects.open().filter(pk__in=self._unpaid).values_list("pk", flat=True))
        return [session for session in self._unpaid if session not in here]

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Yield the tabs, with their numbers of orders unless the list shows a part of them."""
        link = changelist.get_query_string(remove=[self.parameter_name])
        yield {"selected": self.value() is None, "query_string": link, "display": _("All"), "number": None}
        is_whole = not changelist.has_active_filters and not changelist.query
        days = ngettext("Of the last %(number)d day", "Of the last %(number)d days", UNPAID_DAYS)
        for tab, title in self.lookup_choices:
            yield {
                "selected": self.value() == tab,
                "query_string": changelist.get_query_string({self.parameter_name: tab}),
                "display": title,
                "number": self._of(str(tab), Order.objects.all()).count() if is_whole else None,
                "hint": "" if tab == OPEN else days % {"number": UNPAID_DAYS},
            }
