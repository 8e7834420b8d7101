"""Reading tables, sessions, the menu, carts, orders and bills."""

from restaurant.models import Order, Table, TableSession
from restaurant.queries.bills import Bill, bill, due, unpaid
from restaurant.queries.carts import Cart, cart, quantities
from restaurant.queries.floor import Floor, TableOnFloor, floor, open_calls
from restaurant.queries.menu import menu, menu_version, sold_out
from restaurant.queries.orders import (
    SessionOrders,
    cancelled_orders,
    open_orders,
    order,
    order_exists,
    orders,
    orders_for_guest,
    orders_of_session,
    phone_key,
)
from restaurant.queries.sessions import (
    find_session,
    must_have_scanned,
    open_session,
    session_exists,
    session_metrics,
    session_of_staff,
    session_of_table,
    table,
    table_number,
    tables,
    was_at,
)

__all__ = [
    "Bill",
    "Cart",
    "Floor",
    "Order",
    "SessionOrders",
    "Table",
    "TableOnFloor",
    "TableSession",
    "bill",
    "cancelled_orders",
    "cart",
    "due",
    "find_session",
    "floor",
    "menu",
    "menu_version",
    "must_have_scanned",
    "open_calls",
    "open_orders",
    "open_session",
    "order",
    "order_exists",
    "orders",
    "orders_for_guest",
    "orders_of_session",
    "phone_key",
    "quantities",
    "session_exists",
    "session_metrics",
    "session_of_staff",
    "session_of_table",
    "sold_out",
    "table",
    "table_number",
    "tables",
    "unpaid",
    "was_at",
]
