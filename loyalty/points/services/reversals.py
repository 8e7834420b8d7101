"""Taking back transactions: the row stays, and one of type `reversal` names it."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from loyalty import rules
from loyalty.errors import NotAPurchase, NotYoursToTakeBack, TransactionUnknown
from loyalty.members.models import Member
from loyalty.members.services.members import locked_member
from loyalty.points.models import PointTransaction
from loyalty.points.queries.programme import current_programme
from loyalty.points.services.expiry import expired_points_of
from web.fields import is_uuid


@dataclass(frozen=True, slots=True)
class Reversal:
    """`taken` left the balance; `missing` had been spent already, `expired` had expired.

    Balance and tier are those after it.
    """

    customer_id: UUID
    taken: int
    missing: int
    balance: int
    tier: str
    expired: int = 0
    note: str = ""

    @property
    def sentence(self) -> str:
        """The message for staff."""
        sentences = [ngettext("%(taken)d point taken back.", "%(taken)d points taken back.", self.taken)]
        if self.missing:
            sentences.append(_("%(missing)d had been spent already."))
        if self.expired:
            sentences.append(_("%(expired)d had expired already."))
        sentences.append(_("New balance: %(balance)d."))
        return " ".join(sentences) % asdict(self)


def take_back_purchase(*, transaction_id: str, note: str, recorded_by: str, is_manager: bool) -> Reversal:
    """Take back the points for a purchase, as if it had not been. Locks the member's row.

    `recorded_by` is who is signed in: managers may take back every purchase, others what they entered themselves
    within UNDO_WINDOW. A repeat returns the first call's result. A tier that is lost with it is not notified.

    Raises TransactionUnknown, MemberErased, NotAPurchase, NotYoursToTakeBack.
    """
    now = timezone.now()
    with transaction.atomic():
        row = PointTransaction.objects.filter(pk=transaction_id).first() if is_uuid(transaction_id) else None
        if row is None:
            raise TransactionUnknown
        member = locked_member(row.customer_id)
        row.customer_id = member.pk  # cards may have been merged meanwhile
        if not row.is_purchase:
            raise NotAPurchase
        earlier = PointTransaction.reversals_of(row).first()
        is_in_time = earlier is not None or row.created_at > now - rules.UNDO_WINDOW
        if not is_manager and not (row.recorded_by == recorded_by and is_in_time):
            raise NotYoursToTakeBack
        if earlier is not None:
            return Reversal(row.customer_id, **json.loads(earlier.result))
        return _take_back(row, member, note=note, recorded_by=recorded_by, now=now)


def _take_back(row: PointTransaction, member: Member, *, note: str, recorded_by: str, now: datetime) -> Reversal:
    expired = expired_points_of(row)
    taken = min(row.points - expired, member.points_balance)
    result = Reversal(
        customer_id=member.pk,
        taken=taken,
        missing=row.points - expired - taken,
        balance=member.points_balance - taken,
        tier=current_programme().tier_of(member.lifetime_points - row.points),
        expired=expired,
        note=note,
    )
    awards = member.transactions.standing().filter(type=PointTransaction.Type.EARN).exclude(pk=row.pk)
    Member.objects.filter(pk=member.pk).update(
        points_balance=F("points_balance") - taken,
        lifetime_points=F("lifetime_points") - row.points,
        awards=F("awards") - 1,
        spend=F("spend") - row.order_total,
        tier=result.tier,
        last_activity_at=awards.aggregate(latest=Max("created_at"))["latest"],
    )
    description = _("Taken back: %(what)s") % {"what": row.description}
    stored = asdict(result)
    del stored["customer_id"]  # the row has it
    write_reversal(
        row,
        points=-taken,
        description=f"{description} ({note})" if note else description,
        recorded_by=recorded_by,
        result=stored,
        now=now,
    )
    return result


def write_reversal(
    row: PointTransaction,
    *,
    points: int,
    description: str,
    recorded_by: str | None,
    result: dict[str, Any],
    now: datetime,
) -> None:
    """Write the reversal of a row. The caller holds the member's lock, and has changed the balance."""
    reversal = PointTransaction.objects.create(
        customer_id=row.customer_id,
        type=PointTransaction.Type.REVERSAL,
        points=points,
        description=description,
        order_total=None if row.order_total is None else -row.order_total,
        staff_id=recorded_by or "",
        recorded_by=recorded_by,
        reverses=row,
        created_at=now,
        result=json.dumps(result),
    )
    reversal.entry.save()
