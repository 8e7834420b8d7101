"""The tiles of the floor's page: the state of each table, of several the most urgent."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from restaurant.views import cart_lines

# The most urgent first.
STATES: Mapping[str, Any] = {
    "calling": _("Calls"),
    "bill": _("Wants the bill"),
    "held": _("To approve"),
    "ready": _("Ready"),
    "ordered": _("Ordered"),
    "choosing": _("Choosing"),
    "served": _("Served"),
    "seated": _("Seated"),
    "left_open": _("Left open"),
    "free": _("Free"),
}
# What has happened since a tile's `since`.
COUNTED: Mapping[str, Any] = {
    "calling": _("called"),
    "bill": _("called"),
    "held": _("ordered"),
    "ready": _("ordered"),
    "ordered": _("ordered"),
}


@dataclass(frozen=True, slots=True)
class Tile:
    """`since`: when its state began, as far as that is known; None for a free table.

    `left_open`: the session of an earlier party whose bill is still open there; empty without one.
    """

    table: Mapping[str, Any]
    state: str
    since: Any
    left_open: str

    @property
    def label(self) -> Any:
        return _("Preparing") if self.is_cooking else STATES[self.state]

    @property
    def counted(self) -> Any:
        return COUNTED.get(self.state, _("seated"))

    @property
    def is_cooking(self) -> bool:
        return self.state == "ordered" and bool(self.table["session"]["preparingOrders"])


@dataclass(frozen=True, slots=True)
class Area:
    """A section of the restaurant; the name is empty where it has none."""

    name: str
    tiles: list[Tile]

    @property
    def busy(self) -> int:
        return sum(tile.table["session"] is not None for tile in self.tiles)


def areas(data: Mapping[str, Any]) -> list[Area]:
    """The tables by section, in the order of their first tables: each table has one place, whatever happens there."""
    found: dict[str, list[Tile]] = {}
    for tile in tiles(data):
        found.setdefault(tile.table["section"], []).append(tile)
    return [Area(name, some) for name, some in found.items()]


def tiles(data: Mapping[str, Any]) -> list[Tile]:
    """Of the floor as JSON."""
    # By table, of several the oldest: each list has the oldest first.
    urgent = {
        "calling": _oldest(call for call in data["calls"] if call["kind"] == "waiter"),
        "bill": _oldest(call for call in data["calls"] if call["kind"] == "bill"),
        "held": _oldest(data["held"]),
    }
    since = {**urgent, "ready": _oldest(data["ready"])}
    left_open = {session["tableNumber"]: str(session["id"]) for session in reversed(data["leftOpen"])}
    made = []
    for table in data["tables"]:
        number = table["tableNumber"]
        state = next((name for name, found in urgent.items() if number in found), "") or _state(table["session"])
        if state == "free" and number in left_open:
            state = "left_open"
        began = since.get(state, {}).get(number) or _since(state, table["session"])
        made.append(Tile(table, state, began, left_open.get(number, "")))
    return made


def _oldest(rows: Iterable[Mapping[str, Any]]) -> dict[int, Any]:
    since: dict[int, Any] = {}
    for row in rows:
        since.setdefault(row["tableNumber"], row["createdAt"])
    return since


def _since(state: str, session: Mapping[str, Any] | None) -> Any:
    if session is None:
        return None
    return session["waitingSince"] if state == "ordered" else session["startedAt"]


def _numbers(rows: Iterable[Mapping[str, Any]]) -> set[int]:
    return {row["tableNumber"] for row in rows}


def _state(session: Mapping[str, Any] | None) -> str:
    if session is None:
        return "free"
    if session["readyOrders"]:
        return "ready"
    if session["openOrders"]:
        return "ordered"
    if session["choosing"]:
        return "choosing"
    return "served" if session["totalOrders"] else "seated"


def waiting_longest(data: Mapping[str, Any], most: int) -> list[Mapping[str, Any]]:
    """Tables with orders that the kitchen has not finished, the longest wait first."""
    sessions = [table for table in data["tables"] if table["session"]]
    waiting = [each for each in sessions if each["session"]["pendingOrders"] + each["session"]["preparingOrders"]]
    return sorted(waiting, key=lambda each: each["session"]["waitingSince"])[:most]


def of_section(data: Mapping[str, Any], section: str) -> dict[str, Any]:
    """The floor with the tables of this section alone, and what happens there."""
    numbers = _numbers(table for table in data["tables"] if table["section"] == section)
    lists = ("tables", "leftOpen", "calls", "held", "ready")
    return {name: [row for row in data[name] if row["tableNumber"] in numbers] for name in lists}


def busy(data: Mapping[str, Any]) -> int:
    """How many tables have guests."""
    return sum(table["session"] is not None for table in data["tables"])


def needs(data: Mapping[str, Any]) -> int:
    """How many things wait for a member of staff."""
    return len(data["calls"]) + len(data["held"]) + len(data["ready"])


def with_left(tickets: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The tickets, with what the guest does not tolerate. Their entries say how many are `left`, not cancelled,
    and the `amount` of these."""
    return [
        {
            **ticket,
            "items": [_entry_with_left(entry) for entry in ticket["items"]],
            "told": _words(ticket.get("allergies", ())),
        }
        for ticket in tickets
    ]


def _entry_with_left(entry: Mapping[str, Any]) -> dict[str, Any]:
    left = entry["quantity"] - entry.get("cancelledQuantity", 0)
    return {**entry, "left": left, "amount": left * entry["price"], "cautions": _words(entry.get("alert", ()))}


def _words(allergens: Iterable[str]) -> list[str]:
    return [label for _value, label in cart_lines.labels(allergens)]
