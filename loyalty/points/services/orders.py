"""Keys of the points for orders at tables, which are awarded once for each order."""

from django.urls import reverse

from web.fields import is_uuid
from web.idempotency import OURS, Key, digest_of

_OF_ORDER = f"{OURS}order-"


def key_of(order_id: str) -> Key:
    """Return a key without the total: a repeat gets the first result, also if a dish was cancelled in between."""
    return Key(f"{_OF_ORDER}{order_id}", digest_of("order", order_id))


def order_url(key: str | None) -> str:
    """Return the address of the order whose points have this idempotency key; empty for other purchases."""
    order_id = (key or "").removeprefix(_OF_ORDER)
    return reverse("order", args=[order_id]) if order_id != key and is_uuid(order_id) else ""
