"""Recording which members were written to, to win them back. See "Member reports" in docs/behaviour/loyalty.md."""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from loyalty.members.models import Member
from loyalty.messages.models import WinBackEmail


def record(*, member_ids: Collection[UUID], offer: str, recorded_by: str) -> int:
    """Record that these members were written to just now, and return how many. Locks their rows.

    Members who were written to in the last 30 days are left out, so that a second tap records nothing; so are those
    who have not agreed to get offers, and erased members.
    """
    now = timezone.now()
    with transaction.atomic():
        agreed = Member.objects.filter(pk__in=member_ids, erased_at=None, offers_agreed_at__isnull=False)
        ids = set(agreed.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
        # A statement of its own: it sees what others have recorded while this one waited for the locks.
        recent = WinBackEmail.objects.filter(customer__in=ids, written_at__gt=now - WinBackEmail.PAUSE)
        ids -= set(recent.values_list("customer", flat=True))
        emails = [WinBackEmail(customer_id=pk, offer=offer, written_at=now, recorded_by=recorded_by) for pk in ids]
        return len(WinBackEmail.objects.bulk_create(emails))


def undo(*, member_ids: Collection[UUID]) -> int:
    """Delete what was recorded of these members in the last 24 hours, and return how many emails that were."""
    since = timezone.now() - WinBackEmail.UNDO_WINDOW
    count, _models = WinBackEmail.objects.filter(customer__in=member_ids, written_at__gt=since).delete()
    return count
