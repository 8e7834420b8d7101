"""Rewards and their redemptions."""

from loyalty.rewards.models.redemptions import Confirmation, Redemption, RedemptionQuerySet
from loyalty.rewards.models.rewards import Reward

__all__ = [
    "Confirmation",
    "Redemption",
    "RedemptionQuerySet",
    "Reward",
]
