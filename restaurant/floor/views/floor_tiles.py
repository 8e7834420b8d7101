"""The tiles of the floor's page: the state of each table, of several the most urgent."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from restaurant.floor import queries
from restaurant.ordering import models as ordering_models
from restaurant.ordering.views import cart_lines
from restaurant.tables import models as tables_models

LEFT_OPEN_SHOWN = 3  # bills, also on the start page; the others are folded
KEPT_SHOWN = 3  # orders for later; the others are folded

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


@dataclass(frozen=True, slots=True)
class Tile:
    """`since`: when its state began; None where nothing has happened but that a party came. `counted`: what happened
    then, where the state does not say it.

    `party`: the session of those who sit there; of a table that was left open, of those who have left.
    `left_open`: the session of an earlier party whose bill is still open there.
    """

    table: Mapping[str, Any]
    state: str
    since: Any
    counted: Any
    party: Mapping[str, Any] | None
    left_open: Mapping[str, Any] | None

    @property
    def label(self) -> Any:
        return _("Preparing") if self.is_cooking else STATES[self.state]

    @property
    def is_late(self) -> bool:
        """Whether the kitchen is late while the table waits for something else."""
        session = self.table["session"]
        if self.state not in ("calling", "bill", "held") or not session or session["readyOrders"]:
            return False
        return bool(session["pendingOrders"] + session["preparingOrders"]) and is_late(session["waitingSince"])

    @property
    def is_placed(self) -> bool:
        return self.table["column"] is not None

    @property
    def is_cooking(self) -> bool:
        return self.state == "ordered" and bool(self.table["session"]["preparingOrders"])


@dataclass(frozen=True, slots=True)
class Drawn:
    """A feature on a plan that ends where its last table or feature does.

    `column` and `row`: of a line beyond the last ones they are the last, and `is_far` says that it runs behind them.
    """

    feature: tables_models.RoomFeature
    column: int
    row: int
    is_far: bool

    @property
    def is_line(self) -> bool:
        return self.feature.kind in self.feature.LINES

    @property
    def is_tall(self) -> bool:
        return self.feature.height > self.feature.width


@dataclass(frozen=True, slots=True)
class Area:
    """A section of the restaurant; the name is empty where it has none."""

    name: str
    tiles: list[Tile]
    features: list[tables_models.RoomFeature]

    @property
    def has_plan(self) -> bool:
        return any(tile.is_placed for tile in self.tiles)

    @property
    def drawn(self) -> list[Drawn]:
        """The features of the room, where there is a plan to draw them on."""
        if not self.has_plan:
            return []
        places = [(tile.table["column"], tile.table["row"]) for tile in self.tiles if tile.is_placed]
        places += [(each.column + each.width - 1, each.row + each.height - 1) for each in self.features]
        columns, rows = max(column for column, _row in places), max(row for _column, row in places)
        return [
            Drawn(each, min(each.column, columns), min(each.row, rows), each.column > columns or each.row > rows)
            for each in self.features
        ]

    @property
    def unplaced(self) -> list[Tile]:
        return [tile for tile in self.tiles if not tile.is_placed]

    @property
    def busy(self) -> int:
        return sum(tile.table["session"] is not None for tile in self.tiles)

    @property
    def left_open(self) -> int:
        return sum(tile.table["session"] is None and tile.left_open is not None for tile in self.tiles)


def is_late(ordered: datetime) -> bool:
    """Of an order that the kitchen has not finished."""
    return timezone.now() - ordered >= timedelta(minutes=settings.KITCHEN_LATE_MINUTES)


def areas(data: Mapping[str, Any], features: Iterable[tables_models.RoomFeature]) -> list[Area]:
    """The tables by section, in the order of their first tables: each table has one place, whatever happens there."""
    by_section: dict[str, list[tables_models.RoomFeature]] = {}
    for feature in features:
        by_section.setdefault(feature.section, []).append(feature)
    found: dict[str, list[Tile]] = {}
    for tile in tiles(data):
        found.setdefault(tile.table["section"], []).append(tile)
    return [Area(name, some, by_section.get(name, [])) for name, some in found.items()]


def tiles(data: Mapping[str, Any]) -> list[Tile]:
    """Of the floor as JSON."""
    # By table, of several the oldest: each list has the oldest first.
    urgent = {
        "calling": _oldest(call for call in data["calls"] if call["kind"] == "waiter"),
        "bill": _oldest(call for call in data["calls"] if call["kind"] == "bill"),
        "held": _oldest(data["held"]),
    }
    rows = {**urgent, "ready": _oldest(data["ready"])}
    left_open = {session["tableNumber"]: session for session in reversed(data["leftOpen"])}
    made = []
    for table in data["tables"]:
        number = table["tableNumber"]
        state = next((name for name, found in urgent.items() if number in found), "") or _state(table["session"])
        if state == "free" and number in left_open:
            state = "left_open"
        party = left_open[number] if state == "left_open" else table["session"]
        since, counted = _began(state, rows.get(state, {}).get(number), party)
        made.append(Tile(table, state, since, counted, party, left_open.get(number)))
    return made


def _oldest(rows: Iterable[Mapping[str, Any]]) -> dict[int, Mapping[str, Any]]:
    oldest: dict[int, Mapping[str, Any]] = {}
    for row in rows:
        oldest.setdefault(row["tableNumber"], row)
    return oldest


def _began(state: str, row: Mapping[str, Any] | None, party: Mapping[str, Any] | None) -> tuple[Any, Any]:
    """When this state began, and what happened then if its label does not say it: by what waits for somebody."""
    if row is not None:
        if state in ("calling", "bill", "held"):
            return row["createdAt"], ""
        return (row["readyAt"], "") if row["readyAt"] else (row["createdAt"], _("ordered"))
    if party and state == "ordered":
        return party["waitingSince"], _("ordered") if party["preparingOrders"] else ""
    return None, ""


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


def with_more(data: Mapping[str, Any], floor: queries.Floor) -> dict[str, Any]:
    """The floor as JSON, with what the page alone shows: tables of guests with `allergies`, their `waiter` and
    `covers`, the tables' places and shapes, and since when orders are ready. What is ready longest comes first."""
    more = {each.table.table_number: _more(each) for each in floor.tables}
    ready_at = {str(order.pk): order.ready_at for order in floor.ready}
    ready = [{**ticket, "readyAt": ready_at[ticket["orderId"]]} for ticket in data["ready"]]
    return {
        "keptForLater": [],
        **data,
        "tables": [{**table, **more[table["tableNumber"]]} for table in data["tables"]],
        "ready": sorted(ready, key=lambda ticket: ticket["readyAt"] or ticket["createdAt"]),
    }


def _more(each: queries.TableOnFloor) -> dict[str, Any]:
    place = {"column": each.table.plan_column, "row": each.table.plan_row, "shape": each.table.shape}
    covers = each.session.covers if each.session else None
    return {"allergies": each.has_allergies, "waiter": each.waiter, "covers": covers, **place}


def of_section(data: Mapping[str, Any], section: str) -> dict[str, Any]:
    """The floor with the tables of this section alone, and what happens there."""
    numbers = _numbers(table for table in data["tables"] if table["section"] == section)
    lists = ("tables", "leftOpen", "calls", "held", "keptForLater", "ready")
    return {name: [row for row in data[name] if row["tableNumber"] in numbers] for name in lists}


def counted(data: Mapping[str, Any]) -> dict[str, int]:
    """How many tables have guests, have none but a bill that was left open, and are free."""
    empty = _numbers(table for table in data["tables"] if table["session"] is None)
    left_open = empty & _numbers(data["leftOpen"])
    return {
        "busy": len(data["tables"]) - len(empty),
        "left_open": len(left_open),
        "free": len(empty) - len(left_open),
    }


def needs(data: Mapping[str, Any]) -> int:
    """How many things wait for a member of staff."""
    return len(data["calls"]) + len(data["held"]) + len(data["ready"])


def with_left(tickets: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The tickets, with what the guest does not tolerate. Their entries say how many are `left`, not cancelled,
    and the `amount` of these; while the kitchen is at it, also which `is_done`. The ticket says of how many pieces."""
    return [_ticket_with_left(ticket) for ticket in tickets]


def _ticket_with_left(ticket: Mapping[str, Any]) -> dict[str, Any]:
    is_cooking = ticket["status"] in (ordering_models.Order.Status.PENDING, ordering_models.Order.Status.PREPARING)
    items = [_entry_with_left(entry, is_cooking) for entry in ticket["items"]]
    return {
        **ticket,
        "items": items,
        "done": sum(entry["left"] for entry in items if entry["is_done"]),
        "to_do": sum(entry["left"] for entry in items),
        "is_late": is_cooking and is_late(ticket["createdAt"]),
        "told": _words(ticket.get("allergies", ())),
    }


def _entry_with_left(entry: Mapping[str, Any], is_cooking: bool) -> dict[str, Any]:
    left = entry["quantity"] - entry.get("cancelledQuantity", 0)
    return {
        **entry,
        "left": left,
        "amount": left * entry["price"],
        "is_done": is_cooking and left > 0 and entry.get("done", False),
        "cautions": _words(entry.get("alert", ())),
    }


def _words(allergens: Iterable[str]) -> list[str]:
    return [label for _value, label in cart_lines.labels(allergens)]
