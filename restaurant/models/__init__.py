"""Tables, the menu, sessions, carts, orders, bills and the rules of ordering."""

from restaurant.models.carts import CartLine
from restaurant.models.menu import MenuItem, MenuVersion
from restaurant.models.orders import Order, OrderChange, OrderItem
from restaurant.models.payments import Payment
from restaurant.models.rules import OrderingRules
from restaurant.models.sessions import SESSION_WINDOW, TableCall, TableMove, TableSession, TableSessionQuerySet
from restaurant.models.tables import MAX_TABLE_NUMBER, Table

__all__ = [
    "MAX_TABLE_NUMBER",
    "SESSION_WINDOW",
    "CartLine",
    "MenuItem",
    "MenuVersion",
    "Order",
    "OrderChange",
    "OrderItem",
    "OrderingRules",
    "Payment",
    "Table",
    "TableCall",
    "TableMove",
    "TableSession",
    "TableSessionQuerySet",
]
