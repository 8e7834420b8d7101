"""Reading members, and times for sentences by this installation's clock."""

from contextlib import suppress
from datetime import datetime

from django.db.models import Value
from django.db.models.functions import Lower
from django.utils import timezone

from loyalty import rules
from loyalty.errors import MemberErased, MemberUnknown
from loyalty.members.models import Member
from web.fields import is_uuid
from web.templatetags.moments import whole_moment
from web.templatetags.money import clock


def member_by_id(member_id: str) -> Member:
    """Raises MemberUnknown, also for a malformed id, and MemberErased."""
    member = member_or_erased(member_id)
    if member.erased_at is not None:
        raise MemberErased
    return member


def member_or_erased(member_id: str) -> Member:
    """Raises MemberUnknown."""
    member = Member.objects.filter(pk=member_id).first() if is_uuid(member_id) else None
    if member is None:
        raise MemberUnknown
    return member.holder


def member_by_email(email: str) -> Member | None:
    """Compare regardless of case, as the unique index does. `email` may be anything."""
    with suppress(ValueError):
        email = rules.mailbox(email)
    members = Member.objects.alias(lower_email=Lower("email")).exclude(email="")
    member = members.filter(lower_email=Lower(Value(email))).first()
    return member and member.holder


def unconfirmed_email(member: Member, *, now: datetime) -> str:
    """Return the address to which a link was mailed that still works; empty where there is none."""
    asked_at = member.new_email_asked_at
    return member.new_email if asked_at is not None and asked_at > now - rules.LINK_LIFETIME else ""


def local_text(moment: datetime | None) -> str:
    """Return day and time of day in this installation's time zone, for a sentence."""
    return whole_moment(moment) if moment else "?"


def is_today(moment: datetime, *, now: datetime) -> bool:
    return timezone.localdate(moment) == timezone.localdate(now)


def local_text_today(moment: datetime, *, now: datetime) -> str:
    """Return the time of day alone for a moment of today, else `local_text`."""
    return clock(moment) if is_today(moment, now=now) else local_text(moment)
