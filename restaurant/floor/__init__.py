"""Every table at once, and what waiters do there."""
