"""What guests order most, all of them and one. See "House favourites" and "Your usual" in docs/behaviour.md."""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Expression, F, Func, IntegerField, QuerySet, Sum
from django.utils import timezone

from restaurant.models import Order, OrderItem, SalesOfItem

DAYS = timedelta(days=28)
LEAST = 10  # portions: with fewer nobody knows what guests like


def rank() -> Expression:
    """Of an item, for the statement that reads the menu: 1 is what was ordered most lately. NULL: too little for one.

    The days that are summed up are ranked once in that statement, and it is read once for each version of the menu.
    """
    since = (timezone.now() - DAYS).astimezone(UTC).date()
    sums: QuerySet[Any, Any] = SalesOfItem.objects.filter(day__gte=since).values("menu_item_id")
    ranked = sums.annotate(sold=Sum("portions")).filter(sold__gte=LEAST).order_by("-sold", "menu_item_id")
    ids = ArraySubquery(ranked.values("menu_item_id"))
    return Func(ids, F("pk"), function="array_position", output_field=IntegerField())


LATEST_ORDERS, FEWEST_ORDERS = 20, 2


@dataclass(frozen=True, slots=True)
class Usual:
    """Of the latest orders of a card. `times`: by the item's id, in how many of the `orders` it was."""

    orders: int
    times: dict[str, int]


def usual_of(collector: str) -> Usual:
    """What the owner of this card has had: the most often had first, then the latest.

    Nothing while there are fewer than two orders.
    """
    latest = Order.objects.filter(collector=collector).exclude(collector="").exclude(status__in=Order.UNCOUNTED)
    chosen = latest.order_by("-created_at", "pk").values("pk")[:LATEST_ORDERS]
    lines = OrderItem.objects.filter(order__in=chosen, quantity__gt=F("cancelled_quantity"))
    had = lines.order_by("-order__created_at", "pk").values_list("menu_item_id", "order_id")
    pairs = dict.fromkeys((str(item), order) for item, order in had)
    orders = len({order for _item, order in pairs})
    times = Counter(item for item, _order in pairs) if orders >= FEWEST_ORDERS else Counter[str]()
    return Usual(orders, dict(times.most_common()))
