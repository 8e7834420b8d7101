"""`GET /table/{n}` takes at most 6 queries whatever the menu's size, and 5 once it was read; an order at most 8."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from restaurant.menu.services import menu
from restaurant.models import MenuItem, TableSession
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
    with menu.changing():
        return MenuItem.objects.bulk_create(
            MenuItem(name=f"Dish {number}", price=Decimal("9.50"), category=f"Category {number % 9}")
            for number in range(count)
        )


@pytest.mark.slow
def test_a_menu_of_any_size(table):
    for count in (0, 5, 200):
        items = fill(count)
        for accept in (PAGE, "application/json"):
            phone = APIClient(headers={"accept": accept})
            TableSession.objects.all().delete()
            assert queries(lambda phone=phone: phone.get("/table/7")) <= 8  # the scan that opens the session
            found = [queries(lambda phone=phone: phone.get("/table/7"))]
            for item in items[:5]:
                phone.post("/table/7/cart", {"menuItemId": str(item.pk)}, format="json")
            found += [queries(lambda phone=phone, at=at: phone.get(at)) for at in ("/table/7", "/table/7?from=cart")]
            with menu.changing():
                MenuItem.objects.update(price=Decimal("8.50"))
            found.append(queries(lambda phone=phone: phone.get("/table/7")))
            assert max(found) <= 7, (count, accept)


def test_an_order_of_any_size(table):
    items = fill(100)
    phone = APIClient()
    phone.get("/table/7")  # the phone has its cookies, and its cart is emptied
    for size in (1, 3, 100):
        body = order_body(TableSession.objects.get(), *((item, 1) for item in items[:size]))
        body["expectedTotal"] = float(size * Decimal("9.50"))

        def order(key: str, body: dict = body):
            return phone.post("/table/7/order", body, format="json", headers={"Idempotency-Key": key})

        keys = (f"{size} one", f"{size} one", f"{size} two")
        assert max(queries(lambda key=key: order(key)) for key in keys) <= 8, size
