"""Orders of staff, and scans, that arrive at a free table at the same moment."""

import pytest
from rest_framework.test import APIClient

from restaurant.models import Order, TableSession
from tests.at_once import at_once
from tests.conftest import make_item, make_table, make_user, signed_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


@pytest.fixture
def place(transactional_db):
    """Sends an order of one soup to table 7, without a session: its id."""
    soup, user = make_item(), make_user("Floor")
    make_table()
    body = {"items": [{"menuItemId": str(soup.pk)}]}

    def send(key: str) -> str:
        response = signed_in(user).post("/table/7/order", body, format="json", headers={"Idempotency-Key": key})
        assert response.status_code == 200, response.content
        return str(response.json()["orderId"])

    return send


def test_taps_with_one_key_are_one_order_in_one_session(place):
    for number in range(5):
        TableSession.objects.update(ended_at="2026-01-01T00:00Z")
        assert len(set(at_once([lambda number=number: place(f"tap {number}")] * 12))) == 1
        assert Order.objects.count() == TableSession.objects.count() == number + 1


def test_waiters_and_scans_share_one_session(place):
    for number in range(5):
        TableSession.objects.update(ended_at="2026-01-01T00:00Z")
        waiters = [lambda key=f"{number} {each}": place(key) for each in range(6)]
        at_once([*waiters, *[lambda: APIClient().get("/table/7").status_code] * 6])
        session = TableSession.objects.get(ended_at=None)
        assert (session.total_orders, session.total_scans) == (6, 6)
