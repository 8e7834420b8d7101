"""Checks of the demonstration's history, at any moment and in any time zone."""

from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from config.demo.history import History
from loyalty.models import Confirmation, Member, Notification, PointTransaction, Redemption
from restaurant.models import Order, OrderChange, Payment, TableCall, TableSession


def check(history: History, now: datetime, zone: str) -> None:
    """Today has orders and the future none, and whatever pages show happened in time."""
    today = now.astimezone(ZoneInfo(zone)).date()
    assert any(order.created_at.astimezone(ZoneInfo(zone)).date() == today for order in history[Order])
    moments = [
        *(session.ended_at or session.started_at for session in history[TableSession]),
        *(order.completed_at or order.created_at for order in history[Order]),
        *(order.acknowledged_at or order.created_at for order in history[Order]),
        *(change.at for change in history[OrderChange]),
        *(payment.created_at for payment in history[Payment]),
        *(call.created_at for call in history[TableCall]),
        *(scan.scanned_at for scans in history.scans.values() for scan in scans),
        *(transaction.created_at for transaction in history[PointTransaction]),
        *(redemption.used_at or redemption.created_at for redemption in history[Redemption]),
        *(confirmation.undone_at or confirmation.created_at for confirmation in history[Confirmation]),
        *(notification.sent_at for notification in history[Notification]),
    ]
    assert max(moments) <= now
    assert min(order.created_at for order in history[Order]) > now - timedelta(days=62)
    assert {member.tier for member in history[Member]} == set(Member.Tier.values)
    active = {member.tier for member in history[Member] if member.last_activity_at > now - timedelta(days=7)}
    assert active == set(Member.Tier.values)
    assert sum(confirmation.found == "used" for confirmation in history[Confirmation]) == 3
    soon = [redemption for redemption in history[Redemption] if now < redemption.expires_at < now + timedelta(days=3)]
    assert any(redemption.status == "active" for redemption in soon)
    for one, next_one in pairwise(history[PointTransaction]):
        assert one.customer is not next_one.customer or one.created_at < next_one.created_at
