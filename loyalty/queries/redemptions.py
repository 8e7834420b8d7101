"""Redemptions and their confirmations."""

from datetime import datetime
from uuid import UUID

from loyalty.errors import (
    ConfirmationUnknown,
    RedemptionCancelled,
    RedemptionExpired,
    RedemptionUnknown,
    RedemptionUsed,
)
from loyalty.models import Confirmation, Member, Redemption
from loyalty.queries.codes import normalized_code
from loyalty.queries.members import UNDO_WINDOW
from web.fields import is_uuid


def state_of(redemption: Redemption, now: datetime) -> str:
    """The stored status, or `expired` once its time is over, although nothing has stored that yet."""
    if redemption.status == Redemption.Status.ACTIVE and now > redemption.expires_at:
        return Redemption.Status.EXPIRED.value
    return redemption.status


def redemption(code: str) -> Redemption:
    """With its member and reward. Raises RedemptionUnknown."""
    rows = Redemption.objects.select_related("customer", "reward")
    found = rows.filter(redemption_code=normalized_code(code)).first()
    if found is None:
        raise RedemptionUnknown
    return found


def valid_redemption(code: str, *, now: datetime) -> Redemption:
    """Raises RedemptionUnknown, RedemptionUsed, RedemptionExpired, RedemptionCancelled."""
    found = redemption(code)
    state = state_of(found, now)
    if state == Redemption.Status.USED:
        raise RedemptionUsed(used_at=found.used_at)
    if state == Redemption.Status.EXPIRED:
        raise RedemptionExpired
    if state == Redemption.Status.CANCELLED:
        raise RedemptionCancelled
    return found


def is_undoable(redemption: Redemption, now: datetime) -> bool:
    """Whether it was confirmed just now, and not before that."""
    since = now - UNDO_WINDOW
    if redemption.status != Redemption.Status.USED or redemption.used_at is None or redemption.used_at <= since:
        return False
    return not redemption.confirmations.filter(undone_at=None, created_at__lte=since).exists()


def active_redemptions(member: Member, now: datetime) -> list[Redemption]:
    """What the member can still show to staff, newest first, with the rewards."""
    active = Redemption.objects.filter(customer=member).usable_at(now)
    return list(active.select_related("reward").order_by("-created_at", "-id"))


def codes_to_use(member_id: UUID, *, now: datetime) -> int:
    return Redemption.objects.filter(customer_id=member_id).usable_at(now).count()


def confirmation(confirmation_id: str) -> Confirmation:
    """With its redemption, member and reward. Raises ConfirmationUnknown."""
    rows = Confirmation.objects.select_related("redemption__customer", "redemption__reward", "location")
    found = rows.filter(pk=confirmation_id).first() if is_uuid(confirmation_id) else None
    if found is None:
        raise ConfirmationUnknown
    return found
