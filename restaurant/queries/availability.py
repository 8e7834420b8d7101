"""What has sold out, for staff: the whole menu, whatever its hours."""

from dataclasses import dataclass
from datetime import datetime

from restaurant.models import MenuItem
from restaurant.queries.menu import MenuState


@dataclass(frozen=True, slots=True)
class CategoryAvailability:
    """A category's items, available or not, in the menu's order."""

    name: str
    items: list[MenuItem]


def availability(state: MenuState) -> list[CategoryAvailability]:
    """Read now, because orders take portions without renewing the menu's version."""
    items = MenuItem.objects.in_bulk()
    found = []
    for section in state.catalogue.sections:
        own = [items[dish.item.pk] for dish in section.dishes if dish.item.pk in items]
        found.append(CategoryAvailability(section.name, own))
    return found


def sold_out_items(state: MenuState, now: datetime) -> list[MenuItem]:
    """By name. Not what is outside its hours, or lacks an option."""
    off = [dish.item for dish in state.catalogue.dishes.values() if not dish.item.is_available_at(now)]
    return sorted(off, key=lambda item: item.name)
