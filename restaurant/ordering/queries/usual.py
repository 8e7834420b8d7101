"""The dishes that the owner of a card orders most often. See "Suggested dishes" in docs/behaviour/restaurant.md."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import F

from restaurant.ordering.models import OrderItem
from restaurant.ordering.queries import counted

LATEST_ORDERS, FEWEST_ORDERS = 20, 2


@dataclass(frozen=True, slots=True)
class Usual:
    """The latest orders of a card: their number, and by the item's id in how many of them it was."""

    orders: int
    times: dict[str, int]


def usual_of(collector: str) -> Usual:
    """The dishes that the owner of this card has had: the most frequent first, among equals the latest.

    None are named while there are fewer than two orders.
    """
    own = counted.orders().filter(collector=collector).exclude(collector="")
    latest = own.order_by("-created_at", "pk").values("pk")[:LATEST_ORDERS]
    lines = OrderItem.objects.filter(order__in=latest, quantity__gt=F("cancelled_quantity"))
    dishes = lines.order_by("-order__created_at", "pk").values_list("menu_item_id", "order_id")
    pairs = dict.fromkeys((str(item), order) for item, order in dishes)
    orders = len({order for _item, order in pairs})
    times = Counter(item for item, _order in pairs) if orders >= FEWEST_ORDERS else Counter[str]()
    return Usual(orders, dict(times.most_common()))
