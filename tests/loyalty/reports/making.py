"""Members as the reports see them, at a moment of their own."""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from django.db.models import F

from loyalty.models import Member, PointTransaction, Redemption, Reward

NOW = datetime(2026, 3, 18, 14, 30, tzinfo=UTC)
TICK = timedelta(microseconds=1)  # the least that the database tells apart


def ago(days: float = 0, **more: float) -> datetime:
    return NOW - timedelta(days=days, **more)


def make_member(
    name: str = "Ada", *, orders: Sequence[object] = (), active: datetime | None = NOW, lifetime: int = 0, **values
) -> Member:
    """`orders` are the totals of earn transactions, all at the time of the last activity; None is one without."""
    defaults = {"email": f"{uuid.uuid4().hex}@example.com", "created_at": ago(400), "last_activity_at": active}
    member = Member.objects.create(name=name, lifetime_points=lifetime, **{**defaults, **values})
    for total in orders:
        add(member, order_total=total, at=active or ago(400))
    return member


def add(member: Member, *, points: int = 10, kind: str = "earn", at: datetime = NOW, **values) -> PointTransaction:
    """With what the member's row says of it."""
    row = PointTransaction.objects.create(customer=member, type=kind, points=points, created_at=at, **values)
    sign = {"earn": 1, "reversal": -1}.get(kind, 0)
    spent = Decimal(row.order_total or 0) if sign else 0
    Member.objects.filter(pk=member.pk).update(awards=F("awards") + sign, spend=F("spend") + spent)
    return row


def add_redemption(member: Member, reward: Reward, *, at: datetime = NOW) -> Redemption:
    return Redemption.objects.create(
        customer=member, reward=reward, points_spent=1, redemption_code=uuid.uuid4().hex, expires_at=NOW, created_at=at
    )


def tile(page, label: str) -> dict:
    found = [each for each in page.context["tiles"] if each.label == label]
    assert len(found) == 1, [each.label for each in page.context["tiles"]]
    return found[0]
