"""A member's codes as pages show them: what ends first comes first, and rewards say that a code is there already."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from loyalty.members import queries as members_queries
from loyalty.rewards import models

SOON = 7  # days


@dataclass(frozen=True, slots=True)
class CodeOnPage:
    reward_id: str
    reward: str
    code: str
    points: int  # that come back when it is cancelled
    expires_at: datetime
    until: str
    days_left: int  # 0: today is the last whole day; -1: it ends today, at a time of day

    @property
    def is_soon(self) -> bool:
        return self.days_left <= SOON


def codes_of(redemptions: Iterable[models.Redemption], *, now: datetime) -> list[CodeOnPage]:
    return [
        CodeOnPage(
            reward_id=str(each.reward_id),
            reward=each.reward.name,
            code=each.redemption_code,
            points=each.points_spent,
            expires_at=each.expires_at,
            until=members_queries.until_text(each.expires_at),
            days_left=_days_left(each.expires_at, now),
        )
        for each in sorted(redemptions, key=lambda each: each.expires_at)
    ]


@dataclass(frozen=True, slots=True)
class Held:
    """Codes for one reward: how many, which of them ends first, and when."""

    count: int
    code: str
    image: str  # its address; empty where there is none
    points: int  # that come back when it is cancelled
    expires_at: datetime
    until: str
    days_left: int

    @property
    def is_soon(self) -> bool:
        return self.days_left <= SOON


def held(redemptions: Iterable[models.Redemption], *, now: datetime) -> dict[str, Held]:
    """By the reward's id."""
    codes: dict[str, list[models.Redemption]] = {}
    for each in sorted(redemptions, key=lambda each: each.expires_at):
        codes.setdefault(str(each.reward_id), []).append(each)
    return {
        reward_id: Held(
            count=len(mine),
            code=mine[0].redemption_code,
            image=members_queries.image_url(mine[0].qr_code_url),
            points=mine[0].points_spent,
            expires_at=mine[0].expires_at,
            until=members_queries.until_text(mine[0].expires_at),
            days_left=_days_left(mine[0].expires_at, now),
        )
        for reward_id, mine in codes.items()
    }


def _days_left(until: datetime, now: datetime) -> int:
    """By the venue's calendar."""
    return (members_queries.last_day(until) - timezone.localdate(now)).days
