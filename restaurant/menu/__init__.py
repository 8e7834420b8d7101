"""What can be ordered: dishes, their options and allergens, categories, hours, stations."""
