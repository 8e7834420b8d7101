"""Reading what waits for a member of staff, by one statement: each page of staff shows it in its header."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.postgres.aggregates import StringAgg
from django.db import connection
from django.db.models import CharField, Count, Exists, F, Min, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Coalesce

from restaurant.floor.queries.statements import compiled_once
from restaurant.kitchen.queries import late_jobs
from restaurant.menu.models import MenuItem
from restaurant.menu.queries import WITHOUT_STATION
from restaurant.ordering.models import Order, OrderItem, TableCall, TableSession
from restaurant.ordering.queries.orders import RECENT, cooking_entries, undone_entries, unseen_entries
from restaurant.ordering.queries.stations import IS_DONE

_SEPARATOR = "\n"


@dataclass(frozen=True, slots=True)
class Waiting:
    """`where` has numbers of tables, or names of printers, those that wait longest first and each once."""

    kind: str
    count: int
    since: datetime
    where: list[str]


def attention(*, now: datetime, late_after: timedelta) -> dict[str, Waiting]:
    """Return what waits by kind, without the kinds of which nothing waits.

    Kinds are `waiter`, `bill` and `reward` (calls), `held`, `unseen`, `late`, `ready` and `ready_parts` (orders),
    `left_open` (bills), `dockets`, and `no_station` (dishes).
    """
    with connection.cursor() as cursor:
        cursor.execute(*_statement(now, late_after))
        rows = cursor.fetchall()
    return {
        kind: Waiting(kind, count, since, list(dict.fromkeys(where.split(_SEPARATOR))))
        for kind, count, since, where in rows
        if count  # a part without a column to group by has one row, also of nothing
    }


def rows_at(now: datetime, late_after: timedelta) -> QuerySet:
    """Return rows of kind, count, since and where."""
    calls = TableCall.objects.filter(done_at=None)
    held = Order.objects.to_be_approved()
    # What is older stands apart, and on no display: see `orders.earlier_open_orders`.
    on_displays = Order.objects.filter(created_at__gt=now - RECENT)
    undone = undone_entries(late_after).filter(order=OuterRef("pk"))
    cooking = cooking_entries().filter(order=OuterRef("pk"))
    without = Q(~Exists(cooking), status__in=Order.COOKING, created_at__lte=now - late_after)
    late = on_displays.filter(Exists(undone.filter(late_at__lte=now)) | without)
    unseen = unseen_entries(now).filter(order=OuterRef("pk")).order_by("asked_at").values("asked_at")
    overlooked = Order.objects.filter(status__in=Order.COOKING).annotate(asked_at=Subquery(unseen[:1]))
    ready = on_displays.filter(status=Order.Status.READY)
    at = Coalesce("station", 0)  # as `ready_parts` has it: what is of no station, where other courses wait
    undone_there = cooking_entries().exclude(OrderItem.WAITS).annotate(at=at).filter(order=OuterRef("order"))
    waiting = OrderItem.objects.filter(OrderItem.WAITS, order=OuterRef("order"))
    done = OrderItem.objects.filter(IS_DONE, quantity__gt=F("cancelled_quantity")).annotate(at=at)
    done = done.filter(Q(station__isnull=False) | Exists(waiting), ~Exists(undone_there.filter(at=OuterRef("at"))))
    first_done = done.filter(order=OuterRef("pk")).order_by("done_at").values("done_at")
    partly = on_displays.filter(status__in=Order.COOKING).annotate(done_at=Subquery(first_done[:1]))
    left_open = TableSession.objects.left_open(now)
    parts = [
        _counted(calls.annotate(of=F("kind")), "session__table__table_number"),
        _counted(held.annotate(of=Value("held")), "table__table_number"),
        _counted(
            overlooked.filter(asked_at__isnull=False).annotate(of=Value("unseen")),
            "table__table_number",
            since="asked_at",
        ),
        _counted(late.annotate(of=Value("late")), "table__table_number"),
        _counted(ready.annotate(of=Value("ready")), "table__table_number", since=Coalesce("ready_at", "created_at")),
        _counted(
            partly.filter(done_at__isnull=False).annotate(of=Value("ready_parts")),
            "table__table_number",
            since="done_at",
        ),
        _counted(left_open.annotate(of=Value("left_open")), "table__table_number", since="started_at"),
        _counted(late_jobs(now).annotate(of=Value("dockets")), "printer__name"),
        _counted(MenuItem.objects.filter(WITHOUT_STATION).annotate(of=Value("no_station")), "name"),
    ]
    return parts[0].union(*parts[1:], all=True)


_statement = compiled_once(rows_at)


def _counted(rows: QuerySet, where: str, since: Combinable | str = "created_at") -> QuerySet:
    names = StringAgg(Cast(where, CharField()), _SEPARATOR, order_by=(since, "pk"))
    counted = rows.order_by().values("of").annotate(count=Count("pk"), since=Min(since), where=names)
    return counted.values_list("of", "count", "since", "where")
