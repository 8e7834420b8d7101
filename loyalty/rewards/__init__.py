"""Rewards, and redeeming them."""
