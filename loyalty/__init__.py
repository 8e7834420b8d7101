"""Members, points, tiers, rewards and redemptions (document 2)."""
