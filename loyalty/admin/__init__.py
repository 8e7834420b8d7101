"""The admin's pages of members, points, rewards, redemptions, locations and notifications. Importing them
registers them."""

from loyalty.admin import ledger, locations, members, notifications, redemptions, rewards

__all__ = ["ledger", "locations", "members", "notifications", "redemptions", "rewards"]
