"""Reading the courses that wait."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from restaurant.ordering.models import Order, OrderItem
from restaurant.tables.models import Table


@dataclass(frozen=True, slots=True)
class LaterCourse:
    """The next course of a party that waits, its first dish in `order`. `is_due`: all before it is carried."""

    order: Order
    course: int
    portions: int
    is_due: bool

    @property
    def table(self) -> Table:
        return self.order.table


def later_courses(orders: Iterable[Order]) -> list[LaterCourse]:
    """Return that of each party with such orders, which are oldest first: those that are due first."""
    by_session: defaultdict[UUID, list[OrderItem]] = defaultdict(list)
    for order in orders:
        if order.status in Order.OPEN:
            by_session[order.session_id] += [item for item in order.items.all() if item.remaining]
    found = []
    for items in by_session.values():
        course = min((item.course or 0 for item in items if item.waits), default=None)
        if course is not None:
            waiting = [item for item in items if item.waits and item.course == course]
            is_due = all(item.waits or item.served_at for item in items)
            found.append(LaterCourse(waiting[0].order, course, sum(item.remaining for item in waiting), is_due))
    return sorted(found, key=lambda later: (not later.is_due, later.order.created_at))
