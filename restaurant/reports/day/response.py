"""How long calls and ready dishes of a day waited for somebody of the staff."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from django.db.models import F, Value
from django.db.models.functions import Coalesce, NullIf

from restaurant.ordering.models import Order, TableCall
from restaurant.ordering.queries.orders import RECENT

Rows = list[tuple[datetime | None, str, timedelta]]


@dataclass(frozen=True, slots=True)
class Waits:
    """How many, and how many seconds: half of them, and 9 of 10, waited no longer."""

    name: str  # of a user; empty: all of them
    count: int
    median: int
    nine_of_ten: int


def read(began: datetime, ended: datetime) -> dict[str, list[Waits]]:
    """Return `calls` until somebody went or came, and what was `ready` until it was served.

    By person and, last, all together, also what nobody known went to. Nothing unless somebody took something.
    """
    called = TableCall.objects.filter(created_at__gte=began, created_at__lt=ended).exclude(taken_at=None, done_by="")
    carried = Order.objects.filter(created_at__gte=began - RECENT, created_at__lt=ended, status__in=Order.GONE).filter(
        ready_at__gte=began, ready_at__lt=ended, served_at__isnull=False
    )
    until: Any = Coalesce("taken_at", "done_at")
    who: Any = Coalesce(NullIf("taken_by_name", Value("")), "done_by")
    calls: Rows = list(called.values_list("taken_at", who, until - F("created_at")))
    ready: Rows = list(carried.values_list("taken_at", "taken_by_name", F("served_at") - F("ready_at")))
    if not any(taken_at for taken_at, _name, _wait in calls + ready):
        return {}
    return {"calls": _waits(calls), "ready": _waits(ready)}


def _waits(rows: Rows) -> list[Waits]:
    by_name: defaultdict[str, list[float]] = defaultdict(list)
    for _taken_at, name, wait in rows:
        for each in {name, ""}:
            by_name[each].append(max(wait.total_seconds(), 0))
    people = [(name, sorted(by_name[name])) for name in sorted(by_name, key=lambda name: (not name, name))]
    return [
        Waits(name, len(each), round(median(each)), round(each[-(-9 * len(each) // 10) - 1])) for name, each in people
    ]
