"""The admin's pages of loyalty. Importing them registers them."""

from loyalty.admin import ledger, locations, members, notifications, programme, redemptions, rewards

__all__ = ["ledger", "locations", "members", "notifications", "programme", "redemptions", "rewards"]
