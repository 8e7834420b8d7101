"""What has sold out, for staff: the whole menu, whatever its hours."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from django.utils import timezone

from restaurant.menu.models import MenuItem
from restaurant.menu.queries.menu import MenuState

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

    @property
    def items(self) -> list[MenuItem]:
        return [item for category in self.categories for item in category.items]

    @property
    def off(self) -> list[MenuItem]:
        return [item for item in self.items if not item.is_available_now]

    @property
    def running_low(self) -> list[MenuItem]:
        """Dishes on the menu of which few portions are left, the fewest first."""
        low = (item for item in self.items if item.is_available_now and 0 < (item.portions or 0) <= FEW)
        return sorted(low, key=lambda item: item.portions or 0)


def availability(state: MenuState) -> MenuAvailability:
    """Read now, because orders take portions without renewing the menu's version."""
    items = MenuItem.objects.in_bulk()
    found = []
    for section in state.catalogue.sections:
        own = [items[dish.item.pk] for dish in section.dishes if dish.item.pk in items]
        found.append(CategoryAvailability(section.name, own))
    return MenuAvailability(found)


def portions_left(state: MenuState) -> dict[str, int]:
    """By the ids of items of which portions are counted, as text. Read now, as in `availability`."""
    if all(dish.item.portions is None for dish in state.catalogue.dishes.values()):
        return {}
    counted = MenuItem.objects.filter(portions__gt=0).values_list("pk", "portions")
    return {str(pk): portions for pk, portions in counted if portions}


def sold_out_items(state: MenuState, now: datetime) -> list[MenuItem]:
    """By name. Not what is outside its hours, or lacks an option."""
    off = [dish.item for dish in state.catalogue.dishes.values() if not dish.item.is_available_at(now)]
    return sorted(off, key=lambda item: item.name)


def tomorrow(now: datetime) -> datetime:
    """The next morning: what is sold out until tomorrow is available again from then on."""
    local = timezone.localtime(now)
    morning = datetime.combine(local.date(), NEW_DAY, local.tzinfo)
    return morning if morning > local else datetime.combine(local.date() + timedelta(days=1), NEW_DAY, local.tzinfo)
