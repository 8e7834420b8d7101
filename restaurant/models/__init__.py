"""Tables, the menu, sessions, carts, orders, bills, printers and the rules of ordering."""

from restaurant.models.allergens import ALLERGENS, Allergen, Declaration, Diet, Presence, alerts
from restaurant.models.carts import CartLine
from restaurant.models.hours import OpeningHours, Weekday, Window
from restaurant.models.menu import (
    GOES_WITH,
    OTHER,
    WITHOUT_PICTURE,
    Category,
    ItemOptionGroup,
    MenuItem,
    MenuVersion,
    add_categories,
    sold_out_at,
)
from restaurant.models.options import Option, OptionGroup
from restaurant.models.orders import Order, OrderChange, OrderItem
from restaurant.models.payments import Payment
from restaurant.models.pictures import Picture, PictureVersion
from restaurant.models.printing import Printer, PrintJob
from restaurant.models.rules import OrderingRules
from restaurant.models.sales import SalesDay, SalesOfItem, SalesOfQuarter
from restaurant.models.sessions import (
    MAX_COVERS,
    SESSION_WINDOW,
    BillCounter,
    TableCall,
    TableMove,
    TableSession,
    TableSessionQuerySet,
)
from restaurant.models.stations import RESERVED_SLUGS, Station
from restaurant.models.tables import MAX_TABLE_NUMBER, PLAN_COLUMNS, PLAN_ROWS, RoomFeature, Table

__all__ = [
    "ALLERGENS",
    "GOES_WITH",
    "MAX_COVERS",
    "MAX_TABLE_NUMBER",
    "OTHER",
    "PLAN_COLUMNS",
    "PLAN_ROWS",
    "RESERVED_SLUGS",
    "SESSION_WINDOW",
    "WITHOUT_PICTURE",
    "Allergen",
    "BillCounter",
    "CartLine",
    "Category",
    "Declaration",
    "Diet",
    "ItemOptionGroup",
    "MenuItem",
    "MenuVersion",
    "OpeningHours",
    "Option",
    "OptionGroup",
    "Order",
    "OrderChange",
    "OrderItem",
    "OrderingRules",
    "Payment",
    "Picture",
    "PictureVersion",
    "Presence",
    "PrintJob",
    "Printer",
    "RoomFeature",
    "SalesDay",
    "SalesOfItem",
    "SalesOfQuarter",
    "Station",
    "Table",
    "TableCall",
    "TableMove",
    "TableSession",
    "TableSessionQuerySet",
    "Weekday",
    "Window",
    "add_categories",
    "alerts",
    "sold_out_at",
]
