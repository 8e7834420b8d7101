"""The points of orders. See "Points from the table" in docs/behaviour/restaurant.md."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from loyalty import gateway as loyalty
from loyalty.gateway import Card
from restaurant.ordering.models import Order
from restaurant.ordering.queries.orders import orders_with_items

COLLECTABLE_FOR = timedelta(days=1)
PAYS_WITHIN = timedelta(hours=2)  # of closing: who then stands at the till pays for the same


@dataclass(frozen=True, slots=True)
class OrderPoints:
    """The points that an order has earned; without `collected_at`, those it will earn as it is now."""

    points: int
    collected_at: datetime | None


def points_of(order: Order) -> OrderPoints | None:
    """The order's points; None where no card collects them, or where none are left."""
    if not order.collector:
        return None
    if order.collected_at is not None:
        return None if order.points_collected is None else OrderPoints(order.points_collected, order.collected_at)
    if not loyalty.collects_at_tables() or order.status == Order.Status.CANCELLED:
        return None
    card = loyalty.card(order.collector)
    return OrderPoints(loyalty.points_for([order.earns_on], card), None) if card else None


@dataclass(frozen=True, slots=True)
class Collectable:
    """The points that an order would bring to the phone's card; without one, to a new card with its `signup_bonus`."""

    order: Order
    card: Card | None
    points: int
    signup_bonus: int

    @property
    def name(self) -> str:
        """The first name on the card."""
        return self.card.first_name if self.card else ""


def collectable(order: Order, card: Card | None) -> Collectable | None:
    """The points that the phone's card can collect; a new card collects those of the phone's other orders as well.

    None where there are none.
    """
    orders = list(collectable_orders(order)) if loyalty.collects_at_tables() else []
    if order not in orders or not order.is_counted:
        return None
    points = loyalty.points_for([other.earns_on for other in orders if card is None or other == order], card)
    return Collectable(order, card, points, 0 if card else loyalty.signup_bonus()) if points else None


def collectable_orders(order: Order) -> QuerySet[Order]:
    """This order and its phone's others of the session whose points a card may still be given."""
    own = Order.objects.filter(session=order.session_id, phone_key=order.phone_key, phone_key__isnull=False)
    uncollected = own.filter(collector="", created_at__gt=timezone.now() - COLLECTABLE_FOR)
    return uncollected.exclude(status=Order.Status.CANCELLED)


def orders_collected_by(collector: str) -> QuerySet[Order]:
    """Orders whose points this card collects, with all that `GuestOrder` shows; oldest first."""
    return orders_with_items().filter(collector=collector).prefetch_related("changes").order_by("created_at", "pk")


def orders_at_tables(collector: str) -> QuerySet[Order]:
    """Return what this card collects at tables that are open, or were closed lately; those of a session together."""
    seen = Q(session__ended_at=None) | Q(session__ended_at__gt=timezone.now() - PAYS_WITHIN)
    counted = Order.objects.filter(seen, collector=collector).exclude(status__in=Order.UNCOUNTED)
    return counted.select_related("session__table").order_by("session__started_at", "session_id", "created_at", "pk")


def orders_to_collect() -> QuerySet[Order]:
    """Orders of ended sessions whose points have not been awarded yet; oldest first."""
    return Order.objects.to_be_collected().filter(session__ended_at__isnull=False).order_by("created_at", "pk")
