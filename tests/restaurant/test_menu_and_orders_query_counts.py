"""`GET /table/{n}` takes at most 6 queries whatever the menu's size, and 5 once it was read; an order at most 8."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from restaurant.models import MenuItem, TableSession
from restaurant.services import menu
from tests.conftest import PAGE, order_body

pytestmark = pytest.mark.django_db

CONTROL = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK")
LIMITS = "web_permits"  # leased for many requests at a time


def queries(call) -> int:
    """How many a successful call takes, without those that begin and end transactions or lease permits of a limit."""
    with CaptureQueriesContext(connection) as seen:
        response = call()
    assert response.status_code == 200, response.content
    return sum(not each["sql"].startswith(CONTROL) and LIMITS not in each["sql"] for each in seen)


def fill(count: int) -> list[MenuItem]:
    return MenuItem.objects.bulk_create(
        MenuItem(name=f"Dish {number}", price=Decimal("9.50"), category=f"Category {number % 9}")
        for number in range(count)
    )


@pytest.mark.parametrize("size", [0, 5, 200])
@pytest.mark.parametrize("accept", [PAGE, "application/json"])
def test_a_menu_of_any_size(table, size, accept):
    items = fill(size)
    phone = APIClient(headers={"accept": accept})
    assert queries(lambda: phone.get("/table/7")) <= 6  # the scan that opens the session
    assert queries(lambda: phone.get("/table/7")) <= 5
    for item in items[:20]:
        phone.post("/table/7/cart", {"menuItemId": str(item.pk)}, format="json")
    assert queries(lambda: phone.get("/table/7")) <= 5
    assert queries(lambda: phone.get("/table/7?from=cart")) <= 5
    with menu.changing():
        MenuItem.objects.update(price=Decimal("8.50"))
    assert queries(lambda: phone.get("/table/7")) <= 5


@pytest.mark.parametrize("size", [1, 3, 100])
def test_an_order_of_any_size(table, size):
    items = fill(size)
    phone = APIClient()
    phone.get("/table/7")  # the phone has its cookies, and its cart is emptied
    body = order_body(TableSession.objects.get(), *((item, 1) for item in items))
    total = float(size * Decimal("9.50"))

    def order(key: str):
        return phone.post(
            "/table/7/order", body | {"expectedTotal": total}, format="json", headers={"Idempotency-Key": key}
        )

    assert queries(lambda: order("one")) <= 8
    assert queries(lambda: order("one")) <= 8
    assert queries(lambda: order("two")) <= 8
