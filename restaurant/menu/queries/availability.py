"""The availability of dishes, for staff: of the whole menu, whatever its hours."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from django.utils import timezone

from restaurant.menu.models import MenuItem
from restaurant.menu.queries.menu import Group, MenuState

FEW = 5  # portions or fewer of a dish: it is running low
NEW_DAY = time(5)  # by the venue's clock: the evening before has ended by then


@dataclass(frozen=True, slots=True)
class CategoryAvailability:
    """A category's items, available or not, in the menu's order."""

    name: str
    items: list[MenuItem]

    @property
    def off(self) -> list[MenuItem]:
        return [item for item in self.items if not item.is_available_now]


@dataclass(frozen=True, slots=True)
class MenuAvailability:
    categories: list[CategoryAvailability]
    options: list[Group]

    @property
    def items(self) -> list[MenuItem]:
        return [item for category in self.categories for item in category.items]

    @property
    def off(self) -> list[MenuItem]:
        return [item for item in self.items if not item.is_available_now]

    @property
    def running_low(self) -> list[MenuItem]:
        """Return the available items of which few portions are left, the fewest first."""
        low = (item for item in self.items if item.is_available_now and 0 < (item.portions or 0) <= FEW)
        return sorted(low, key=lambda item: item.portions or 0)


def availability(state: MenuState) -> MenuAvailability:
    """Return the items as they are now: orders take portions without renewing the menu's version."""
    items = MenuItem.objects.in_bulk()
    categories = []
    for section in state.catalogue.sections:
        own = [items[dish.item.pk] for dish in section.dishes if dish.item.pk in items]
        categories.append(CategoryAvailability(section.name, own))
    groups = {group.id: group for dish in state.catalogue.dishes.values() for group in dish.groups}
    return MenuAvailability(categories, list(groups.values()))


def portions_left(state: MenuState) -> dict[str, int]:
    """Return the portions, as they are now, by the ids of the items of which they are counted."""
    if all(dish.item.portions is None for dish in state.catalogue.dishes.values()):
        return {}
    counted = MenuItem.objects.filter(portions__gt=0).values_list("pk", "portions")
    return {str(pk): portions for pk, portions in counted if portions}


def sold_out_items(state: MenuState, now: datetime) -> list[MenuItem]:
    """Return the items by name, without those that are only outside their hours or lack an option."""
    items = (dish.item for dish in state.catalogue.dishes.values())
    return sorted((item for item in items if not item.is_available_at(now)), key=lambda item: item.name)


def tomorrow(now: datetime) -> datetime:
    """Return the next morning: what is sold out until tomorrow is available again from then on."""
    local = timezone.localtime(now)
    day = local.date() if local.time() < NEW_DAY else local.date() + timedelta(days=1)
    return datetime.combine(day, NEW_DAY, local.tzinfo)
