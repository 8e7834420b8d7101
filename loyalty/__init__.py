"""Members, points, tiers, rewards and redemptions."""
