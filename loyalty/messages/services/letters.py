"""Who was written to, to win them back. See "Member reports" in docs/behaviour/loyalty.md."""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from loyalty.members.models import Member
from loyalty.messages.models import Letter


def note(*, member_ids: Collection[UUID], offer: str, recorded_by: str) -> int:
    """Note that these members were written to just now; how many. Locks their rows.

    Who was written to in the last 30 days is left out, so that a second tap notes nothing; so are those who have not
    agreed to get offers, and erased members.
    """
    now = timezone.now()
    with transaction.atomic():
        agreed = Member.objects.filter(pk__in=member_ids, erased_at=None, offers_agreed_at__isnull=False)
        ids = set(agreed.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
        # A statement of its own: it sees what others have noted while this one waited for the locks.
        lately = Letter.objects.filter(customer__in=ids, written_at__gt=now - Letter.REST)
        ids -= set(lately.values_list("customer", flat=True))
        letters = [Letter(customer_id=each, offer=offer, written_at=now, recorded_by=recorded_by) for each in ids]
        return len(Letter.objects.bulk_create(letters))


def undo(*, member_ids: Collection[UUID]) -> int:
    """Delete what was noted of these members in the last 24 hours; how many letters."""
    lately = Letter.objects.filter(customer__in=member_ids, written_at__gt=timezone.now() - Letter.UNDO_WINDOW)
    count, _models = lately.delete()
    return count
