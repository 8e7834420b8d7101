"""Reading the menu."""

import uuid
from collections.abc import Iterable

from django.utils.translation import gettext as _

from restaurant.models import MenuItem, MenuVersion
from web.fields import is_uuid


def menu_version() -> int | None:
    """Changes with every change of the menu; None before the first."""
    numbers: list[int] = list(MenuVersion.objects.values_list("number", flat=True))
    return numbers[0] if numbers else None


def menu() -> dict[str, list[MenuItem]]:
    """The available items by category, then name.

    Items without a category are grouped as `Other`, which is sorted among the categories. To cache this by
    `menu_version`, read the version first: a change in between then only shortens the life of what is cached.
    """
    by_category: dict[str, list[MenuItem]] = {}
    for item in MenuItem.objects.filter(available=True).order_by("name", "pk"):
        by_category.setdefault(item.category or _("Other"), []).append(item)
    return dict(sorted(by_category.items()))


def sold_out() -> list[uuid.UUID]:
    """The ids of the items that are not available."""
    return list(MenuItem.objects.filter(available=False).order_by("pk").values_list("pk", flat=True))


def item_names(item_ids: Iterable[str]) -> list[str]:
    """The names of these items, available or not, without those that the menu does not know."""
    known = [each for each in item_ids if is_uuid(each)]
    return list(MenuItem.objects.filter(pk__in=known).order_by("name").values_list("name", flat=True)) if known else []
