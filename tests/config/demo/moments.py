"""What holds of the demonstration's history, whenever and wherever it is drawn."""

from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from config.demo.history import History
from loyalty.models import Member


def check(history: History, now: datetime, zone: str) -> None:
    """Today has orders and the future none, and whatever pages show happened in time."""
    today = now.astimezone(ZoneInfo(zone)).date()
    assert any(order.created_at.astimezone(ZoneInfo(zone)).date() == today for order in history.orders)
    moments = [
        *(session.ended_at or session.started_at for session in history.sessions),
        *(order.completed_at or order.created_at for order in history.orders),
        *(order.acknowledged_at or order.created_at for order in history.orders),
        *(change.at for change in history.changes),
        *(payment.created_at for payment in history.payments),
        *(call.created_at for call in history.calls),
        *(scan.scanned_at for scans in history.scans.values() for scan in scans),
        *(transaction.created_at for transaction in history.transactions),
        *(redemption.used_at or redemption.created_at for redemption in history.redemptions),
        *(confirmation.undone_at or confirmation.created_at for confirmation in history.confirmations),
        *(notification.sent_at for notification in history.notifications),
    ]
    assert max(moments) <= now
    assert min(order.created_at for order in history.orders) > now - timedelta(days=62)
    assert {member.tier for member in history.members} == set(Member.Tier.values)
    active = {member.tier for member in history.members if member.last_activity_at > now - timedelta(days=7)}
    assert active == set(Member.Tier.values)
    assert sum(confirmation.found == "used" for confirmation in history.confirmations) == 3
    soon = [redemption for redemption in history.redemptions if now < redemption.expires_at < now + timedelta(days=3)]
    assert any(each.status == "active" for each in soon)
    for one, next_one in pairwise(history.transactions):
        assert one.customer is not next_one.customer or one.created_at < next_one.created_at
