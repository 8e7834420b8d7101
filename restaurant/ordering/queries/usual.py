"""What the owner of a card orders most often. See "Suggested dishes" in docs/behaviour/restaurant.md."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import F

from restaurant.ordering.models import Order, OrderItem

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
