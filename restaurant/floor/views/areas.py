"""The sections of the restaurant on the floor's page: their tables, and the features on their plans."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from restaurant.floor.queries.floor import count_by_occupancy
from restaurant.floor.queries.tables import TableOnFloor
from restaurant.tables.models import RoomFeature


@dataclass(frozen=True, slots=True)
class PlacedFeature:
    """A feature on a plan that ends where its last table or feature does.

    A line beyond the last column or row has that as its own, and `is_far` says that it runs behind it.
    """

    feature: RoomFeature
    column: int
    row: int
    is_far: bool


@dataclass(frozen=True, slots=True)
class Area:
    """A section; the name is empty where it has none."""

    name: str
    tables: list[TableOnFloor]
    features: list[RoomFeature]

    @property
    def has_plan(self) -> bool:
        return any(table.table.place for table in self.tables)

    @property
    def placed_features(self) -> list[PlacedFeature]:
        """The features on the plan; none where no table has a place."""
        places = [table.table.place for table in self.tables if table.table.place]
        if not places:
            return []
        places += [(feature.column + feature.width - 1, feature.row + feature.height - 1) for feature in self.features]
        columns, rows = max(column for column, _row in places), max(row for _column, row in places)
        return [
            PlacedFeature(
                feature,
                min(feature.column, columns),
                min(feature.row, rows),
                is_far=feature.column > columns or feature.row > rows,
            )
            for feature in self.features
        ]

    @property
    def unplaced(self) -> list[TableOnFloor]:
        return [table for table in self.tables if not table.table.place]

    @property
    def counts(self) -> Counter[str]:
        return count_by_occupancy(self.tables)


def areas_of(tables: Iterable[TableOnFloor], features: Iterable[RoomFeature]) -> list[Area]:
    """Return the sections in the order of their first tables, each with its tables and features."""
    areas: dict[str, Area] = {}
    for table in tables:
        section = table.table.section
        areas.setdefault(section, Area(section, [], [])).tables.append(table)
    for feature in features:
        if feature.section in areas:
            areas[feature.section].features.append(feature)
    return list(areas.values())
