"""A clock that stands still, and what happens in a restaurant at given times."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.db.models import F

from qrservice.models import Code, Scan
from restaurant.models import MenuItem, Order, OrderingRules, OrderItem, Table, TableSession
from tests.conftest import PAGE

NOW = datetime(2026, 3, 7, 14, 30, tzinfo=UTC)  # a Saturday


@pytest.fixture
def clock(manager, clock):
    """`clock(moment)` sets the time at which reports are requested; at first it is NOW."""
    clock(NOW)
    return clock


@pytest.fixture
def report(manager, clock):
    """`report(path)` is the JSON that a manager's program gets."""

    def get(path: str) -> dict:
        response = manager.get(f"/reports/restaurant{path}")
        assert response.status_code == 200, response.content
        return response.json()

    return get


@pytest.fixture
def page(manager, clock):
    """`page(path)` is the page that a manager gets."""

    def get(path: str):
        response = manager.get(f"/reports/restaurant{path}", headers={"accept": PAGE})
        assert response.status_code == 200
        return response

    return get


def scan(table: Table, *moments: datetime, device: str = "Android") -> None:
    code = Code.objects.get(analytics_id=table.qr_analytics_id)
    Scan.objects.bulk_create(Scan(code=code, scanned_at=each, device_type=device) for each in moments)


def start_session(table: Table, at: datetime = NOW, **values) -> TableSession:
    return TableSession.objects.create(table=table, started_at=at, **values)


def order(
    table: Table, at: datetime, *entries: tuple[MenuItem, int], total: str = "0", status: str = "pending"
) -> Order:
    """An order of these items at their prices; or without items, of this total."""
    session = table.sessions.first() or start_session(table, datetime(2020, 1, 1, tzinfo=UTC))
    amount = sum((item.price * quantity for item, quantity in entries), Decimal(total))
    placed = Order.objects.create(table=table, session=session, total=amount, created_at=at, status=status)
    OrderItem.objects.bulk_create(
        OrderItem(order=placed, menu_item=item, position=position, name=item.name, quantity=quantity, price=item.price)
        for position, (item, quantity) in enumerate(entries)
    )
    if placed.is_counted:
        counted = TableSession.objects.filter(pk=session.pk)
        counted.update(total_orders=F("total_orders") + 1, total_revenue=F("total_revenue") + amount)
    return placed


# --- a day with an order, its payments and what is cancelled ---


@pytest.fixture
def taxed(soup, bread):
    """The soup at 13.5 percent, the bread at 9."""
    OrderingRules(default_vat_rate=Decimal("13.5")).save()
    bread.vat_rate = Decimal("9")
    bread.save()


@pytest.fixture
def ordered(taxed, manager, session, soup, bread, clock):
    """A manager's order for the guests of table 7."""
    body = {"items": [{"menuItemId": str(soup.pk), "quantity": 2}, {"menuItemId": str(bread.pk), "quantity": 1}]}
    response = manager.post("/table/7/order", {**body, "sessionId": str(session.pk)}, format="json")
    assert response.status_code == 200, response.content
    return response.json()["orderId"]


@pytest.fixture
def session(table, clock):
    return start_session(table)


def pay(manager, session, **body) -> dict:
    response = manager.post("/table/7/payments", {"sessionId": str(session.pk), **body}, format="json")
    assert response.status_code == 201, response.content
    return response.json()


def cancel(manager, order_id, **body) -> None:
    response = manager.post(f"/orders/{order_id}/cancel", {"reason": "sold_out", **body}, format="json")
    assert response.status_code == 200, response.content
