"""Cards, as far as who looks may see them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from loyalty import rules
from loyalty.members.models import Member
from loyalty.messages.models import Notification
from loyalty.messages.queries import notifications
from loyalty.points.models import PointTransaction
from loyalty.points.queries import Expiring, activity, expiring, programme
from loyalty.rewards.models import Redemption, Reward
from loyalty.rewards.queries import active_redemptions, rewards_for


@dataclass(frozen=True, slots=True)
class Card:
    """What anyone sees who knows the member's id. See "Member card" in docs/behaviour/loyalty.md."""

    viewer: ClassVar[str] = "guest"
    member: Member
    next_tier: rules.NextTier | None
    rewards: list[Reward]


@dataclass(frozen=True, slots=True)
class TillCard(Card):
    """What staff at the till see."""

    viewer: ClassVar[str] = "staff"
    redemptions: list[Redemption]
    activity: list[PointTransaction]


@dataclass(frozen=True, slots=True)
class OwnCard(TillCard):
    """What the member sees."""

    viewer: ClassVar[str] = "member"
    expiring: list[Expiring]
    notifications: list[Notification]
    email: str
    phone: str


def card(member: Member) -> Card:
    return Card(**_public_part(member, programme()))


def till_card(member: Member, *, now: datetime) -> TillCard:
    return TillCard(**_public_part(member, programme()), **_till_part(member, now))


def own_card(member: Member, *, now: datetime) -> OwnCard:
    current = programme()
    return OwnCard(
        **_public_part(member, current),
        **_till_part(member, now),
        expiring=expiring(member, months=current.expires_after_months, now=now),
        notifications=notifications(member),
        email=member.email,
        phone=member.phone,
    )


@dataclass(frozen=True, slots=True)
class ErasureOffer:
    """What a member loses who leaves."""

    member: Member
    redemptions: list[Redemption]


def erasure_offer(member: Member, *, now: datetime) -> ErasureOffer:
    return ErasureOffer(member, active_redemptions(member, now))


def _public_part(member: Member, current: rules.Programme) -> dict[str, Any]:
    rewards = list(rewards_for(member))
    return {"member": member, "next_tier": rules.next_tier(member.lifetime_points, current), "rewards": rewards}


def _till_part(member: Member, now: datetime) -> dict[str, Any]:
    return {"redemptions": active_redemptions(member, now), "activity": activity(member)}
