"""What happens in a restaurant at given times."""

from datetime import UTC, datetime
from decimal import Decimal

from django.db.models import F
from rest_framework.test import APIClient

from qrservice.models import Code, Scan
from restaurant.models import MenuItem, Order, OrderingRules, OrderItem, Table, TableSession
from tests.conftest import SATURDAY, order_body

NOW = SATURDAY


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


MORE = {"totalScansBefore", "scansByHour", "sales", "averages", "totals"}  # than the contract has


def of_the_contract(body: dict) -> dict:
    """The report as far as the contract describes it."""
    return {name: value for name, value in body.items() if name not in MORE}


# --- a day with an order, its payments and what is cancelled ---


def make_ordered(manager: APIClient, session: TableSession, soup: MenuItem, bread: MenuItem) -> str:
    """A manager's order for the guests of table 7, of two soups at 13.5 percent and a bread at 9."""
    OrderingRules(default_vat_rate=Decimal("13.5")).save()
    MenuItem.objects.filter(pk=bread.pk).update(vat_rate=9)
    response = manager.post("/table/7/order", order_body(session, (soup, 2), (bread, 1)), format="json")
    assert response.status_code == 200, response.content
    return response.json()["orderId"]


def pay(manager, session, **body) -> dict:
    response = manager.post("/table/7/payments", {"sessionId": str(session.pk), **body}, format="json")
    assert response.status_code == 201, response.content
    return response.json()


def cancel(manager, order_id, **body) -> None:
    response = manager.post(f"/orders/{order_id}/cancel", {"reason": "sold_out", **body}, format="json")
    assert response.status_code == 200, response.content
