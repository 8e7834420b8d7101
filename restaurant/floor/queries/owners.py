"""Reading who has which tables, and whose the calls, ready dishes and orders to approve there are."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone

from restaurant.ordering.models.orders import Waits
from restaurant.rules import OrderingRules
from restaurant.tables.models import Table
from web import venue
from web.reporting import bounds_of


def owners_of(tables: Iterable[Table]) -> dict[UUID, str]:
    """Return the user names of who has these tables, by table: that ends with the venue's day, and with the account.

    Costs no query where `owner__user` was read with the tables.
    """
    began, _ended = bounds_of(venue.day_of(timezone.now()), timezone.get_current_timezone())
    held = [owner for table in tables if (owner := getattr(table, "owner", None))]
    return {
        owner.table_id: owner.user.get_username() for owner in held if owner.since >= began and owner.user.is_active
    }


def mark(waiting: Iterable[tuple[Waits, datetime, str]]) -> None:
    """Say of each that has waited since then whose it is: the user name of who has its table, or nothing."""
    owned = [(each, since, owner) for each, since, owner in waiting if owner]
    if not owned:
        return
    patience = timedelta(seconds=OrderingRules.current().escalate_after)
    for each, since, owner in owned:
        each.owner, each.everybodys_at = owner, since + patience
