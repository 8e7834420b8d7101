"""The menu and its dishes as a table sees them."""

from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone

from restaurant.errors import MenuItemUnknown
from restaurant.menu.models import MenuItem
from restaurant.menu.queries import Dish, MenuState, menu_state
from restaurant.ordering.models import TableSession
from restaurant.tables.models import Table


@dataclass(frozen=True, slots=True)
class MenuAtTable:
    """The menu for a table. `session` is its open one; `closed_until` is set while guests can't order."""

    table: Table
    session: TableSession | None
    state: MenuState
    now: datetime
    closed_until: datetime | None = None

    @property
    def why_closed(self) -> str:
        return self.state.why_closed(self.now)


@dataclass(frozen=True, slots=True)
class DishAtTable:
    """A dish for a phone at a table. `session` is the phone's own, if it is open."""

    dish: Dish
    table: Table
    session: TableSession | None
    menu: MenuState
    now: datetime = field(default_factory=timezone.now)

    @property
    def is_offered(self) -> bool:
        return self.menu.catalogue.is_offered(self.dish.item, self.now)

    @property
    def goes_with(self) -> list[MenuItem]:
        """The dishes that go well with it and that guests can have now."""
        return [dish.item for dish in self.menu.catalogue.goes_with(self.dish.item, self.now)]

    @property
    def closed_until(self) -> datetime | None:
        """The time when guests can order again; None while they can."""
        return self.menu.closed_until(self.now)

    @property
    def why_closed(self) -> str:
        return self.menu.why_closed(self.now)


def dish_at_table(item_id: str, table: Table, session: TableSession | None) -> DishAtTable:
    """Raises MenuItemUnknown."""
    menu = menu_state()
    dish = menu.catalogue.dishes.get(item_id.lower())
    if dish is None:
        raise MenuItemUnknown
    own, now = session if session is not None and session.is_open_to_party else None, timezone.now()
    return DishAtTable(menu.catalogue.priced(dish, now), table, own, menu, now)
