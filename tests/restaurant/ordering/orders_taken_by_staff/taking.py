"""Orders that staff take for guests: `/floor/tables/{n}/order`, and `POST /table/{n}/order` with their credential."""

from restaurant.models import MenuItem
from tests.reading import Part, read
from tests.restaurant.ordering.forms import Page, form_of

ORDER, PAGE_OF_TABLE_7 = "/table/7/order", "/floor/tables/7/order"


def entries(*chosen: tuple[MenuItem, int]) -> dict:
    return {"items": [{"menuItemId": str(item.pk), "quantity": quantity} for item, quantity in chosen]}


def place(client, number: int = 7, key: str = "", **body):
    headers = {"Idempotency-Key": key} if key else {}
    return client.post(f"/table/{number}/order", body, format="json", headers=headers)


def open_page(waiter, query: str = "") -> Part:
    return read(waiter.get(f"{PAGE_OF_TABLE_7}{query}"))


def send(waiter, page: Page, *, to: str = ORDER, **entered):
    """The page's form, with quantities and notes that are entered in `quantity-<id>` and `note-<id>`."""
    return waiter.post(to, form_of(page, ORDER).fields() | entered)
