"""Members who stopped coming, and were written to."""

from datetime import datetime, timedelta, tzinfo

from config.demo import hours
from config.demo.ledger import MANAGER, Ledger
from loyalty.models import Letter, Member, PointTransaction
from loyalty.reports.re_engagement import LEAST_POINTS, SINCE, UNTIL

_ENOUGH_POINTS = 500  # to be reminded of them
# How many days ago, with which offer, and to how many.
_LETTERS = ((21, Letter.Offer.REMINDER, 24), (12, Letter.Offer.DISCOUNT, 13))


def write(book: Ledger, zone: tzinfo) -> None:
    """Write to those with the most points, and first to those who came back since, so that there is a result."""
    today = book.now.astimezone(zone).date()
    for days_ago, offer, count in _LETTERS:
        at = hours.at(today - timedelta(days=days_ago), 10.5, zone)
        away = [member for member, last in _last_seen(book, at).items() if at - SINCE <= last <= at - UNTIL]
        suited = [member for member in away if _suits(member, offer)]
        came = {member for member, last in _last_seen(book, book.now).items() if last > at}
        suited.sort(key=lambda member: (member not in came, -member.lifetime_points, member.email))
        book.letters += [
            Letter(customer=member, offer=offer, written_at=at, recorded_by=MANAGER) for member in suited[:count]
        ]


def _suits(member: Member, offer: Letter.Offer) -> bool:
    is_reminded = member.points_balance >= _ENOUGH_POINTS
    is_meant = is_reminded == (offer == Letter.Offer.REMINDER)
    return is_meant and member.offers_agreed_at is not None and member.lifetime_points >= LEAST_POINTS


def _last_seen(book: Ledger, at: datetime) -> dict[Member, datetime]:
    """Return when members had earned points last by then."""
    earned = [row for row in book.transactions if row.type == PointTransaction.Type.EARN]
    return {row.customer: row.created_at for row in earned if row.created_at < at}
