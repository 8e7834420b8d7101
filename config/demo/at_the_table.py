"""Points that members earn by ordering at a table."""

from datetime import datetime, timedelta

from config.demo import chance, ledger, showcase
from config.demo.visits import Diary
from loyalty.models import Location, Member

_SINCE = timedelta(days=10)  # tables earn points
_SHARE = 0.3  # of the orders
_APART = timedelta(hours=12)  # from the member's last visit
_REGULAR = timedelta(days=28)


def collect_some(diary: Diary, book: ledger.Ledger, location: Location) -> None:
    """Award points for some orders of the last days, and prepare one whose table is still open.

    Must be called last: the members have done nothing since.
    """
    rng = chance.stream("points from the table")
    by_guests = [order for order in diary.orders if order.completed_at and not order.placed_by]
    ended = [(order.session.ended_at, order) for order in by_guests if order.session.ended_at]
    for ended_at, order in sorted(ended, key=lambda pair: (pair[0], pair[1].created_at)):
        members = _members(book, now=order.session.started_at) if ended_at > diary.now - _SINCE else []
        if members and rng.random() < _SHARE:
            member = rng.choice(members)
            order.collector, order.collected_at = str(member.pk), ended_at
            order.points_collected = ledger.collect(
                book, member, order_id=order.pk, total=order.total, location=location, at=ended_at
            )
    waiting = next(order for order in diary.orders if not order.session.ended_at and not order.completed_at)
    waiting.collector = str(rng.choice(_members(book, now=diary.now) or book.members).pk)


def _members(book: ledger.Ledger, *, now: datetime) -> list[Member]:
    """Return regular members who have not come today."""
    active = [(member.last_activity_at, member) for member in book.members if member.name != showcase.NAME]
    return [member for at, member in active if at and now - _REGULAR < at < now - _APART]
