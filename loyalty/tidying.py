"""Deleting notifications that were mailed long ago, addresses that nobody confirmed, and codes of erased cards.

See "Tidying" in docs/behaviour/common.md.
"""

from datetime import date, datetime, timedelta

from loyalty.cards.services import privacy
from loyalty.members.models import Member
from loyalty.messages.models import Notification
from loyalty.points.services import sums
from loyalty.rules import LINK_LIFETIME
from web import tidying

RETENTION = timedelta(days=90)


def tidy(*, now: datetime, sums_since: date | None = None) -> dict[str, int]:
    """Return how many were deleted, by name. Days since `sums_since` are summed up again."""
    return {
        "days of points summed up for reports": sums.sum_up(now=now, again_since=sums_since),
        "mailed notifications": tidying.delete(Notification.objects.filter(sent_at__lt=now - RETENTION)),
        "addresses that were not confirmed": _forget_unconfirmed(now),
        "codes of erased cards": privacy.forget_codes(),
    }


def _forget_unconfirmed(now: datetime) -> int:
    late = Member.objects.filter(new_email_asked_at__lt=now - LINK_LIFETIME)
    return late.update(new_email="", new_email_asked_at=None)
