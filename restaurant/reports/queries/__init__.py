"""What was ordered and sold, as reports count it."""
