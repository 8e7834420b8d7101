"""Checking the options that guests choose with an item."""

from collections.abc import Iterable, Sequence

from restaurant.errors import OptionsRefused
from restaurant.menu.queries import Choice, Dish


def choose(dish: Dish, option_ids: Sequence[str]) -> list[Choice]:
    """Return the dish's options with these ids, in the menu's order, available or not.

    Raises OptionsRefused for one that the dish does not have or that is given twice, and for too few or too many.
    """
    chosen = [choice for group in dish.groups for choice in group.all_choices if choice.id in option_ids]
    if len(chosen) != len(option_ids):
        raise _refusal(dish)
    for group in dish.groups:
        count = sum(choice in chosen for choice in group.all_choices)
        if not group.min <= count <= group.max:
            raise _refusal(dish, group=group.local_name, low=group.min, high=group.max)
    return chosen


def require_available(dish: Dish, chosen: Iterable[Choice]) -> None:
    """Raises OptionsRefused."""
    if not all(choice.available for choice in chosen):
        raise _refusal(dish)


def _refusal(dish: Dish, *, group: str = "", low: int = 0, high: int = 0) -> OptionsRefused:
    return OptionsRefused(item_id=str(dish.item.pk), name=dish.item.local_name, group=group, low=low, high=high)
