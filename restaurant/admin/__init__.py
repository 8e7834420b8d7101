"""The admin's pages of what an owner decides, and of what guests and staff did. Importing them registers them."""

from restaurant.admin import books, categories, hours, kitchen, menu, options, orders, rules, tables

__all__ = ["books", "categories", "hours", "kitchen", "menu", "options", "orders", "rules", "tables"]
