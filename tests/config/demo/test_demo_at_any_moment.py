"""The history, whenever and wherever it is drawn."""

from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from config.demo import plan
from loyalty.models import Member

pytestmark = pytest.mark.slow

MOMENTS = [
    pytest.param(datetime(2026, 11, 21, 20, 30, tzinfo=UTC), "Europe/Dublin", id="Saturday evening"),
    pytest.param(datetime(2026, 12, 1, 10, 30, tzinfo=UTC), "Pacific/Auckland", id="Auckland, before midnight"),
    pytest.param(datetime(2026, 12, 1, 11, 4, tzinfo=UTC), "Pacific/Auckland", id="Auckland, just after midnight"),
    pytest.param(datetime(2026, 3, 29, 12, 0, tzinfo=UTC), "Europe/Dublin", id="the clocks went forward"),
    pytest.param(datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC), "America/St_Johns", id="29 February"),
]


first_drawn = cache(plan.draw)


@pytest.mark.parametrize(("now", "zone"), MOMENTS)
def test_at_any_moment_today_has_orders_and_the_future_none(now, zone):
    drawn = first_drawn(now, ZoneInfo(zone))
    diary, book = drawn.diary, drawn.book
    today = now.astimezone(ZoneInfo(zone)).date()
    assert any(order.created_at.astimezone(ZoneInfo(zone)).date() == today for order in diary.orders)
    moments = [
        *(session.ended_at or session.started_at for session in diary.sessions),
        *(order.completed_at or order.created_at for order in diary.orders),
        *(order.acknowledged_at or order.created_at for order in diary.orders),
        *(change.at for change in diary.changes),
        *(payment.created_at for payment in diary.payments),
        *(call.created_at for call in diary.calls),
        *(sighting.at for sighting in (*diary.sightings, *book.sightings)),
        *(transaction.created_at for transaction in book.transactions),
        *(redemption.used_at or redemption.created_at for redemption in book.redemptions),
        *(confirmation.undone_at or confirmation.created_at for confirmation in book.confirmations),
        *(notification.sent_at for notification in book.notifications),
    ]
    assert max(moments) <= now
    assert min(order.created_at for order in diary.orders) > now - timedelta(days=62)
    assert {member.tier for member in book.members} == set(Member.Tier.values)
    active = {member.tier for member in book.members if member.last_activity_at > now - timedelta(days=7)}
    assert active == set(Member.Tier.values)
    assert sum(confirmation.found == "used" for confirmation in book.confirmations) == 3
    soon = [each for each in book.redemptions if now < each.expires_at < now + timedelta(days=3)]
    assert any(each.status == "active" for each in soon)
    for one, next_one in pairwise(book.transactions):
        assert one.customer is not next_one.customer or one.created_at < next_one.created_at


def test_the_same_moment_gives_the_same_history():
    def history(draw):
        drawn = draw(datetime(2026, 11, 21, 20, 30, tzinfo=UTC), ZoneInfo("Europe/Dublin"))
        orders = [(each.table.table_number, each.created_at, each.total) for each in drawn.diary.orders]
        paid = [(each.session.started_at, each.method, each.amount, each.tip) for each in drawn.diary.payments]
        cancelled = [(each.at, each.reason, each.note, each.amount) for each in drawn.diary.changes]
        points = [(each.customer.email, each.created_at, each.points) for each in drawn.book.transactions]
        handed_out = [(each.redemption.customer.email, each.created_at) for each in drawn.book.confirmations]
        told = [(each.customer.email, each.created_at, each.title) for each in drawn.book.notifications]
        seen = [(each.at, each.city) for each in drawn.diary.sightings]
        return orders, paid, cancelled, points, handed_out, told, seen

    assert history(first_drawn) == history(plan.draw)
