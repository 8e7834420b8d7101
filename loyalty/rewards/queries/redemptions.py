"""Redemptions and their confirmations."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth import get_user_model

from loyalty.errors import (
    ConfirmationUnknown,
    RedemptionCancelled,
    RedemptionExpired,
    RedemptionUnknown,
    RedemptionUsed,
)
from loyalty.members.models import Member
from loyalty.points.models import Location
from loyalty.rewards.models import Confirmation, Redemption
from loyalty.rules import UNDO_WINDOW
from web.fields import is_uuid


def normalized_code(code: str) -> str:
    """Return a redemption code as it is stored: case and surrounding space don't matter."""
    return code.strip().upper().replace("\0", "")


def state_of(redemption: Redemption, now: datetime) -> str:
    """Return the stored status, or `expired` once its time is over, although nothing has stored that yet."""
    if redemption.status == Redemption.Status.ACTIVE and now > redemption.expires_at:
        return Redemption.Status.EXPIRED.value
    return redemption.status


def redemption_by_code(code: str) -> Redemption:
    """Return it with its member and reward. Raises RedemptionUnknown."""
    rows = Redemption.objects.select_related("customer", "reward")
    redemption = rows.filter(redemption_code=normalized_code(code)).first()
    if redemption is None:
        raise RedemptionUnknown
    return redemption


def valid_redemption(code: str, *, now: datetime) -> Redemption:
    """Raises RedemptionUnknown, RedemptionUsed, RedemptionExpired, RedemptionCancelled."""
    redemption = redemption_by_code(code)
    state = state_of(redemption, now)
    if state == Redemption.Status.USED:
        raise RedemptionUsed(used_at=redemption.used_at)
    if state == Redemption.Status.EXPIRED:
        raise RedemptionExpired
    if state == Redemption.Status.CANCELLED:
        raise RedemptionCancelled
    return redemption


def is_undoable(redemption: Redemption, now: datetime) -> bool:
    """Return whether it was confirmed just now, and not before that."""
    since = now - UNDO_WINDOW
    if redemption.status != Redemption.Status.USED or redemption.used_at is None or redemption.used_at <= since:
        return False
    return not redemption.confirmations.filter(undone_at=None, created_at__lte=since).exists()


@dataclass(frozen=True, slots=True)
class HandedOut:
    """The location where a reward was last handed out, and by whom: a first name where there is one."""

    location: Location | None
    staff_id: str
    by: str


def handed_out(redemption: Redemption) -> HandedOut | None:
    """Return None for a redemption that nobody has confirmed, or whose confirmations were undone."""
    rows = redemption.confirmations.filter(undone_at=None).select_related("location")
    latest = rows.order_by("-created_at").first()
    if latest is None:
        return None
    staff = get_user_model().objects.filter(username=latest.staff_id).first() if latest.staff_id else None
    return HandedOut(latest.location, latest.staff_id, (staff and staff.get_short_name()) or latest.staff_id)


def active_redemptions(member: Member | UUID, now: datetime) -> list[Redemption]:
    """Return what the member can still show to staff, newest first, with the rewards."""
    active = Redemption.objects.filter(customer=member).usable_at(now)
    return list(active.select_related("reward").order_by("-created_at", "-id"))


def by_reward(redemptions: Iterable[Redemption]) -> dict[str, list[Redemption]]:
    """Return the redemptions by their reward's id; of each reward the one that ends first comes first."""
    codes: dict[str, list[Redemption]] = {}
    for redemption in sorted(redemptions, key=lambda redemption: redemption.expires_at):
        codes.setdefault(str(redemption.reward_id), []).append(redemption)
    return codes


def confirmation_by_id(confirmation_id: str) -> Confirmation:
    """Return it with its redemption, member and reward. Raises ConfirmationUnknown."""
    rows = Confirmation.objects.select_related("redemption__customer", "redemption__reward", "location")
    confirmation = rows.filter(pk=confirmation_id).first() if is_uuid(confirmation_id) else None
    if confirmation is None:
        raise ConfirmationUnknown
    return confirmation
