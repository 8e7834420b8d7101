"""Reading the floor."""

from restaurant.floor.queries.attention import Waiting, attention, rows_at
from restaurant.floor.queries.floor import Floor, counted, floor
from restaurant.floor.queries.start import (
    FloorInFigures,
    ReadyOrder,
    bills_left_open,
    floor_in_figures,
    ready_to_carry,
    tables_of_waiter,
)
from restaurant.floor.queries.tables import TableDetail, TableOnFloor, table_detail, tables_with_sessions

__all__ = [
    "Floor",
    "FloorInFigures",
    "ReadyOrder",
    "TableDetail",
    "TableOnFloor",
    "Waiting",
    "attention",
    "bills_left_open",
    "counted",
    "floor",
    "floor_in_figures",
    "ready_to_carry",
    "rows_at",
    "table_detail",
    "tables_of_waiter",
    "tables_with_sessions",
]
