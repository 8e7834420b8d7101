"""Orders that staff take for guests: `/floor/tables/{n}/order`, and `POST /table/{n}/order` with their credential."""

import re

import pytest

from restaurant.models import MenuItem
from tests.conftest import make_user
from tests.restaurant.test_cart_without_javascript import hidden


@pytest.fixture
def waiter(browser_client, table):
    """A browser without JavaScript, signed in as a member of the floor staff."""
    browser_client.force_login(make_user("Floor", "flora"))
    return browser_client


def entries(*chosen: tuple[MenuItem, int]) -> dict:
    return {"items": [{"menuItemId": str(item.pk), "quantity": quantity} for item, quantity in chosen]}


def place(client, number: int = 7, key: str = "", **body):
    headers = {"Idempotency-Key": key} if key else {}
    return client.post(f"/table/{number}/order", body, format="json", headers=headers)


def open_page(waiter) -> str:
    response = waiter.get("/floor/tables/7/order")
    assert response.status_code == 200
    return response.content.decode()


def send(waiter, page: str, *, to: str = "/table/7/order", **fields):
    """The page's form with its hidden fields, and quantities and notes by `quantity-<id>` and `note-<id>`."""
    form = {name: hidden(page, name) for name in ("csrfmiddlewaretoken", "takenByStaff", "idempotencyKey")}
    if 'name="sessionId"' in page:
        form["sessionId"] = hidden(page, "sessionId")
    untouched = dict.fromkeys(re.findall(r'name="(quantity-[^"]+)"', page), "0")
    return waiter.post(to, form | untouched | fields)
