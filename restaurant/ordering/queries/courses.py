"""Reading the courses that wait."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from restaurant.ordering.models import Order
from restaurant.tables.models import Table


@dataclass(frozen=True, slots=True)
class LaterCourse:
    """The next course of a party that waits, of which it has ordered `portions`, the first at `since`.

    `is_due`: everything before it is carried.
    """

    session_id: UUID
    table: Table
    course: int
    portions: int
    since: datetime
    is_due: bool


def later_courses(orders: Iterable[Order]) -> list[LaterCourse]:
    """Return that of each party with such orders: those that are due first, then by `since`."""
    by_session: defaultdict[UUID, list[Order]] = defaultdict(list)
    for order in orders:
        if order.status in Order.OPEN:
            by_session[order.session_id].append(order)
    found = []
    for session_id, own in by_session.items():
        items = [(order, item) for order in own for item in order.items.all() if item.remaining]
        waiting = [(order, item) for order, item in items if item.waits]
        course = min((item.course or 0 for _order, item in waiting), default=None)
        if course is not None:
            of_course = [(order, item) for order, item in waiting if item.course == course]
            portions, since = sum(item.remaining for _order, item in of_course), of_course[0][0].created_at
            is_due = all(item.waits or item.served_at for _order, item in items)
            found.append(LaterCourse(session_id, own[0].table, course, portions, since, is_due))
    return sorted(found, key=lambda later: (not later.is_due, later.since))
