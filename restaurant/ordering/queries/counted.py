"""Orders and lines that count in reports: neither held nor cancelled."""

from django.db.models import F, QuerySet, Sum

from restaurant.ordering.models import Order, OrderItem
from web.money import NOTHING, MoneyField

_REMAINING = F("quantity") - F("cancelled_quantity")

PORTIONS = Sum(_REMAINING, default=0)
REVENUE = Sum(F("price") * _REMAINING, default=NOTHING, output_field=MoneyField())


def orders() -> QuerySet[Order]:
    """Orders that count; their totals are without cancelled parts."""
    return Order.objects.exclude(status__in=Order.UNCOUNTED)


def lines() -> QuerySet[OrderItem]:
    """Lines of orders that count, without those that are cancelled completely."""
    return OrderItem.objects.filter(quantity__gt=F("cancelled_quantity")).exclude(order__status__in=Order.UNCOUNTED)
