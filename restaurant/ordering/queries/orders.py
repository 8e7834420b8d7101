"""Reading orders."""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.contrib.auth import get_user_model
from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from loyalty import gateway as loyalty
from restaurant.errors import OrderUnknown, TooLateToCancel
from restaurant.ordering.models import Order, OrderChange, OrderItem, TableSession
from restaurant.ordering.queries import counted
from restaurant.ordering.queries.sessions import due
from restaurant.rules import OrderingRules
from web.fields import is_uuid

CANCELLED_SHOWN = timedelta(minutes=30)
RECENT = timedelta(days=1)
EARLIER_SHOWN = 50


def orders() -> QuerySet[Order]:
    """With their tables and items."""
    items = OrderItem.objects.select_related("menu_item", "station")
    return Order.objects.select_related("table").prefetch_related(Prefetch("items", items))


def open_orders() -> QuerySet[Order]:
    """What the kitchen has to do, oldest first."""
    return orders().filter(status__in=Order.OPEN).order_by("created_at", "pk")


def recent_open_orders(now: datetime) -> QuerySet[Order]:
    """Those that were placed in the last day."""
    return open_orders().filter(created_at__gt=now - RECENT)


def earlier_open_orders(now: datetime) -> QuerySet[Order]:
    """Those that were placed before: somebody forgot to move them on."""
    return open_orders().filter(created_at__lte=now - RECENT)


@dataclass(frozen=True, slots=True)
class EarlierOrders:
    """`orders`: the oldest, at most EARLIER_SHOWN. `placed_until` is since when an order is not one of them."""

    count: int
    orders: list[Order]
    placed_until: datetime


def earlier_orders(now: datetime) -> EarlierOrders:
    found = earlier_open_orders(now)
    return EarlierOrders(found.count(), list(found[:EARLIER_SHOWN]), now - RECENT)


def served_orders(*, minutes: int, now: datetime) -> QuerySet[Order]:
    """What left the kitchen in the last minutes, the latest first."""
    gone = orders().filter(status__in=(Order.Status.SERVED, Order.Status.COMPLETED))
    return gone.filter(served_at__gt=now - timedelta(minutes=minutes)).order_by("-served_at", "-pk")


def order(order_id: str) -> Order:
    """Raises OrderUnknown."""
    found = orders().select_related("session").filter(pk=order_id).first() if is_uuid(order_id) else None
    if found is None:
        raise OrderUnknown
    return found


def cancelled_orders(*, now: datetime) -> QuerySet[Order]:
    """Cancelled while the kitchen had them, lately, and not acknowledged by a cook: the oldest first."""
    cancelled = orders().filter(status=Order.Status.CANCELLED, acknowledged_at=None)
    return cancelled.filter(cancelled_at__gt=now - CANCELLED_SHOWN).order_by("cancelled_at", "pk")


def order_exists(order_id: str) -> bool:
    return is_uuid(order_id) and Order.objects.filter(pk=order_id).exists()


# --- points ---------------------------------------------------------------------------------------------

COLLECTABLE = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class OrderPoints:
    """What an order has earned; without `collected_at`, what it will earn as it is now."""

    points: int
    collected_at: datetime | None


def points_of(order: Order) -> OrderPoints | None:
    """None where nobody collects, or nothing any more."""
    if not order.collector:
        return None
    if order.collected_at is not None:
        return None if order.points_collected is None else OrderPoints(order.points_collected, order.collected_at)
    if not loyalty.collects_at_tables() or order.status == Order.Status.CANCELLED:
        return None
    card = loyalty.card(order.collector)
    return OrderPoints(loyalty.points_for([order.total], card), None) if card else None


def collectable_orders(order: Order) -> QuerySet[Order]:
    """This order and its phone's others of the session, as far as somebody may still say to collect their points."""
    mine = Order.objects.filter(session=order.session_id, phone_key=order.phone_key, phone_key__isnull=False)
    still = mine.filter(collector="", created_at__gt=timezone.now() - COLLECTABLE)
    return still.exclude(status=Order.Status.CANCELLED)


def orders_collected_by(collector: str) -> QuerySet[Order]:
    """Every order, with what `GuestOrder` shows, whose points this card collects; oldest first."""
    return orders().filter(collector=collector).prefetch_related("changes").order_by("created_at", "pk")


def orders_to_collect() -> QuerySet[Order]:
    """Of ended sessions: those whose points are missing."""
    return Order.objects.to_be_collected().filter(session__ended_at__isnull=False).order_by("created_at", "pk")


# --- what a table has ordered ---------------------------------------------------------------------------


def is_from_phone(order: Order, guest: str) -> bool:
    """Whether the phone with this id has placed it."""
    return order.phone_key is not None and order.phone_key == phone_key(guest)


def too_late_to_cancel(order: Order) -> TooLateToCancel | None:
    """Why the guest who placed it can't cancel it any more; None while they can."""
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


def phone_key(guest: str) -> str:
    """What an order keeps of the phone that placed it: the id itself is the phone's cookie."""
    return salted_hmac("restaurant.phone", guest, algorithm="sha256").hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class SessionOrders:
    """What a table has ordered so far, oldest first.

    `linked` are the ids that the viewer may know: whoever knows an order's id can read it.
    """

    orders: list[Order]
    linked: frozenset[uuid.UUID]

    @property
    def sent(self) -> list[Order]:
        """Those that are not held: the kitchen has or had them. Cancelled ones too."""
        return [order for order in self.orders if order.status != Order.Status.HELD]

    @property
    def unsent(self) -> list[Order]:
        """Those that wait for approval or are kept for later."""
        return [order for order in self.orders if order.status == Order.Status.HELD]

    @property
    def count(self) -> int:
        """How many are neither held nor cancelled."""
        return sum(order.is_counted for order in self.orders)

    @property
    def total(self) -> Decimal:
        """Of what is neither held nor cancelled."""
        return sum((order.total for order in self.orders if order.is_counted), Decimal("0.00"))

    @property
    def own_total(self) -> Decimal:
        """`total` of the orders that the viewer may know."""
        own = (order.total for order in self.orders if order.is_counted and order.pk in self.linked)
        return sum(own, Decimal("0.00"))

    @property
    def collecting_total(self) -> Decimal:
        """`total` of the orders whose points somebody collects."""
        return sum((each.total for each in self.orders if each.is_counted and each.collector), Decimal("0.00"))

    @property
    def held(self) -> int:
        """How many wait for approval."""
        return sum(order.status == Order.Status.HELD for order in self.orders) - self.kept

    @property
    def kept(self) -> int:
        """How many staff keep for later."""
        return sum(order.is_kept for order in self.orders)


def orders_of_session(session: TableSession, *, with_dishes: bool = False) -> SessionOrders:
    """For staff, who may open every order. `with_dishes` where the orders are listed."""
    found = Order.objects.filter(session=session).order_by("created_at", "pk")
    orders = list(found.prefetch_related("items") if with_dishes else found)
    return SessionOrders(orders, frozenset(order.pk for order in orders))


def order_changes(session: TableSession) -> list[OrderChange]:
    """Of all orders of the session, with the order; the oldest first."""
    return list(OrderChange.objects.filter(order__session=session).select_related("order").order_by("at", "pk"))


def items_had(session: TableSession) -> set[str]:
    """The ids of the items that this party has ordered, without what is held or cancelled."""
    found = counted.lines().filter(order__session=session).values_list("menu_item_id", flat=True)
    return set(map(str, found))


def orders_for_guest(session: TableSession, guest: str, *, with_dishes: bool = False) -> SessionOrders:
    """For a phone, which may open what it has placed. `with_dishes` where the orders are listed."""
    found, own = orders_of_session(session, with_dishes=with_dishes), phone_key(guest)
    return SessionOrders(found.orders, frozenset(order.pk for order in found.orders if order.phone_key == own))


@dataclass(frozen=True, slots=True)
class Approval:
    """Which of a guest's next orders a member of staff confirms first: every one, or those above an amount."""

    of_next: bool
    above: Decimal | None


def approval(session: TableSession, rules: OrderingRules) -> Approval:
    of_next = rules.gate == rules.Gate.APPROVED and not has_approved_order(session)
    return Approval(of_next, rules.approval_above)


def has_approved_order(session: TableSession) -> bool:
    """Of what guests have ordered: what staff kept for later was theirs."""
    return Order.objects.filter(session=session, approved_at__isnull=False, kept_at=None).exists()


def staff_names() -> list[tuple[str, str]]:
    """User name and first name of all who have told one, for pages of staff."""
    return list(get_user_model().objects.exclude(first_name="").values_list("username", "first_name"))


def first_names(usernames: list[str]) -> list[str]:
    """Each once, in this order; without those who have told none. A guest may read them, and no user name."""
    if not usernames:
        return []
    users = get_user_model().objects.filter(username__in=usernames).values_list("username", "first_name")
    known = dict(users)
    return list(dict.fromkeys(known[each] for each in usernames if known.get(each)))
