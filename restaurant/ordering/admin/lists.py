"""Parts that the admin pages of the restaurant share."""

from restaurant.ordering.models import Order, TableSession


def table_and_section(row: Order | TableSession) -> str:
    table = row.table
    return f"{table} · {table.section}" if table.section else str(table)
