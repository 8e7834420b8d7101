"""What counts in reports: orders without those that are held or cancelled, and of their lines what is not cancelled."""

from decimal import Decimal

from django.db.models import F, QuerySet, Sum

from restaurant.ordering.models import Order, OrderItem

_REMAINING = F("quantity") - F("cancelled_quantity")

PORTIONS = Sum(_REMAINING, default=0)
REVENUE = Sum(F("price") * _REMAINING, default=Decimal("0.00"))


def orders() -> QuerySet[Order]:
    """Their totals are without cancelled parts."""
    return Order.objects.exclude(status__in=Order.UNCOUNTED)


def lines() -> QuerySet[OrderItem]:
    """Those of which something is left."""
    return OrderItem.objects.filter(quantity__gt=F("cancelled_quantity")).exclude(order__status__in=Order.UNCOUNTED)
