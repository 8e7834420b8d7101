"""The form of the plan's page: a row of fields for each table and for each feature of the room.

A table's fields are `column-7`, `row-7`, `shape-7` and `seats-7`, a feature's `kind-<id>`, `column-<id>` and so on.
`seen` and `seen-<id>` hold what the page had shown of them, of a table as `7@3,2,round,4`. A feature without a kind is
removed, or was never added.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self
from uuid import UUID

from restaurant.tables.models import RoomFeature, Table
from restaurant.tables.services.plans import Feature, Plan
from web.fields import FormText

_ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


@dataclass
class Row:
    """The texts of a row's fields, and those that the page had shown: none in a new row.

    `wrong` has a sentence for each field that was refused, empty where the page says above what is wrong.
    """

    key: str
    texts: dict[str, str]
    seen: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)

    groups: ClassVar[tuple[tuple[str, ...], ...]]  # fields that are changed together
    seen_pattern: ClassVar[str]

    @classmethod
    def names(cls) -> list[str]:
        return [name for group in cls.groups for name in group]

    @classmethod
    def sent(cls, key: str, fields: Mapping[str, str], seen: str) -> Self:
        names, is_seen = cls.names(), re.fullmatch(cls.seen_pattern, seen)
        texts = {name: fields.get(f"{name}-{key}", "").strip() for name in names}
        return cls(key, texts, dict(zip(names, seen.split(",", len(names) - 1), strict=True)) if is_seen else {})

    @classmethod
    def stored(cls, key: object, *values: object) -> Self:
        texts = {name: "" if value is None else str(value) for name, value in zip(cls.names(), values, strict=True)}
        return cls(str(key), texts, texts)

    @classmethod
    def blank(cls, key: object) -> Self:
        return cls(str(key), dict.fromkeys(cls.names(), ""))

    def is_changed(self, *names: str) -> bool:
        return any(self.texts[name] != self.seen.get(name, "") for name in names or self.texts)

    def over(self, stored: Self, *, is_stored_seen: bool) -> Self:
        """Return the row with what was entered where that was changed, and with what is stored elsewhere."""
        texts, seen = dict(stored.texts), dict(stored.seen)
        for group in self.groups:
            if self.is_changed(*group):
                texts |= {name: self.texts[name] for name in group}
                seen |= {} if is_stored_seen else {name: self.seen[name] for name in group if self.seen}
        return type(self)(self.key, texts, seen, self.wrong)

    @property
    def seen_text(self) -> str:
        return ",".join(self.seen.values())

    @property
    def sentence(self) -> str:
        return next(filter(None, self.wrong.values()), "")


class TableRow(Row):
    groups = (("column", "row"), ("shape",), ("seats",))
    seen_pattern = "([0-9]{1,2},[0-9]{1,2}|,),[a-z]+,[0-9]{0,5}"

    @classmethod
    def of(cls, table: Table) -> Self:
        return cls.stored(table.table_number, table.plan_column, table.plan_row, table.shape, table.capacity)

    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"tableNumber": int(self.key)}
        body |= {name: FormText(self.texts[name]) for name in ("column", "row") if self.texts[name]}
        if self.texts["shape"]:
            body["shape"] = self.texts["shape"]
        if self.is_changed("seats"):
            body["capacity"] = FormText(self.texts["seats"]) if self.texts["seats"] else None
        return body


class FeatureRow(Row):
    groups = (Feature._fields,)
    seen_pattern = "[a-z]+(,[0-9]{1,2}){4},.*"

    @classmethod
    def of(cls, feature: RoomFeature) -> Self:
        return cls.stored(feature.pk, *(getattr(feature, name) for name in Feature._fields))

    def body(self) -> dict[str, Any]:
        numbers = {name: FormText(self.texts[name]) for name in ("column", "row", "width", "height")}
        return {"id": self.key, **self.texts, **numbers}

    def seen_feature(self) -> Feature | None:
        if not self.seen:
            return None
        kind, column, row, width, height, text = self.seen.values()
        return Feature(kind, int(column), int(row), int(width), int(height), text)


class PlanForm:
    def __init__(self, fields: Mapping[str, str]) -> None:
        self.section = fields.get("section", "")
        seen = dict(token.split("@", 1) for token in fields.get("seen", "").split() if "@" in token)
        numbers = [name[7:] for name in fields if re.fullmatch("column-[0-9]{1,5}", name)]
        ids = [name[5:] for name in fields if re.fullmatch(f"kind-{_ID}", name)]
        self.tables = [TableRow.sent(number, fields, seen.get(number, "")) for number in numbers]
        rows = [FeatureRow.sent(pk, fields, fields.get(f"seen-{pk}", "")) for pk in ids]
        self.features = [row for row in rows if row.texts["kind"]]
        self.removed = [row for row in rows if row.seen and not row.texts["kind"]]

    def body(self) -> dict[str, Any]:
        """Return the form as a program would send it."""
        return {
            "section": self.section,
            "tables": [row.body() for row in self.tables],
            "features": [row.body() for row in self.features],
            "removed": [row.key for row in self.removed],
        }

    def seen(self) -> Plan:
        tables = {int(row.key): row.seen for row in self.tables if row.seen}
        return Plan(
            places={
                number: (int(seen["column"]), int(seen["row"])) if seen["column"] else None
                for number, seen in tables.items()
            },
            shapes={number: seen["shape"] for number, seen in tables.items()},
            seats={number: int(seen["seats"]) if seen["seats"] else None for number, seen in tables.items()},
            features={UUID(row.key): row.seen_feature() for row in [*self.features, *self.removed]},
        )

    def mark(self, error: Mapping[str, Any]) -> None:
        """Note in the rows what an error's body says of their fields."""
        lists: dict[str, Sequence[Row]] = {"tables": self.tables, "features": self.features}
        for path, sentence in error.get("fields", {}).items():
            if match := re.fullmatch(r"(tables|features)\.([0-9]+)\.(\w+)", path):
                lists[match[1]][int(match[2])].wrong[match[3]] = sentence
        for row in self.tables:
            if int(row.key) in error.get("tables", []):
                row.wrong = {"column": "", "row": ""}

    def tables_over(self, tables: Iterable[Table], *, is_stored_seen: bool) -> list[TableRow]:
        """Return rows of the stored tables, with what was changed in the form."""
        sent = {row.key: row for row in self.tables}
        stored = [TableRow.of(table) for table in tables]
        return [sent.get(row.key, row).over(row, is_stored_seen=is_stored_seen) for row in stored]

    def features_over(self, features: Iterable[RoomFeature], *, is_stored_seen: bool) -> list[FeatureRow]:
        """Return rows of the stored features, with what was changed in the form, and of those that were added in it."""
        rows = {row.key: row for row in map(FeatureRow.of, features)}
        for row in [*self.features, *self.removed]:
            if row.key in rows or (row.texts["kind"] and row.is_changed()):
                rows[row.key] = row.over(rows.get(row.key, FeatureRow.blank(row.key)), is_stored_seen=is_stored_seen)
        return list(rows.values())
