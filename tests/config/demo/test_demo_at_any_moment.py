"""The history, just after midnight where the new day begins first. Other moments: check_demo_at_any_moment.py."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from config.demo import loading, visits
from config.demo.history import History
from loyalty.models import Confirmation, Notification, PointTransaction
from restaurant.models import Order, OrderChange, Payment, Table
from tests.config.demo import moments

pytestmark = pytest.mark.slow

NOW, ZONE = datetime(2026, 12, 1, 11, 4, tzinfo=UTC), "Pacific/Auckland"


@pytest.fixture(scope="module")
def history() -> History:
    return loading.write_history(NOW, ZoneInfo(ZONE))


def test_today_has_orders_already_and_the_future_none(history):
    moments.check(history, NOW, ZONE)


def test_the_same_moment_gives_the_same_history(monkeypatch):
    monkeypatch.setattr(visits, "HISTORY_DAYS", 20)  # for speed

    def summary(history):
        orders = [(order.table.table_number, order.created_at, order.total) for order in history[Order]]
        paid = [(row.session.started_at, row.method, row.amount, row.tip) for row in history[Payment]]
        cancelled = [(change.at, change.reason, change.note, change.amount) for change in history[OrderChange]]
        points = [(row.customer.email, row.created_at, row.points) for row in history[PointTransaction]]
        handed_out = [(row.redemption.customer.email, row.created_at) for row in history[Confirmation]]
        notified = [(row.customer.email, row.created_at, row.title) for row in history[Notification]]
        scanned = [(scan.scanned_at, scan.city) for table in history[Table] for scan in history.scans[table.pk]]
        return orders, paid, cancelled, points, handed_out, notified, scanned

    first, second = (summary(loading.write_history(NOW, ZoneInfo(ZONE))) for _ in range(2))
    assert first == second
