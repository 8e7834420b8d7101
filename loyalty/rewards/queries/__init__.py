"""Reading rewards and redemptions."""

from loyalty.rewards.queries.ledger import unbalanced_members
from loyalty.rewards.queries.redemptions import (
    active_redemptions,
    by_reward,
    confirmation,
    handed_out,
    is_undoable,
    redemption,
    state_of,
    valid_redemption,
)
from loyalty.rewards.queries.rewards import (
    Catalogue,
    RedemptionOffer,
    catalogue,
    pictures_of,
    redemption_offer,
    rewards_for,
    rewards_ready,
)

__all__ = [
    "Catalogue",
    "RedemptionOffer",
    "active_redemptions",
    "by_reward",
    "catalogue",
    "confirmation",
    "handed_out",
    "is_undoable",
    "pictures_of",
    "redemption",
    "redemption_offer",
    "rewards_for",
    "rewards_ready",
    "state_of",
    "unbalanced_members",
    "valid_redemption",
]
