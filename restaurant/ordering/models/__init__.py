"""Sessions, carts, orders and their dockets."""

from restaurant.ordering.models.carts import CartLine
from restaurant.ordering.models.orders import Order, OrderChange, OrderItem
from restaurant.ordering.models.printing import Printer, PrintJob
from restaurant.ordering.models.sessions import (
    MAX_COVERS,
    SESSION_WINDOW,
    BillCounter,
    TableCall,
    TableMove,
    TableSession,
    TableSessionQuerySet,
)
