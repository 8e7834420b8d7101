"""The plan of the floor: where a section's tables stand, and what else there is in the room.

See "Plan of the floor" in docs/behaviour/restaurant.md.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Generic, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from restaurant import events
from restaurant.errors import ChangedMeanwhile, PlaceTaken, SectionGone, TooManyFeatures
from restaurant.tables.models import RoomFeature, Table

MOST_FEATURES = 60  # of a section

Place = tuple[int, int]  # column and row, from 1 on
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Feature:
    """A `RoomFeature` without its id and section."""

    kind: str
    column: int
    row: int
    width: int
    height: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Change(Generic[T]):
    """What is wanted. `is_seen`: whoever wants it has seen `seen`."""

    wanted: T
    seen: T | None = None
    is_seen: bool = False

    def conflicts_with(self, stored: T) -> bool:
        """Whether somebody else has made it another than both the one that was seen and the wanted one."""
        return self.is_seen and stored not in (self.seen, self.wanted)


@dataclass(frozen=True, slots=True)
class Changes:
    """To tables by number, and to features by id; what is not named stays.

    None: without a place, with seats that nobody has counted, or removed.
    """

    places: Mapping[int, Change[Place | None]] = field(default_factory=dict)
    shapes: Mapping[int, Change[str]] = field(default_factory=dict)
    seats: Mapping[int, Change[int | None]] = field(default_factory=dict)
    features: Mapping[UUID, Change[Feature | None]] = field(default_factory=dict)


def place_of(table: Table) -> Place | None:
    if table.plan_column is None or table.plan_row is None:
        return None
    return table.plan_column, table.plan_row


def arrange(*, section: str, changes: Changes) -> list[int]:
    """Make these changes, all or none. Returns the numbers of tables that the section does not have.

    Locks the section's tables, so that of two managers who choose the same place one is refused.
    Raises ChangedMeanwhile, PlaceTaken, SectionGone, TooManyFeatures.
    """
    with transaction.atomic():
        # FOR NO KEY UPDATE: orders, which hold a key-share lock on their table, don't wait.
        locked = Table.objects.select_for_update(no_key=True).filter(section=section).order_by("pk")
        tables = {table.table_number: table for table in locked}
        if changes.features and not tables:
            raise SectionGone
        features = _features(section, changes.features)
        _refuse_conflicts(section, tables, features, changes)
        is_changed = _arrange_tables(tables, changes)
        is_changed |= _arrange_features(section, features, changes.features)
        if is_changed:
            events.floor_update()
    return sorted((changes.places.keys() | changes.shapes.keys() | changes.seats.keys()) - tables.keys())


def _features(section: str, changes: Mapping[UUID, Change[Feature | None]]) -> dict[UUID, RoomFeature]:
    """The section's, and those of others that have one of these ids."""
    if not changes:
        return {}
    return {found.pk: found for found in RoomFeature.objects.filter(Q(section=section) | Q(pk__in=changes))}


def _refuse_conflicts(
    section: str, tables: Mapping[int, Table], features: Mapping[UUID, RoomFeature], changes: Changes
) -> None:
    numbers = {
        number
        for number, table in tables.items()
        if (number in changes.places and changes.places[number].conflicts_with(place_of(table)))
        or (number in changes.shapes and changes.shapes[number].conflicts_with(table.shape))
        or (number in changes.seats and changes.seats[number].conflicts_with(table.capacity))
    }
    names = []
    for pk, change in changes.features.items():
        stored = features.get(pk)
        if (stored and stored.section != section) or change.conflicts_with(_value_of(stored)):
            names.append(_name(_value_of(stored) or change.wanted or change.seen))
    if numbers or names:
        raise ChangedMeanwhile(sorted(numbers), names)


def _value_of(feature: RoomFeature | None) -> Feature | None:
    if feature is None:
        return None
    return Feature(feature.kind, feature.column, feature.row, feature.width, feature.height, feature.text)


def _name(feature: Feature | None) -> str:
    return str(RoomFeature(**asdict(feature))) if feature else _("something of the room")


# --- tables -------------------------------------------------------------------------------------------


def _arrange_tables(tables: Mapping[int, Table], changes: Changes) -> bool:
    """Whether that changes any."""
    moved = [table for number, table in tables.items() if _put(table, changes.places.get(number))]
    before = {number: table.shape for number, table in tables.items()}
    seated = [table for number, table in tables.items() if _seat(table, changes.seats.get(number))]
    shaped = [table for number, table in tables.items() if _shape(table, changes.shapes.get(number), before[number])]
    _check(tables.values())
    # First without places: tables may change them with each other.
    Table.objects.filter(pk__in=[table.pk for table in moved]).update(plan_column=None, plan_row=None)
    Table.objects.bulk_update({*moved, *shaped, *seated}, ["plan_column", "plan_row", "plan_shape", "capacity"])
    return bool(moved or shaped or seated)


def _put(table: Table, change: Change[Place | None] | None) -> bool:
    """Whether that changes its place."""
    if change is None or change.wanted == place_of(table):
        return False
    table.plan_column, table.plan_row = change.wanted or (None, None)
    return True


def _shape(table: Table, change: Change[str] | None, before: str) -> bool:
    """Whether that changes its shape. `before`: the one before its seats changed, which may suggest another."""
    if change is None or change.wanted == before == table.shape:
        return False
    table.plan_shape = change.wanted
    return True


def _seat(table: Table, change: Change[int | None] | None) -> bool:
    """Whether that changes its number of seats."""
    if change is None or change.wanted == table.capacity:
        return False
    table.capacity = change.wanted
    return True


def _check(tables: Iterable[Table]) -> None:
    taken: dict[Place, int] = {}
    for table in sorted(tables, key=lambda each: each.table_number):
        place = place_of(table)
        if place is None:
            continue
        if place in taken:
            raise PlaceTaken(taken[place], table.table_number, column=place[0], row=place[1])
        taken[place] = table.table_number


# --- features of the room -----------------------------------------------------------------------------


def _arrange_features(
    section: str, features: Mapping[UUID, RoomFeature], changes: Mapping[UUID, Change[Feature | None]]
) -> bool:
    """Whether that changes any."""
    changed = {pk: change.wanted for pk, change in changes.items() if change.wanted != _value_of(features.get(pk))}
    removed = [pk for pk, wanted in changed.items() if wanted is None]
    put = [RoomFeature(pk=pk, section=section, **asdict(wanted)) for pk, wanted in changed.items() if wanted]
    if len(features.keys() - set(removed) | {feature.pk for feature in put}) > MOST_FEATURES:
        raise TooManyFeatures(MOST_FEATURES)
    RoomFeature.objects.filter(pk__in=removed).delete()
    names = ["kind", "column", "row", "width", "height", "text"]
    RoomFeature.objects.bulk_create(put, update_conflicts=True, unique_fields=["id"], update_fields=names)
    return bool(changed)
