"""The admin's pages of what an owner decides, and of what guests and staff did. Importing them registers them."""

from restaurant.billing.admin import books, orders
from restaurant.kitchen import admin as kitchen
from restaurant.menu.admin import categories, hours, menu, options, prices
from restaurant.ordering.admin import rules
from restaurant.tables import admin as tables

__all__ = ["books", "categories", "hours", "kitchen", "menu", "options", "orders", "prices", "rules", "tables"]
