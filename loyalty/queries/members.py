"""Reading members, and what their cards list."""

import contextlib
import re
from datetime import datetime, timedelta

from django.db.models import Count, Exists, F, OuterRef, Value
from django.db.models.functions import Lower

from loyalty import rules
from loyalty.errors import MemberErased, MemberUnknown
from loyalty.models import Member, Notification, PointTransaction
from loyalty.search import Found
from web.fields import is_uuid

# In which staff may take back what they did themselves.
UNDO_WINDOW = timedelta(minutes=15)
EMAIL_LINK_LIFETIME = timedelta(hours=1)
CARD_ROWS = 10  # transactions and notifications on a card
SEARCH_ROWS = 20
_LATELY = 10_000  # guests whose names are read, where a text is in more names than are shown
_LAST_VISIT_FIRST = (F("last_activity_at").desc(nulls_last=True), "name", "id")


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


def search_members(text: str, *, most: int = SEARCH_ROWS) -> list[Member]:
    """By a part of name, email or phone: at most so many, most recently active first."""
    if not text or "\0" in text:
        return []
    found = Found(Member.objects.filter(erased_at=None), [text]).to_sort()
    return list(found.order_by(*_LAST_VISIT_FIRST)[:most])


def members_named(text: str) -> list[Member]:
    """Of the guests who came last, those of whose names a word begins with the text, most recently active first."""
    lately = Member.objects.filter(erased_at=None).order_by(*_LAST_VISIT_FIRST).values("pk")[:_LATELY]
    named = Member.objects.filter(pk__in=lately, name__iregex=rf"(^|\W){re.escape(text)}")
    return list(named.order_by(*_LAST_VISIT_FIRST)[:SEARCH_ROWS])


def members_by_tier() -> dict[str, int]:
    """How many have a card of each tier, without tiers that nobody has."""
    rows = Member.objects.filter(erased_at=None).order_by().values_list("tier")
    return dict(rows.annotate(number=Count("pk")))


def activity(member: Member) -> list[PointTransaction]:
    """The latest transactions, newest first, each with `reversed`: whether it was taken back."""
    rows = member.transactions.annotate(reversed=Exists(PointTransaction.reversals_of(OuterRef("pk"))))
    return list(rows.order_by("-created_at", "-id")[:CARD_ROWS])


def reversible_purchases(customer_id: str, *, user_name: str, is_manager: bool, now: datetime) -> list[str]:
    """The ids of a member's latest purchases that this user may take back."""
    rows = PointTransaction.objects.standing().purchases().filter(customer__pk=customer_id)
    if not is_manager:
        rows = rows.filter(recorded_by=user_name, created_at__gt=now - UNDO_WINDOW)
    return [str(pk) for pk in rows.order_by("-created_at", "-id").values_list("pk", flat=True)[:CARD_ROWS]]


def notifications(member: Member) -> list[Notification]:
    """The latest notifications, newest first."""
    return list(Notification.objects.filter(customer=member).order_by("-created_at", "-id")[:CARD_ROWS])


def member_count() -> int:
    return Member.objects.count()
