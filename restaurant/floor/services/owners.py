"""Taking tables to look after."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import Q

from restaurant import events
from restaurant.errors import NotOnTheFloor
from restaurant.floor.models import TableOwner
from restaurant.tables.models import Table


def take_tables(*, user: Any, numbers: Collection[int], sections: Collection[str]) -> list[int]:
    """Give the user these tables and those of these sections, and no others; return their numbers.

    What somebody else had is the user's then. Locks all tables, so that two who take some take turns. Raises
    NotOnTheFloor.
    """
    with transaction.atomic():
        tables = list(Table.objects.select_for_update(no_key=True).order_by("pk"))
        unknown = sorted(set(numbers) - {table.table_number for table in tables})
        empty = sorted(set(sections) - {table.section for table in tables})
        if unknown or empty:
            raise NotOnTheFloor(unknown, empty)
        chosen = [table for table in tables if table.table_number in numbers or table.section in sections]
        TableOwner.objects.filter(Q(user=user) | Q(table__in=chosen)).delete()
        TableOwner.objects.bulk_create(TableOwner(table=table, user=user) for table in chosen)
        events.floor_update()
    return sorted(table.table_number for table in chosen)
