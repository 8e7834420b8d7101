"""Every line of every order, for an accountant's own program. See "Sales reports" in docs/behaviour/restaurant.md."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from restaurant.ordering.models import Order, OrderItem
from restaurant.ordering.queries.orders import orders_with_items
from web.spreadsheets import harmless

COLUMNS = (
    "date", "time", "order", "table", "session", "item", "options", "quantity", "cancelled", "unit_price", "total",
    "vat_rate", "status", "placed_by",
)  # fmt: skip
ORDERS = 500  # read at a time


def rows(*, since: datetime, until: datetime, zone: ZoneInfo) -> Iterator[list[Any]]:
    """The cells of the lines ordered from `since` until before `until`, the oldest first.

    Also of orders that are held or cancelled. So many ORDERS are read by one statement, so that a client that reads
    slowly keeps neither a cursor nor a transaction open.
    """
    placed = orders_with_items().filter(created_at__gte=since, created_at__lt=until).order_by("created_at", "pk")
    orders = list(placed[:ORDERS])
    while orders:
        for order in orders:
            yield from ([*_order_cells(order, zone), *_item_cells(order, item)] for item in order.items.all())
        orders = list(_after(placed, orders[-1])[:ORDERS])


def _after(placed: QuerySet[Order], last: Order) -> QuerySet[Order]:
    at = last.created_at
    return placed.filter(Q(created_at__gt=at) | Q(created_at=at, pk__gt=last.pk), created_at__gte=at)


def _order_cells(order: Order, zone: ZoneInfo) -> list[Any]:
    at = order.created_at.astimezone(zone)
    return [at.date(), f"{at:%H:%M:%S}", order.pk, order.table.table_number, order.session_id]


def _item_cells(order: Order, item: OrderItem) -> list[Any]:
    options = "; ".join(option["name"] for option in item.options)
    rate = "" if item.vat_rate is None else item.vat_rate
    return [
        harmless(item.display_name), harmless(options), item.quantity, item.cancelled_quantity, item.price, item.total,
        rate, order.status, harmless(order.placed_by),
    ]  # fmt: skip
