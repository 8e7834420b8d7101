"""The history, just after midnight where the new day begins first. Other moments: check_demo_at_any_moment.py."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from config.demo import plan, visits
from tests.config.demo import moments

pytestmark = pytest.mark.slow

NOW, ZONE = datetime(2026, 12, 1, 11, 4, tzinfo=UTC), "Pacific/Auckland"


@pytest.fixture(scope="module")
def drawn() -> plan.Plan:
    return plan.draw(NOW, ZoneInfo(ZONE))


def test_today_has_orders_already_and_the_future_none(drawn):
    moments.check(drawn, NOW, ZONE)


def test_the_same_moment_gives_the_same_history(monkeypatch):
    monkeypatch.setattr(visits, "HISTORY_DAYS", 20)  # for speed

    def history(drawn):
        orders = [(each.table.table_number, each.created_at, each.total) for each in drawn.diary.orders]
        paid = [(each.session.started_at, each.method, each.amount, each.tip) for each in drawn.diary.payments]
        cancelled = [(each.at, each.reason, each.note, each.amount) for each in drawn.diary.changes]
        points = [(each.customer.email, each.created_at, each.points) for each in drawn.book.transactions]
        handed_out = [(each.redemption.customer.email, each.created_at) for each in drawn.book.confirmations]
        told = [(each.customer.email, each.created_at, each.title) for each in drawn.book.notifications]
        seen = [(each.at, each.city) for each in drawn.diary.sightings]
        return orders, paid, cancelled, points, handed_out, told, seen

    first, second = (history(plan.draw(NOW, ZoneInfo(ZONE))) for _ in range(2))
    assert first == second
