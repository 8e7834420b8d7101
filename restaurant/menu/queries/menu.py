"""Reading the menu, once for each of its versions: see `catalogue`."""

import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from datetime import time as time_of_day
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONObject
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from restaurant.menu.models import (
    OTHER,
    Category,
    ClosedDay,
    Declaration,
    Doneness,
    ItemOptionGroup,
    MenuItem,
    MenuVersion,
    OpeningHours,
    Option,
    PriceRule,
    Station,
    Window,
    Worded,
    Words,
    local,
)
from restaurant.menu.queries import favourites
from restaurant.rules import OrderingRules
from web.fields import is_uuid
from web.languages import Translated
from web.money import rounded

CACHED_FOR = 300  # seconds; cache keys have the menu's version, so a change shows at once


@dataclass(frozen=True, slots=True)
class Choice(Worded):
    """An option of a group."""

    id: str
    name: str
    price: Decimal
    available: bool
    allergens: Mapping[str, str]  # as `MenuItem.allergens`
    words: Words = field(default_factory=dict)
    doneness: str = ""  # a `Doneness`

    @property
    def local_name(self) -> str:
        return local(self.words, "name", self.name, doneness=self.doneness)

    @property
    def declaration(self) -> Declaration:
        return Declaration.of(self.allergens)


@dataclass(frozen=True, slots=True)
class Group(Worded):
    """A group of options. `all_choices` includes those that are not available."""

    id: str
    name: str
    min: int
    max: int
    all_choices: tuple[Choice, ...]
    words: Words = field(default_factory=dict)

    @property
    def choices(self) -> list[Choice]:
        return [choice for choice in self.all_choices if choice.available]


@dataclass(frozen=True, slots=True)
class Dish:
    """An item of the menu with its groups of options."""

    item: MenuItem  # with its picture
    groups: tuple[Group, ...]
    goes_with: tuple[str, ...] = ()  # ids of dishes

    def is_available_at(self, now: datetime) -> bool:
        """Return whether it is for sale, whatever its category's hours."""
        return self.item.is_available_at(now) and all(len(group.choices) >= group.min for group in self.groups)


@dataclass(frozen=True, slots=True)
class Section:
    """A category with its dishes, available or not, in the menu's order. `category` has its station."""

    name: str
    category: Category
    dishes: tuple[Dish, ...]

    @property
    def local_name(self) -> str:
        return self.category.local_name if self.name == self.category.name else Translated(self.name)


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """The whole menu. Two are never equal, so that it can be the key of a cache."""

    sections: tuple[Section, ...]
    dishes: Mapping[str, Dish]  # by the items' ids
    categories: Mapping[str, Category]  # by name
    most_ordered: tuple[Dish, ...]  # of the last weeks, the most ordered first
    stations: Mapping[int, Station]
    closed_days: Mapping[date, str]  # and why
    price_rules: tuple[PriceRule, ...] = ()

    def dish(self, item: MenuItem) -> Dish:
        """Return the dish of an item as it was read; without options if it is newer than this version of the menu."""
        known = self.dishes.get(str(item.pk))
        return replace(known, item=item) if known else Dish(item, ())

    def rules_at(self, now: datetime) -> list[PriceRule]:
        local = timezone.localtime(now)
        return [rule for rule in self.price_rules if rule.window.contains(local)]

    def at_price(self, item: MenuItem, now: datetime) -> MenuItem:
        """Return the item with the price that it has now: of several rules, the lowest."""
        rules = self.rules_at(now)
        own = [rule for rule in rules if rule.item_id == item.pk]
        of_category = [rule for rule in rules if rule.category_id and rule.category_id == self.category(item).pk]
        if not (own or of_category):
            return item
        priced = copy(item)
        priced.regular_price = item.price if item.regular_price is None else item.regular_price
        priced.price = min(rule.price_of(priced.regular_price) for rule in own or of_category)
        return priced

    def priced(self, dish: Dish, now: datetime) -> Dish:
        return replace(dish, item=self.at_price(dish.item, now)) if self.price_rules else dish

    def category(self, item: MenuItem) -> Category:
        return self.categories.get(item.category_name) or Category(name=item.category_name)

    def is_offered(self, item: MenuItem, now: datetime, *, by_staff: bool = False) -> bool:
        """Return whether guests can have it; or staff for them, who don't mind the pause of a station."""
        return self.dish(item).is_available_at(now) and self.is_in_hours(item, now, by_staff=by_staff)

    def is_in_hours(self, item: MenuItem, now: datetime, *, by_staff: bool = False) -> bool:
        if not by_staff and self.paused_until(item, now):
            return False
        window = self.category(item).window
        return window.is_always or window.contains(timezone.localtime(now))

    def paused_until(self, item: MenuItem, now: datetime) -> datetime | None:
        """Return until when its station has paused, if it has."""
        station = self.stations.get(item.station_id or self.category(item).station_id or 0)
        return station.paused_until if station and (station.paused_until or now) > now else None

    def paused_stations(self, now: datetime) -> list[Station]:
        return [station for station in self.stations.values() if (station.paused_until or now) > now]

    def again_at(self, item: MenuItem, now: datetime) -> datetime:
        """Return when an item can be had again that is not in its hours."""
        return self.paused_until(item, now) or self.category(item).window.next_opening(timezone.localtime(now))

    def goes_with(self, item: MenuItem, now: datetime) -> list[Dish]:
        """Return the dishes that go well with it and that guests can have, in the menu's order."""
        keys = self.dish(item).goes_with
        dishes = [dish for key, dish in self.dishes.items() if key in keys and self.is_offered(dish.item, now)]
        return [self.priced(dish, now) for dish in dishes]

    def closed(self, now: datetime) -> list[Section]:
        """Return the sections outside their hours that have something to offer within them."""
        local = timezone.localtime(now)
        return [
            section
            for section in self.sections
            if not section.category.window.contains(local) and any(dish.is_available_at(now) for dish in section.dishes)
        ]

    def offered(self, now: datetime, *, by_staff: bool = False) -> Iterator[tuple[Section, list[Dish]]]:
        """Yield the sections of which guests can have something, with the dishes that they can have."""
        may_have = (lambda item: True) if by_staff else lambda item: not self.paused_until(item, now)
        local = timezone.localtime(now)
        for section in self.sections:
            if section.category.window.contains(local):
                dishes = [dish for dish in section.dishes if dish.is_available_at(now) and may_have(dish.item)]
                if dishes:
                    yield section, [self.priced(dish, now) for dish in dishes]

    def sold_out(self, now: datetime) -> list[uuid.UUID]:
        """Return the ids of the items that guests can't have."""
        offered = {dish.item.pk for _section, dishes in self.offered(now) for dish in dishes}
        return sorted(dish.item.pk for dish in self.dishes.values() if dish.item.pk not in offered)

    def moment(self, now: datetime) -> tuple[Any, ...]:
        """Return the part of a cache's key that is equal for moments at which the same is offered."""
        local = timezone.localtime(now)
        closed = [section.name for section in self.sections if not section.category.window.contains(local)]
        timed = [dish.item for dish in self.dishes.values() if dish.item.sold_out_until is not None]
        paused = [station.slug for station in self.paused_stations(now)]
        rules = [rule.pk for rule in self.rules_at(now)]
        return *closed, *paused, *rules, *(str(item.pk) for item in timed if item.is_available_at(now))


@dataclass(frozen=True, slots=True)
class MenuState:
    """The menu's version, which is None before the first change, and when guests can order. Every request reads it."""

    version: int | None
    hours: tuple[Window, ...] = ()
    paused_until: datetime | None = None

    @property
    def catalogue(self) -> Catalogue:
        return catalogue(self.version)

    def pause_at(self, now: datetime) -> datetime | None:
        """Return until when the kitchen has paused, if it has."""
        return self.paused_until if self.paused_until and self.paused_until > now else None

    def opens_at(self, now: datetime) -> datetime | None:
        """Return the next opening; None within the opening hours, and if there are none."""
        local, days = timezone.localtime(now), self.catalogue.closed_days
        windows = self.hours or ((Window(),) if days else ())
        if any(day and day not in days for day in (window.opened_on(local) for window in windows)):
            return None
        return min((window.next_opening(local, days) for window in windows), default=None)

    def why_closed(self, now: datetime) -> str:
        """Return the reason of a day on which the house is closed."""
        return self.catalogue.closed_days.get(timezone.localdate(now), "") if self.opens_at(now) else ""

    def closed_until(self, now: datetime) -> datetime | None:
        """Return when guests can order again; None if they can order now."""
        pause = self.pause_at(now)
        return self.opens_at(pause or now) or pause


def menu_state() -> MenuState:
    """Read this before what is cached by its version: a change in between then only shortens the cache's life."""
    with connection.cursor() as cursor:
        cursor.execute(_STATE)
        row = cursor.fetchone()
    return state(*row) if row else MenuState(None)


# The row of `versions`. Every page of the menu needs it, and by the ORM it takes 1.2 ms of processor time, not 0.3.
_STATE = """SELECT number,
       ARRAY(SELECT json_build_object('weekday', weekday, 'opens', opens, 'closes', closes)
               FROM restaurant_openinghours),
       (SELECT paused_until FROM restaurant_orderingrules WHERE id = 1)
  FROM restaurant_menuversion
 WHERE id = 1
"""


def versions() -> QuerySet[Any, Any]:
    """Return the one row, if there is one, with the other columns that `state` needs."""
    return MenuVersion.objects.annotate(
        paused_until=Subquery(OrderingRules.objects.filter(pk=1).values("paused_until")),
        hours=ArraySubquery(OpeningHours.objects.order_by().values(json=_HOURS)),
    )


_HOURS = JSONObject(weekday="weekday", opens="opens", closes="closes")


def state(version: int | None, hours: Sequence[Mapping[str, Any]], paused_until: datetime | None) -> MenuState:
    """Return the state of a row, whose hours are as JSON has them."""
    return MenuState(version, tuple(map(_window, hours or ())), paused_until)


def _window(row: Mapping[str, Any]) -> Window:
    opens, closes = (time_of_day.fromisoformat(row[name]) for name in ("opens", "closes"))
    return Window(opens, closes, frozenset({row["weekday"]}))


def catalogue(version: int | None) -> Catalogue:
    """Return the menu of this version, from memory where it was read before."""
    return _catalogue(version, get_language(), int(time.time() // CACHED_FOR))


@lru_cache(maxsize=16)
def _catalogue(version: int | None, language: str | None, period: int) -> Catalogue:
    """Every period of `CACHED_FOR` seconds has a catalogue of its own, because favourites change without a version."""
    by_name: dict[str, list[Dish]] = {}
    shared: dict[str, Group] = {}
    for item in _items():
        groups = tuple(_group(group, shared) for group in item.groups)  # type: ignore[attr-defined]
        goes_with = tuple(map(str, item.goes_with_ids))  # type: ignore[attr-defined]
        by_name.setdefault(item.category_name, []).append(Dish(item, groups, goes_with))
    categories = {category.name: category for category in Category.objects.select_related("station")}
    rows = [categories.get(name) or Category(name=name) for name in by_name]
    rows.sort(key=lambda row: (row.position is None, row.position or 0, _heading(row.name)))
    sections = tuple(Section(_heading(row.name), row, tuple(by_name[row.name])) for row in rows)
    dishes = {str(dish.item.pk): dish for section in sections for dish in section.dishes}
    ranked = [dish for dish in dishes.values() if dish.item.rank]  # type: ignore[attr-defined]
    ranked.sort(key=lambda dish: dish.item.rank)  # type: ignore[attr-defined]
    stations = [*(row.station for row in rows), *(dish.item.station for dish in dishes.values())]
    return Catalogue(
        sections,
        dishes,
        categories | {row.name: row for row in rows},
        tuple(ranked),
        {station.pk: station for station in stations if station},
        dict(ClosedDay.objects.values_list("date", "reason")),
        tuple(PriceRule.objects.all()),
    )


def forget_catalogues() -> None:
    """Clear the memory for a test, whose database counts versions from 1 again."""
    _catalogue.cache_clear()


def _items() -> Iterable[MenuItem]:
    """Return every item in the menu's order, by one statement.

    With its picture, `groups`, `rank` among what guests order, and the `goes_with_ids` of what goes well with it.
    """
    choices = Option.objects.filter(group=OuterRef("group")).order_by("position", "name")
    choice = JSONObject(**{name: name for name in ("id", "name", "price", "available", "allergens", "words")})
    groups = ItemOptionGroup.objects.filter(item=OuterRef("pk")).order_by("position", "pk")
    group = JSONObject(
        id="group__id",
        name="group__name",
        words="group__words",
        min="group__min_choices",
        max="group__max_choices",
        choices=ArraySubquery(choices.values(json=choice)),
    )
    goes_with = MenuItem.goes_with.through.objects.filter(from_menuitem=OuterRef("pk")).values("to_menuitem")
    items = MenuItem.objects.select_related("picture", "station").annotate(
        groups=ArraySubquery(groups.values(json=group)), rank=favourites.rank(), goes_with_ids=ArraySubquery(goes_with)
    )
    return items.order_by(F("position").asc(nulls_last=True), "name", "pk")


def _group(row: Mapping[str, Any], shared: dict[str, Group]) -> Group:
    if row["id"] not in shared:
        done = Doneness.of([choice["name"] for choice in row["choices"]])
        rows = zip(row["choices"], done, strict=True)
        choices = (Choice(**{**choice, "price": money(choice["price"])}, doneness=how) for choice, how in rows)
        shared[row["id"]] = Group(row["id"], row["name"], row["min"], row["max"], tuple(choices), row["words"])
    return shared[row["id"]]


def money(number: Any) -> Decimal:
    """Return an amount that was read from JSON."""
    return rounded(Decimal(str(number)))


def _heading(category_name: str) -> str:
    return _("Other") if category_name == OTHER else category_name


def item_names(item_ids: Iterable[str]) -> list[str]:
    """Return the names of the items that are on the menu, available or not, in the language of the page."""
    uuids = list(filter(is_uuid, item_ids))
    return [item.local_name for item in MenuItem.objects.filter(pk__in=uuids).order_by("name")]
