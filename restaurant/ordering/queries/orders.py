"""Reading orders."""

import uuid
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import DurationField, Exists, F, Func, OuterRef, Prefetch, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.db.models.lookups import IsNull
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from restaurant.errors import OrderUnknown, TooLateToCancel
from restaurant.ordering.models import Order, OrderChange, OrderItem, PrintJob, TableSession
from restaurant.ordering.queries import counted
from restaurant.ordering.queries.sessions import due
from restaurant.rules import OrderingRules
from web.fields import is_uuid
from web.formats import listed
from web.money import NOTHING

CANCELLED_SHOWN = timedelta(minutes=30)
RECENT = timedelta(days=1)
UNSEEN_AFTER = timedelta(seconds=30)
EARLIER_SHOWN = 50


def orders_with_items() -> QuerySet[Order]:
    """All orders, with their tables and items."""
    items = OrderItem.objects.select_related("menu_item", "station")
    return Order.objects.select_related("table").prefetch_related(Prefetch("items", items))


_NOT_FIRST = IsNull(F("prioritised_at"), True)


def open_orders() -> QuerySet[Order]:
    """Orders that the kitchen has to make: what is prioritised, then the others, oldest first."""
    return orders_with_items().filter(status__in=Order.OPEN).order_by(_NOT_FIRST, "created_at", "pk")


def earlier_open_orders(now: datetime) -> QuerySet[Order]:
    """Open orders of more than a day ago: somebody forgot to move them on."""
    return open_orders().filter(created_at__lte=now - RECENT)


def undone_entries(usual: timedelta) -> QuerySet[Any, Any]:
    """Entries that the kitchen works on, with the minutes after which it is late with them, `usual` if with others."""
    minutes = Coalesce("late_after", Value(int(usual.total_seconds() / 60)))
    waits = Func(minutes, template="make_interval(mins => %(expressions)s)", output_field=DurationField())
    begun = Coalesce("fired_at", "order__created_at")
    return cooking_entries().exclude(OrderItem.WAITS).annotate(late_at=begun + waits)


def cooking_entries() -> QuerySet[Any, Any]:
    """Entries that are not done, of orders that the kitchen has, also those that wait for their course."""
    undone = OrderItem.objects.filter(done_at=None, quantity__gt=F("cancelled_quantity"))
    return undone.filter(order__status__in=Order.COOKING)


def unseen_entries(now: datetime) -> QuerySet[Any, Any]:
    """Entries that the kitchen has for UNSEEN_AFTER, since `asked_at`, and no display or printer has shown.

    Of orders that are on displays, and only while some display tells what it draws.
    """
    in_use = OrderItem.objects.filter(seen_at__gt=now - RECENT)
    station = Q(printer__station=None) | Q(printer__station=OuterRef("station"))
    printed = PrintJob.objects.filter(
        station,
        order=OuterRef("order"),
        kind__in=(PrintJob.Kind.ORDER, PrintJob.Kind.COURSE),
        state=PrintJob.State.PRINTED,
        printed_at__gte=Coalesce(OuterRef("fired_at"), OuterRef("order__created_at")),
    )
    asked = Coalesce("fired_at", "order__approved_at", "order__created_at")
    unseen = cooking_entries().exclude(OrderItem.WAITS).filter(seen_at=None, order__created_at__gt=now - RECENT)
    late = unseen.annotate(asked_at=asked).filter(asked_at__lte=now - UNSEEN_AFTER)
    return late.filter(Exists(in_use), ~Exists(printed))


@dataclass(frozen=True, slots=True)
class EarlierOrders:
    """Open orders of more than a day ago: `orders` are the oldest of them, at most EARLIER_SHOWN."""

    count: int
    orders: list[Order]


def earlier_orders(now: datetime) -> EarlierOrders:
    earlier = earlier_open_orders(now)
    return EarlierOrders(earlier.count(), list(earlier[:EARLIER_SHOWN]))


def order_by_id(order_id: str) -> Order:
    """The order with its session, table and items. Raises OrderUnknown."""
    orders = orders_with_items().select_related("session")
    order = orders.filter(pk=order_id).first() if is_uuid(order_id) else None
    if order is None:
        raise OrderUnknown
    return order


def cancelled_orders(*, now: datetime) -> QuerySet[Order]:
    """Orders cancelled lately while the kitchen had them, that no cook has acknowledged; the oldest first."""
    cancelled = orders_with_items().filter(status=Order.Status.CANCELLED, acknowledged_at=None)
    return cancelled.filter(cancelled_at__gt=now - CANCELLED_SHOWN).order_by("cancelled_at", "pk")


def order_exists(order_id: str) -> bool:
    return is_uuid(order_id) and Order.objects.filter(pk=order_id).exists()


# --- what a table has ordered ---------------------------------------------------------------------------


def is_from_phone(order: Order, guest: str) -> bool:
    """True if the phone with this id has placed the order."""
    return order.phone_key is not None and order.phone_key == phone_key(guest)


def too_late_to_cancel(order: Order) -> TooLateToCancel | None:
    """The error that says why the guest who placed it can't cancel it any more; None while they can."""
    if order.status == Order.Status.HELD:  # nobody has begun on it, and it is on no bill
        return None
    if order.status != Order.Status.PENDING:
        return TooLateToCancel(_("The kitchen has started on your order. Please ask a member of staff."))
    if order.session.ended_at is not None:
        return TooLateToCancel(_("Your table was closed. To cancel this order, please ask a member of staff."))
    # An attempt is counted before its first byte is sent.
    if order.print_jobs.filter(attempts__gt=0).exists():
        return TooLateToCancel(_("The kitchen has this order on paper. To cancel it, please ask a member of staff."))
    if due(order.session) < order.total:
        return TooLateToCancel(_("This order is paid. To cancel it, please ask a member of staff."))
    return None


def has_ordered_at(table_number: int, guest: str) -> bool:
    """True if the phone with this id has an order in the open session of the table: its party was separated."""
    here = TableSession.objects.open().filter(table__table_number=table_number)
    return Order.objects.filter(session__in=here, phone_key=phone_key(guest)).exists()


def orders_by_phone(session: TableSession) -> list[list[Order]]:
    """The orders of the session, those of one phone together; each of staff by itself. The oldest first."""
    orders: dict[object, list[Order]] = {}
    for order in Order.objects.filter(session=session).order_by("created_at", "pk").prefetch_related("items"):
        orders.setdefault(order.phone_key or order.pk, []).append(order)
    return list(orders.values())


def phone_key(guest: str) -> str:
    """The value of `Order.phone_key` for the phone with this id. The id itself is the phone's cookie."""
    return salted_hmac("restaurant.phone", guest, algorithm="sha256").hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class SessionOrders:
    """The orders of a session, oldest first.

    `linked` are the ids that the viewer may know: whoever knows an order's id can read it.
    """

    orders: list[Order]
    linked: frozenset[uuid.UUID]

    @property
    def sent(self) -> list[Order]:
        """Orders that the kitchen has or had, cancelled ones too."""
        return [order for order in self.orders if order.status != Order.Status.HELD]

    @property
    def unsent(self) -> list[Order]:
        """Orders that wait for approval or are kept for later."""
        return [order for order in self.orders if order.status == Order.Status.HELD]

    @property
    def count(self) -> int:
        """The number of orders that are neither held nor cancelled."""
        return sum(order.is_counted for order in self.orders)

    @property
    def total(self) -> Decimal:
        """The sum of orders that are neither held nor cancelled."""
        return _counted_total(self.orders)

    @property
    def own_total(self) -> Decimal:
        """`total` of the orders that the viewer may know."""
        return _counted_total(order for order in self.orders if order.pk in self.linked)

    @property
    def collecting_total(self) -> Decimal:
        """The amount for which cards collect points."""
        return sum((order.earns_on for order in self.orders if order.collector and order.is_counted), NOTHING)

    @property
    def held(self) -> int:
        """The number of orders that wait for approval."""
        return len(self.unsent) - self.kept

    @property
    def never_fired(self) -> str:
        """The dishes that wait for their course, with how many of each. Needs the orders' items."""
        waiting: Counter[str] = Counter()
        for order in self.orders:
            for item in order.items.all() if order.is_cooking else ():
                waiting[item.display_name] += item.remaining if item.waits else 0
        return listed(f"{count} × {name}" for name, count in waiting.items() if count)

    @property
    def kept(self) -> int:
        """The number of orders that staff keep for later."""
        return sum(order.is_kept for order in self.orders)


def _counted_total(orders: Iterable[Order]) -> Decimal:
    return sum((order.total for order in orders if order.is_counted), NOTHING)


def orders_of_session(session: TableSession, *, with_dishes: bool = False) -> SessionOrders:
    """The session's orders for staff, who may open every one. `with_dishes` reads their items too."""
    orders = Order.objects.filter(session=session).order_by("created_at", "pk")
    dishes = Prefetch("items", OrderItem.objects.select_related("menu_item"))
    orders = orders.prefetch_related(dishes) if with_dishes else orders
    return SessionOrders(list(orders), frozenset(order.pk for order in orders))


def order_changes(session: TableSession) -> list[OrderChange]:
    """The changes of all orders of the session, each with its order; the oldest first."""
    return list(OrderChange.objects.filter(order__session=session).select_related("order").order_by("at", "pk"))


def items_had(session: TableSession) -> set[str]:
    """The ids of the items that this party has ordered, without what is held or cancelled."""
    return set(map(str, counted.lines().filter(order__session=session).values_list("menu_item_id", flat=True)))


def orders_for_guest(session: TableSession, guest: str, *, with_dishes: bool = False) -> SessionOrders:
    """The session's orders for a phone, which may open those it has placed. `with_dishes` reads their items too."""
    orders, own = orders_of_session(session, with_dishes=with_dishes).orders, phone_key(guest)
    return SessionOrders(orders, frozenset(order.pk for order in orders if order.phone_key == own))


@dataclass(frozen=True, slots=True)
class Approval:
    """The orders of guests that a member of staff confirms first: the next one, and those above an amount."""

    of_next: bool
    above: Decimal | None


def approval(session: TableSession) -> Approval:
    rules = OrderingRules.current()
    return Approval(rules.gate == rules.Gate.APPROVED and not has_approved_order(session), rules.approval_above)


def has_approved_order(session: TableSession) -> bool:
    """True once staff have approved an order of the session's guests; orders kept for later are those of staff."""
    return Order.objects.filter(session=session, approved_at__isnull=False, kept_at=None).exists()


def staff_names() -> list[tuple[str, str]]:
    """The user name and first name of everyone who has entered a first name, for pages of staff."""
    return list(get_user_model().objects.exclude(first_name="").values_list("username", "first_name"))


def first_names(usernames: list[str]) -> list[str]:
    """The first names of these users in this order, each once. A guest may read them, but no user name."""
    if not usernames:
        return []
    users = get_user_model().objects.filter(username__in=usernames).values_list("username", "first_name")
    known = dict(users)
    return list(dict.fromkeys(known[username] for username in usernames if known.get(username)))
