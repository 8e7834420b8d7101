"""The admin's pages of what an owner decides, and of what guests and staff did. Importing them registers them."""

from restaurant.admin import books, menu, orders, rules, tables

__all__ = ["books", "menu", "orders", "rules", "tables"]
