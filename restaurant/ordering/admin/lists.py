"""Parts that the admin pages of the restaurant share."""

from django.utils.translation import gettext_lazy

from restaurant.errors import TableUnknown
from restaurant.ordering.models import Order, TableSession
from restaurant.tables import queries as tables_queries
from restaurant.tables.models import Table
from web.admin import LinkedFilter, ReadOnlyAdmin
from web.long_lists import LongListAdmin


class ServiceWrittenAdmin(LongListAdmin, ReadOnlyAdmin):
    """Orders and sessions, which services alone write."""

    class Media:
        css = {"all": ["css/admin/orders.css", "css/admin/order_page.css"]}


def table_and_section(row: Order | TableSession) -> str:
    table = row.table
    return f"{table} · {table.section}" if table.section else str(table)


def _table(number: str) -> Table | None:
    try:
        return tables_queries.table(tables_queries.parse_table_number(number))
    except TableUnknown:
        return None


class TableFilter(LinkedFilter):
    title = gettext_lazy("table")
    parameter_name = "table"
    field = "table"
    find = staticmethod(_table)
