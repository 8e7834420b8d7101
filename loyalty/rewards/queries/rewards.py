"""Rewards, and what a member can afford of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest

from loyalty.errors import RewardUnavailable
from loyalty.members.models import Member
from loyalty.rewards.models import Reward
from web.fields import is_uuid


def rewards_for(member: Member | None) -> QuerySet[Reward]:
    """The available rewards, cheapest first, with `can_redeem` and `points_needed` for this member, or without one."""
    balance = member.points_balance if member else 0
    return (
        Reward.objects.filter(available=True)
        .annotate(
            can_redeem=Q(points_required__lte=balance),
            points_needed=Greatest(F("points_required") - balance, 0),
        )
        .order_by("points_required", "name", "id")
    )


def rewards_ready(member: Member, *, besides: Iterable[UUID] = ()) -> list[str]:
    """The names of the available rewards that this member can pay, without those `besides`."""
    ready = Reward.objects.filter(available=True, points_required__lte=member.points_balance)
    return list(ready.exclude(pk__in=besides).values_list("name", flat=True))


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Available rewards, with what this member can afford."""

    member: Member
    rewards: list[Reward]


def catalogue(member: Member) -> Catalogue:
    return Catalogue(member, list(rewards_for(member)))


@dataclass(frozen=True, slots=True)
class RedemptionOffer:
    """A reward that a member may be about to redeem."""

    member: Member
    reward: Reward

    @property
    def balance_after(self) -> int:
        return self.member.points_balance - self.reward.points_required


def redemption_offer(member: Member, reward_id: str) -> RedemptionOffer:
    """Raises RewardUnavailable."""
    reward = rewards_for(member).filter(pk=reward_id).first() if is_uuid(reward_id) else None
    if reward is None:
        raise RewardUnavailable
    return RedemptionOffer(member, reward)
