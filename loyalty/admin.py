"""The admin's pages of loyalty. Importing them registers them."""

from loyalty.cards.admin import members
from loyalty.messages import admin as messages
from loyalty.points.admin import ledger, locations, programme
from loyalty.rewards.admin import redemptions, rewards

__all__ = ["ledger", "locations", "members", "messages", "programme", "redemptions", "rewards"]
