"""The history, just after midnight where the new day begins first. Other moments: check_demo_at_any_moment.py."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from config.demo import loading, visits
from config.demo.history import History
from tests.config.demo import moments

pytestmark = pytest.mark.slow

NOW, ZONE = datetime(2026, 12, 1, 11, 4, tzinfo=UTC), "Pacific/Auckland"


@pytest.fixture(scope="module")
def drawn() -> History:
    return loading.write_history(NOW, ZoneInfo(ZONE))


def test_today_has_orders_already_and_the_future_none(drawn):
    moments.check(drawn, NOW, ZONE)


def test_the_same_moment_gives_the_same_history(monkeypatch):
    monkeypatch.setattr(visits, "HISTORY_DAYS", 20)  # for speed

    def history(drawn):
        orders = [(order.table.table_number, order.created_at, order.total) for order in drawn.orders]
        paid = [(row.session.started_at, row.method, row.amount, row.tip) for row in drawn.payments]
        cancelled = [(change.at, change.reason, change.note, change.amount) for change in drawn.changes]
        points = [(row.customer.email, row.created_at, row.points) for row in drawn.transactions]
        handed_out = [(row.redemption.customer.email, row.created_at) for row in drawn.confirmations]
        told = [(row.customer.email, row.created_at, row.title) for row in drawn.notifications]
        seen = [(scan.scanned_at, scan.city) for table in drawn.tables for scan in drawn.scans[table.pk]]
        return orders, paid, cancelled, points, handed_out, told, seen

    first, second = (history(loading.write_history(NOW, ZoneInfo(ZONE))) for _ in range(2))
    assert first == second
