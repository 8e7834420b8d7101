"""The admin's pages of the menu, tables, sessions and orders. Importing them registers them."""

from restaurant.admin import menu, orders, tables

__all__ = ["menu", "orders", "tables"]
