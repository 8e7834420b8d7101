"""The sections of the restaurant on the floor's page: their tables, and what else is on their plans."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from restaurant.floor import queries
from restaurant.tables import models as tables_models


@dataclass(frozen=True, slots=True)
class PlacedFeature:
    """A feature on a plan that ends where its last table or feature does.

    `column` and `row`: of a line beyond the last ones they are the last, and `is_far` says that it runs behind them.
    """

    feature: tables_models.RoomFeature
    column: int
    row: int
    is_far: bool


@dataclass(frozen=True, slots=True)
class Area:
    """A section; the name is empty where it has none."""

    name: str
    tables: list[queries.TableOnFloor]
    features: list[tables_models.RoomFeature]

    @property
    def has_plan(self) -> bool:
        return any(each.table.plan_column for each in self.tables)

    @property
    def placed_features(self) -> list[PlacedFeature]:
        """None where there is no plan to show them on."""
        places = [(each.table.plan_column, each.table.plan_row) for each in self.tables if each.table.plan_column]
        if not places:
            return []
        places += [(each.column + each.width - 1, each.row + each.height - 1) for each in self.features]
        columns, rows = (max(numbers) for numbers in zip(*places, strict=True))
        return [
            PlacedFeature(
                each, min(each.column, columns), min(each.row, rows), each.column > columns or each.row > rows
            )
            for each in self.features
        ]

    @property
    def unplaced(self) -> list[queries.TableOnFloor]:
        return [each for each in self.tables if not each.table.plan_column]

    @property
    def counted(self) -> Counter[str]:
        return queries.counted(self.tables)


def areas(floor: queries.Floor, features: Iterable[tables_models.RoomFeature]) -> list[Area]:
    """By section, in the order of their first tables: each table has one place, whatever happens there."""
    found: dict[str, Area] = {}
    for each in floor.tables:
        found.setdefault(each.table.section, Area(each.table.section, [], [])).tables.append(each)
    for feature in features:
        if feature.section in found:
            found[feature.section].features.append(feature)
    return list(found.values())
