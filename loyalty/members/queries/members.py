"""Reading members."""

import contextlib
from datetime import datetime, timedelta

from django.db.models import Count, Value
from django.db.models.functions import Lower

from loyalty import rules
from loyalty.errors import MemberErased, MemberUnknown
from loyalty.members.models import Member
from web.fields import is_uuid

# In which staff may take back what they did themselves.
UNDO_WINDOW = timedelta(minutes=15)
EMAIL_LINK_LIFETIME = timedelta(hours=1)
CARD_ROWS = 10  # transactions and notifications on a card


def member(member_id: str) -> Member:
    """Raises MemberUnknown, also for a malformed id, and MemberErased."""
    found = member_or_erased(member_id)
    if found.erased_at is not None:
        raise MemberErased
    return found


def member_or_erased(member_id: str) -> Member:
    """Raises MemberUnknown."""
    found = Member.objects.filter(pk=member_id).first() if is_uuid(member_id) else None
    if found is None:
        raise MemberUnknown
    return found


def member_by_email(email: str) -> Member | None:
    """Regardless of case, as the unique index compares. `email` may be anything."""
    with contextlib.suppress(ValueError):
        email = rules.mailbox(email)
    return Member.objects.alias(lower_email=Lower("email")).filter(lower_email=Lower(Value(email))).first()


def unconfirmed_email(member: Member, *, now: datetime) -> str:
    """To which a link was mailed that still works; empty where there is none."""
    asked_at = member.new_email_asked_at
    return member.new_email if asked_at is not None and asked_at > now - EMAIL_LINK_LIFETIME else ""


def members_by_tier() -> dict[str, int]:
    """How many have a card of each tier, without tiers that nobody has."""
    rows = Member.objects.filter(erased_at=None).order_by().values_list("tier")
    return dict(rows.annotate(number=Count("pk")))


def member_count() -> int:
    return Member.objects.count()
