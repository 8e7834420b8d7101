"""What holds of the demonstration's history, whenever and wherever it is drawn."""

from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from config.demo.plan import Plan
from loyalty.models import Member


def check(drawn: Plan, now: datetime, zone: str) -> None:
    """Today has orders and the future none, and whatever pages show happened in time."""
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
    soon = [redemption for redemption in book.redemptions if now < redemption.expires_at < now + timedelta(days=3)]
    assert any(each.status == "active" for each in soon)
    for one, next_one in pairwise(book.transactions):
        assert one.customer is not next_one.customer or one.created_at < next_one.created_at
