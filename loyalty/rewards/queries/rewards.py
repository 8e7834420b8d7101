"""Rewards, and what a member can afford of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest

from loyalty.errors import RewardUnavailable
from loyalty.members.models import Member
from loyalty.restaurant import restaurant
from loyalty.rewards.models import Reward
from web.fields import is_uuid

STEPS = 6  # prices that stand clear of each other on a phone


def rewards_for(member: Member | None) -> QuerySet[Any]:
    """Return the available rewards, cheapest first, with `can_redeem` and `points_needed` for this member."""
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
    """Return the names of the available rewards that this member can pay, without those `besides`."""
    ready = Reward.objects.filter(available=True, points_required__lte=member.points_balance)
    return list(ready.exclude(pk__in=besides).values_list("name", flat=True))


def pictures_of(rewards: Iterable[Reward], *, large: bool = False) -> dict[str, str]:
    """Return addresses of pictures by the reward's id, where its value names something that the restaurant has."""
    named = {
        str(reward.pk): str(reward.reward_value["item"])
        for reward in rewards
        if isinstance(reward.reward_value, dict) and reward.reward_value.get("item")
    }
    pictures = restaurant().pictures(set(named.values()), large=large) if named else {}
    return {reward_id: pictures[item] for reward_id, item in named.items() if item in pictures}


@dataclass(frozen=True, slots=True)
class PriceStep:
    """The rewards of one price, as a step up from the price below it."""

    points: int
    below: int
    rewards: list[str]
    balance: int
    is_next: bool  # the first that is not reached, or the last one for whoever is beyond it

    @property
    def to_go(self) -> int:
        return max(self.points - self.balance, 0)

    @property
    def width(self) -> int:
        return self.points - self.below

    @property
    def gained(self) -> int:
        return min(max(self.balance - self.below, 0), self.width)

    @property
    def percent(self) -> int:
        return 100 * self.gained // self.width


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The available rewards, with what this member can afford."""

    member: Member | None
    rewards: list[Any]  # from `rewards_for`

    def steps(self) -> list[PriceStep]:
        """Return the prices as steps, lowest first; of many those around the member's balance."""
        balance = self.member.points_balance if self.member else 0
        names: dict[int, list[str]] = {}
        for reward in self.rewards:
            if reward.points_required:
                names.setdefault(reward.points_required, []).append(reward.name)
        prices = sorted(names)
        reached = sum(price <= balance for price in prices)
        following = min(reached, len(prices) - 1)
        steps = [
            PriceStep(price, below, names[price], balance, is_next=number == following)
            for number, (below, price) in enumerate(zip([0, *prices], prices, strict=False))
        ]
        first = max(min(reached - STEPS // 2, len(steps) - STEPS), 0)
        return steps[first : first + STEPS]


@dataclass(frozen=True, slots=True)
class RedemptionOffer:
    """A reward that a member may be about to redeem."""

    member: Member
    reward: Any  # from `rewards_for`

    @property
    def balance_after(self) -> int:
        return self.member.points_balance - self.reward.points_required


def redemption_offer(member: Member, reward_id: str) -> RedemptionOffer:
    """Raises RewardUnavailable."""
    reward = rewards_for(member).filter(pk=reward_id).first() if is_uuid(reward_id) else None
    if reward is None:
        raise RewardUnavailable
    return RedemptionOffer(member, reward)
