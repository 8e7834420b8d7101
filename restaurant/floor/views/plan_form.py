"""The form of the plan's page: fields named after a table's number or a feature's id, and what was seen of them.

`column-7`, `row-7`, `shape-7`, `seats-7`, and in `seen` "7@3,2,round,4" for each table; `kind-<id>`, `column-<id>`, ...
and `seen-<id>` for each feature. A feature without a kind is removed, or was never added.
"""

import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from restaurant.tables.services import plans
from web.fields import FormText

PLACE = ("column", "row")
NUMBERS = (*PLACE, "width", "height")
FEATURE = ("kind", *NUMBERS, "text")
_ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


class PlanForm:
    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = fields
        self.numbers = [int(name[7:]) for name in fields if re.fullmatch("column-[0-9]{1,5}", name)]
        self.ids = [name[5:] for name in fields if re.fullmatch(f"kind-{_ID}", name)]
        self.changed_ids = [each for each in self.ids if self._is_changed(each) and self.entered(each)[0]]
        tokens = r"\b([0-9]{1,5})@([0-9]{1,2},[0-9]{1,2}|,)(?:,([a-z]+)(?:,([0-9]{0,5}))?)?(?= |$)"
        found = re.findall(tokens, fields.get("seen", ""))
        self.seen_places = {int(number): place for number, place, *_rest in found}
        self.seen_shapes = {int(number): shape for number, _place, shape, _seats in found if shape}
        self.seen_seats = {int(number): seats for number, _place, _shape, seats in found}

    def body(self) -> dict[str, Any]:
        """As JSON would have it."""
        return {
            "section": self.fields.get("section", ""),
            "tables": [self._table(number) for number in self.numbers],
            "features": [self._feature(each) for each in self.changed_ids],
            "removed": [each for each in self.ids if self._is_changed(each) and not self.entered(each)[0]],
        }

    def _table(self, number: int) -> dict[str, Any]:
        table: dict[str, Any] = {"tableNumber": number}
        table |= {name: FormText(text) for name in PLACE if (text := self._text(name, number))}
        if shape := self._text("shape", number):
            table["shape"] = shape
        if self.seats(number) != self.seen_seats.get(number, "") and f"seats-{number}" in self.fields:
            table["capacity"] = FormText(self.seats(number)) if self.seats(number) else None
        return table

    def _feature(self, feature: str) -> dict[str, Any]:
        texts = dict(zip(FEATURE, self.entered(feature), strict=True))
        return {"id": feature} | {name: FormText(text) if name in NUMBERS else text for name, text in texts.items()}

    def _text(self, name: str, key: int | str) -> str:
        return self.fields.get(f"{name}-{key}", "").strip()

    def place(self, number: int) -> tuple[str, str]:
        """As it was entered."""
        return self._text("column", number), self._text("row", number)

    def shape(self, number: int) -> str:
        return self._text("shape", number)

    def seats(self, number: int) -> str:
        return self._text("seats", number)

    def entered(self, feature: str) -> list[str]:
        """As `FEATURE` has them; without a kind all are empty."""
        texts = [self._text(name, feature) for name in FEATURE]
        return texts if texts[0] else [""] * len(FEATURE)

    def seen(self, feature: str) -> str:
        """Empty for one that is new."""
        return self.fields.get(f"seen-{feature}", "")

    def _is_changed(self, feature: str) -> bool:
        entered = self.entered(feature)
        return bool(entered[0] or self.seen(feature)) and ",".join(entered) != self.seen(feature)

    def changes(self, body: Mapping[str, Any]) -> plans.Changes:
        """By the validated `body`: without what was left as it was seen."""
        places, shapes, seats = {}, {}, {}
        for each in body["tables"]:
            number, place = each["tableNumber"], place_of(each)
            seen = _place_in(self.seen_places.get(number, ","))
            if number not in self.seen_places or place != seen:
                places[number] = plans.Change(place, seen, is_seen=number in self.seen_places)
            if "shape" in each and each["shape"] != self.seen_shapes.get(number):
                seen_shape = self.seen_shapes.get(number)
                shapes[number] = plans.Change(each["shape"], seen_shape, is_seen=seen_shape is not None)
            if "capacity" in each:
                known = number in self.seen_seats
                seen_seats = int(self.seen_seats[number]) if known and self.seen_seats[number] else None
                seats[number] = plans.Change(each["capacity"], seen_seats, is_seen=known)
        features = {
            pk: plans.Change(wanted, feature_in(self.seen(str(pk))), is_seen=True)
            for pk, wanted in features_of(body).items()
        }
        return plans.Changes(places, shapes, seats, features)


def changes_of(body: Mapping[str, Any]) -> plans.Changes:
    """Of a program, which has not said what it has seen."""
    return plans.Changes(
        {each["tableNumber"]: plans.Change(place_of(each)) for each in body["tables"]},
        {each["tableNumber"]: plans.Change(each["shape"]) for each in body["tables"] if "shape" in each},
        {each["tableNumber"]: plans.Change(each["capacity"]) for each in body["tables"] if "capacity" in each},
        {pk: plans.Change(wanted) for pk, wanted in features_of(body).items()},
    )


def features_of(body: Mapping[str, Any]) -> dict[UUID, plans.Feature | None]:
    """By id; None for those that are to be removed."""
    put = {UUID(each["id"]): plans.Feature(**{name: each[name] for name in FEATURE}) for each in body["features"]}
    return put | {UUID(each): None for each in body["removed"]}


def place_of(table: Mapping[str, Any]) -> plans.Place | None:
    return None if table["column"] is None else (table["column"], table["row"])


def feature_in(seen: str) -> plans.Feature | None:
    """What `seen_of` has written."""
    if not re.fullmatch(r"[a-z]+(,[0-9]{1,2}){4},.*", seen):
        return None
    kind, column, row, width, height, text = seen.split(",", 5)
    return plans.Feature(kind, int(column), int(row), int(width), int(height), text)


def seen_of(feature: Mapping[str, Any]) -> str:
    return ",".join(str(feature[name]) for name in FEATURE)


def _place_in(seen: str) -> plans.Place | None:
    column, row = (int(text) if text else 0 for text in seen.split(","))
    return (column, row) if column and row else None
