"""Changing the menu. Every change renews the version by which the menu is cached."""

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from restaurant import events
from restaurant.errors import MenuItemUnknown, OptionUnknown, StationUnknown, TooFewPortions
from restaurant.menu.models import MenuItem, MenuVersion, Option, Station
from restaurant.rules import OrderingRules
from web.fields import is_uuid

# Saving or deleting one of these renews the version.
IN_MENU = (
    "Category", "ClosedDay", "ItemOptionGroup", "MenuItem", "OpeningHours", "Option", "OptionGroup", "OrderingRules",
    "Picture", "PriceRule", "Station",
)  # fmt: skip


def renew_version(**_signal: Any) -> None:
    """Make every process read the menu again. The version is locked until the transaction ends.

    Called when a row of `IN_MENU` is saved or deleted (`restaurant.apps`). `QuerySet.update` and bulk writes send no
    signal: do them within `changing`.
    """
    version = MenuVersion.objects.filter(pk=1)
    if not version.update(number=F("number") + 1):
        _version, is_new = MenuVersion.objects.get_or_create(pk=1)
        if not is_new:  # another transaction made it first
            version.update(number=F("number") + 1)


@contextmanager
def changing() -> Iterator[None]:
    """Change the menu in a transaction, which locks the version before any item, so that changes take turns."""
    with transaction.atomic():
        renew_version()
        yield


# --- sold out -----------------------------------------------------------------------------------------


def set_available(items: QuerySet[MenuItem], *, available: bool) -> list[MenuItem]:
    """Mark items as available or sold out, and return those that were not so before."""
    now = timezone.now()
    with changing():
        changed = [item for item in items if item.is_available_at(now) != available]
        for item in changed:
            _switch(item, available=available, until=None)
    return changed


def switch(*, item_id: str, available: bool, until: datetime | None = None) -> MenuItem:
    """Mark an item as sold out, until a moment or until it is switched on; or as available again.

    An item of which no portions were left has unlimited ones when it is available again. Raises MenuItemUnknown.
    """
    with changing():
        item = _item(item_id)
        _switch(item, available=available, until=until)
    return item


def _item(item_id: str) -> MenuItem:
    item = MenuItem.objects.filter(pk=item_id).first() if is_uuid(item_id) else None
    if item is None:
        raise MenuItemUnknown
    return item


def _switch(item: MenuItem, *, available: bool, until: datetime | None) -> None:
    item.available, item.sold_out_until = available, None if available else until
    if available and item.portions == 0:
        item.portions = None
    item.save(update_fields=["available", "sold_out_until", "portions"])
    events.kitchen_update()


def switch_option(*, option_id: str, available: bool) -> Option:
    """Mark an option as sold out or as available again, with all dishes that have it. Raises OptionUnknown."""
    with changing():
        option = Option.objects.filter(pk=option_id).first() if is_uuid(option_id) else None
        if option is None:
            raise OptionUnknown
        option.available = available
        option.save(update_fields=["available"])
        events.kitchen_update()
    return option


# --- portions -----------------------------------------------------------------------------------------


def count_portions(*, item_id: str, portions: int | None) -> MenuItem:
    """Set how many portions are left; None for unlimited ones. Raises MenuItemUnknown."""
    with changing():
        item = _item(item_id)
        item.portions = portions
        item.save(update_fields=["portions"])
        events.kitchen_update()
    return item


def take_portions(wanted: Mapping[uuid.UUID, int]) -> set[uuid.UUID]:
    """Take portions of items, and return the items whose portions are counted. Raises TooFewPortions.

    Orders of counted items take turns: the menu's version is locked until the transaction ends, before any item as in
    every change of the menu.
    """
    counted = _lock_counted(wanted)
    for item in counted:
        left = item.portions or 0
        if left < wanted[item.pk]:
            raise TooFewPortions(item_id=str(item.pk), name=item.local_name, left=left)
        item.portions = left - wanted[item.pk]
    MenuItem.objects.bulk_update(counted, ["portions"])
    if any(item.portions == 0 for item in counted):
        renew_version()
    return {item.pk for item in counted}


def give_portions_back(given: Mapping[uuid.UUID, int]) -> None:
    """Give back the portions that were taken of items, where they are still counted."""
    counted = _lock_counted(given)
    were_sold_out = any(item.portions == 0 for item in counted)
    for item in counted:
        item.portions = (item.portions or 0) + given[item.pk]
    MenuItem.objects.bulk_update(counted, ["portions"])
    if were_sold_out:
        renew_version()


def _lock_counted(items: Mapping[uuid.UUID, int]) -> list[MenuItem]:
    if not MenuVersion.objects.select_for_update(no_key=True).filter(pk=1).first():
        renew_version()
    return list(MenuItem.objects.filter(pk__in=items, portions__isnull=False))


# --- pausing ------------------------------------------------------------------------------------------


def pause(*, minutes: int) -> datetime | None:
    """Take no orders of guests until the moment that is returned. 0 minutes end a pause."""
    until = timezone.now() + timedelta(minutes=minutes) if minutes else None
    with changing():
        rules, _is_new = OrderingRules.objects.get_or_create(pk=1)
        rules.paused_until = until
        rules.save(update_fields=["paused_until"])
        events.kitchen_update()
    return until


def pause_station(*, slug: str, minutes: int) -> datetime | None:
    """As `pause`, for the dishes of a station. Raises StationUnknown."""
    until = timezone.now() + timedelta(minutes=minutes) if minutes else None
    with changing():
        station = Station.objects.filter(slug=slug).first()
        if station is None:
            raise StationUnknown
        station.paused_until = until
        station.save(update_fields=["paused_until"])
        events.kitchen_update()
    return until
