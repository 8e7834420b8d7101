"""Changing the menu. Every change renews the version by which the menu is cached."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet

from restaurant.models import MenuItem, MenuVersion

# What menus are made of: saving or deleting one of these renews the version.
IN_MENU = (
    "Category", "ItemOptionGroup", "MenuItem", "OpeningHours", "Option", "OptionGroup", "OrderingRules", "Picture",
    "Station",
)  # fmt: skip


def renew_version(**_signal: Any) -> None:
    """Make every process read the menu again. Locks the version until the transaction ends.

    Called when a row of `IN_MENU` is saved or deleted (`restaurant.apps`). `QuerySet.update` and bulk writes send no signal:
    do them within `changing`.
    """
    version = MenuVersion.objects.filter(pk=1)
    if not version.update(number=F("number") + 1):
        _version, is_new = MenuVersion.objects.get_or_create(pk=1)
        if not is_new:  # another transaction made it first
            version.update(number=F("number") + 1)


@contextmanager
def changing() -> Iterator[None]:
    """A transaction that changes the menu. The version is locked before any item, so that changes take turns."""
    with transaction.atomic():
        renew_version()
        yield


def set_available(items: QuerySet[MenuItem], *, available: bool) -> list[MenuItem]:
    """Mark items as available or sold out; return those that were not so before."""
    with changing():
        changed = list(items.filter(available=not available))
        MenuItem.objects.filter(pk__in=[item.pk for item in changed]).update(available=available)
    return changed
