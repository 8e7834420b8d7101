"""Cash drawers: which one cash lies in."""

from typing import Any

from restaurant.billing.models import DrawerDay
from restaurant.errors import DrawerUnknown, NoOpenDrawer
from restaurant.rules import OrderingRules


def for_cash(user: Any, drawer_id: int | None = None) -> DrawerDay | None:
    """Return the locked day of the drawer that cash goes into or comes from now; None where no drawer is open.

    Without an id it is the drawer that the user has opened, else the only one that is open. Raises DrawerUnknown,
    NoOpenDrawer.
    """
    # Locked until the transaction ends, so that a closing counts this cash or comes before it.
    open_days = DrawerDay.objects.filter(closed_at=None).select_for_update(no_key=True).order_by("opened_at")
    if drawer_id is not None:
        day = open_days.filter(drawer=drawer_id).first()
        if day is None:
            raise DrawerUnknown
        return day
    days = list(open_days)
    own = [day for day in days if day.opened_by_name == user.get_username()]
    day = own[0] if own else days[0] if len(days) == 1 else None
    if day is None and OrderingRules.current().needs_open_drawer:
        raise NoOpenDrawer
    return day
