"""The plan of the floor: where a section's tables stand, and what else there is in the room.

See "Plan of the floor" in docs/behaviour/restaurant.md.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar
from uuid import UUID

from django.db import transaction

from restaurant import events
from restaurant.errors import ChangedMeanwhile, PlaceTaken, SectionGone, TooManyFeatures
from restaurant.tables.models import Place, RoomFeature, Table

MOST_FEATURES = 60  # of a section

K = TypeVar("K")
V = TypeVar("V")


class Feature(NamedTuple):
    """A `RoomFeature` without its id and section."""

    kind: str
    column: int
    row: int
    width: int
    height: int
    text: str


@dataclass(frozen=True, slots=True)
class Plan:
    """A section's plan as somebody wants it or has seen it: tables by number, features by id.

    None stands for a table without a place, for seats that nobody has counted, and for a feature that is not there.
    """

    places: dict[int, Place | None] = field(default_factory=dict)
    shapes: dict[int, str] = field(default_factory=dict)
    seats: dict[int, int | None] = field(default_factory=dict)
    features: dict[UUID, Feature | None] = field(default_factory=dict)


def arrange(*, section: str, wanted: Plan, seen: Plan) -> list[int]:
    """Store what is wanted, all or nothing, and return the numbers of tables that the section does not have.

    What is wanted as it was seen stays as it is by now. Locks the section's tables, so that of two managers who choose
    the same place one is refused. Raises ChangedMeanwhile, PlaceTaken, SectionGone, TooManyFeatures.
    """
    changes = Plan(
        _changes(wanted.places, seen.places),
        _changes(wanted.shapes, seen.shapes),
        _changes(wanted.seats, seen.seats),
        _changes(wanted.features, seen.features),
    )
    with transaction.atomic():
        # FOR NO KEY UPDATE: orders, which hold a key-share lock on their table, don't wait.
        locked = Table.objects.select_for_update(no_key=True).filter(section=section).order_by("pk")
        tables = {table.table_number: table for table in locked}
        if changes.features and not tables:
            raise SectionGone
        features = _features(section) if changes.features else {}
        _refuse_conflicts(section, changes, seen, tables, features)
        are_tables_changed = _arrange_tables(tables.values(), changes)
        if _arrange_features(section, changes.features, features) or are_tables_changed:
            events.floor_update()
    return sorted((changes.places.keys() | changes.shapes.keys() | changes.seats.keys()) - tables.keys())


def _changes(wanted: Mapping[K, V], seen: Mapping[K, V]) -> dict[K, V]:
    return {key: value for key, value in wanted.items() if key not in seen or seen[key] != value}


def _features(section: str) -> dict[UUID, Feature | None]:
    rows = RoomFeature.objects.filter(section=section).values_list("pk", *Feature._fields)
    return {pk: Feature(*values) for pk, *values in rows}


def _refuse_conflicts(
    section: str,
    changes: Plan,
    seen: Plan,
    tables: Mapping[int, Table],
    features: Mapping[UUID, Feature | None],
) -> None:
    """Raises ChangedMeanwhile for what somebody else has changed since it was seen."""
    numbers = {
        *_conflicts(changes.places, seen.places, {number: table.place for number, table in tables.items()}),
        *_conflicts(changes.shapes, seen.shapes, {number: table.shape for number, table in tables.items()}),
        *_conflicts(changes.seats, seen.seats, {number: table.capacity for number, table in tables.items()}),
    }
    names = [str(feature) for feature in RoomFeature.objects.filter(pk__in=changes.features).exclude(section=section)]
    stored = {pk: features.get(pk) for pk in changes.features}
    for pk in _conflicts(changes.features, seen.features, stored):
        if feature := stored[pk] or changes.features[pk] or seen.features[pk]:
            names.append(str(RoomFeature(**feature._asdict())))
    if numbers or names:
        raise ChangedMeanwhile(sorted(numbers), names)


def _conflicts(changes: Mapping[K, V], seen: Mapping[K, V], stored: Mapping[K, V]) -> list[K]:
    """Return the keys whose stored value is neither the one that was seen nor the one that is wanted."""
    known = changes.keys() & seen.keys() & stored.keys()
    return [key for key in changes if key in known and stored[key] not in (seen[key], changes[key])]


def _arrange_tables(tables: Iterable[Table], changes: Plan) -> bool:
    """Return whether any table is changed. Raises PlaceTaken."""
    changed = [table for table in tables if _is_changed(table, changes)]
    _refuse_shared_places(tables)
    # First without places: tables may change them with each other.
    Table.objects.filter(pk__in=[table.pk for table in changed]).update(plan_column=None, plan_row=None)
    Table.objects.bulk_update(changed, ["plan_column", "plan_row", "plan_shape", "capacity"])
    return bool(changed)


def _is_changed(table: Table, changes: Plan) -> bool:
    """Set the table's place, seats and shape, and return whether they were others."""
    before, shape_before = (table.place, table.capacity, table.plan_shape), table.shape
    number = table.table_number
    table.plan_column, table.plan_row = changes.places.get(number, table.place) or (None, None)
    table.capacity = changes.seats.get(number, table.capacity)
    shape = changes.shapes.get(number)
    if shape and not shape == shape_before == table.shape:  # other seats may suggest another shape
        table.plan_shape = shape
    return before != (table.place, table.capacity, table.plan_shape)


def _refuse_shared_places(tables: Iterable[Table]) -> None:
    taken: dict[Place, int] = {}
    for table in sorted(tables, key=lambda table: table.table_number):
        if table.place is None:
            continue
        if table.place in taken:
            column, row = table.place
            raise PlaceTaken(taken[table.place], table.table_number, column=column, row=row)
        taken[table.place] = table.table_number


def _arrange_features(section: str, changes: Mapping[UUID, Feature | None], stored: dict[UUID, Feature | None]) -> bool:
    """Return whether any feature is changed. Raises TooManyFeatures."""
    changed = {pk: feature for pk, feature in changes.items() if feature != stored.get(pk)}
    if sum(feature is not None for feature in (stored | changed).values()) > MOST_FEATURES:
        raise TooManyFeatures(MOST_FEATURES)
    RoomFeature.objects.filter(pk__in=[pk for pk, feature in changed.items() if feature is None]).delete()
    RoomFeature.objects.bulk_create(
        [RoomFeature(pk=pk, section=section, **feature._asdict()) for pk, feature in changed.items() if feature],
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=Feature._fields,
    )
    return bool(changed)
