"""Cards as their viewers may see them, the till's search, and a member's account."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Any, ClassVar

from loyalty.members.models import Member
from loyalty.members.queries import unconfirmed_email
from loyalty.messages.models import Notification
from loyalty.messages.queries import notifications
from loyalty.points.models import NextTier, PointTransaction, Programme
from loyalty.points.queries.activity import Line, activity, lines_of_card
from loyalty.points.queries.expiry import Expiring, expiring
from loyalty.points.queries.programme import current_programme
from loyalty.rewards.models import Redemption
from loyalty.rewards.queries.redemptions import active_redemptions, by_reward
from loyalty.rewards.queries.rewards import rewards_for


@dataclass(frozen=True)
class Card:
    """A card as anyone sees it who knows the member's id. See "Member card" in docs/behaviour/loyalty.md."""

    viewer: ClassVar[str] = "guest"
    member: Member
    programme: Programme
    rewards: list[Any]  # from `rewards_for`

    @property
    def next_tier(self) -> NextTier | None:
        return self.programme.next_tier(self.member.lifetime_points)

    @property
    def rate(self) -> Decimal:
        return self.programme.rate(self.member.tier)

    @cached_property
    def codes(self) -> list[Redemption]:
        """The active redemptions, first the one that ends first. Guests see none."""
        return []

    @cached_property
    def held(self) -> dict[str, list[Redemption]]:
        """The codes by their reward's id."""
        return by_reward(self.codes)

    @cached_property
    def ready(self) -> list[Any]:
        """The rewards that the points buy, without those whose code is there already. Cheapest first."""
        return [reward for reward in self.rewards if reward.can_redeem and str(reward.pk) not in self.held]

    @cached_property
    def next_reward(self) -> Any:
        """The cheapest reward after those that are ready; None where there is none."""
        later = (reward for reward in self.rewards if not reward.can_redeem and str(reward.pk) not in self.held)
        return next(later, None)


@dataclass(frozen=True)
class TillCard(Card):
    """A card as staff at the till see it."""

    viewer: ClassVar[str] = "staff"
    redemptions: list[Redemption]
    activity: list[Any]  # transactions from `points.queries.activity`

    @cached_property
    def codes(self) -> list[Redemption]:
        return sorted(self.redemptions, key=lambda redemption: redemption.expires_at)

    @cached_property
    def ready_again(self) -> list[Any]:
        """The rewards whose code is there already and of which the points buy another one."""
        return [reward for reward in self.rewards if reward.can_redeem and str(reward.pk) in self.held]


@dataclass(frozen=True)
class OwnCard(TillCard):
    """A card as its member sees it."""

    viewer: ClassVar[str] = "member"
    expiring: list[Expiring]
    notifications: list[Notification]

    @property
    def email(self) -> str:
        return self.member.email

    @property
    def phone(self) -> str:
        return self.member.phone

    @property
    def news(self) -> list[Notification]:
        return [notification for notification in self.notifications if notification.is_new]

    @cached_property
    def lines(self) -> list[Line]:
        return lines_of_card(self.activity, self.programme)


def card(member: Member) -> Card:
    return Card(member, current_programme(), list(rewards_for(member)))


def till_card(member: Member, *, now: datetime) -> TillCard:
    rewards, redemptions = list(rewards_for(member)), active_redemptions(member, now)
    return TillCard(member, current_programme(), rewards, redemptions, activity(member))


def own_card(member: Member, *, now: datetime) -> OwnCard:
    programme = current_programme()
    return OwnCard(
        member,
        programme,
        rewards=list(rewards_for(member)),
        redemptions=active_redemptions(member, now),
        activity=activity(member),
        expiring=expiring(member, months=programme.expires_after_months, now=now),
        notifications=notifications(member),
    )


@dataclass(frozen=True, slots=True)
class Till:
    """The members who match a query, and today's purchases of one user, the latest first.

    `is_cut`: more members match.
    """

    query: str
    members: list[Member]
    is_cut: bool
    latest: list[PointTransaction]


@dataclass(frozen=True, slots=True)
class Account:
    """The details that belong to the member and not to the card. `new_email` is not confirmed yet."""

    member: Member
    new_email: str
    notifications: list[Notification]

    @property
    def earlier_news(self) -> list[Notification]:
        return [notification for notification in self.notifications if not notification.is_new]


def account(member: Member, *, now: datetime) -> Account:
    return Account(member, unconfirmed_email(member, now=now), notifications(member))


@dataclass(frozen=True, slots=True)
class ErasureOffer:
    """A member who may leave, and the redemptions that are lost then."""

    member: Member
    redemptions: list[Redemption]
    may_erase: bool
