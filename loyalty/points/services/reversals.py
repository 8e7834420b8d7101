"""Taking back what the ledger has: the row stays, and one of type `reversal` names it."""

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
from loyalty.errors import MemberErased, NotAPurchase, NotYoursToTakeBack, TransactionUnknown
from loyalty.members import queries as members_queries
from loyalty.members.models import Member
from loyalty.points import queries
from loyalty.points.models import PointTransaction
from loyalty.points.services import expiry
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

    @property
    def sentence(self) -> str:
        """For staff."""
        words = {name: getattr(self, name) for name in ("taken", "missing", "expired", "balance")}
        parts = [ngettext("%(taken)d point taken back.", "%(taken)d points taken back.", self.taken)]
        if self.missing:
            parts.append(_("%(missing)d had been spent already."))
        if self.expired:
            parts.append(_("%(expired)d had expired already."))
        parts.append(_("New balance: %(balance)d."))
        return " ".join(parts) % words


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
        member = Member.objects.select_for_update(no_key=True).get(pk=row.customer_id)
        if member.erased_at is not None:
            raise MemberErased
        if row.type != PointTransaction.Type.EARN or row.order_total is None:
            raise NotAPurchase
        earlier = PointTransaction.reversals_of(row).first()
        _check_may(
            row, recorded_by, is_manager=is_manager, since=None if earlier else now - members_queries.UNDO_WINDOW
        )
        return _result_of(earlier) if earlier else _take_back(row, member, note=note, recorded_by=recorded_by, now=now)


def _check_may(row: PointTransaction, user_name: str, *, is_manager: bool, since: datetime | None) -> None:
    is_own = row.recorded_by == user_name and (since is None or row.created_at > since)
    if not is_manager and not is_own:
        raise NotYoursToTakeBack


def _result_of(row: PointTransaction) -> Reversal:
    return Reversal(row.customer_id, **json.loads(row.result))


def _take_back(row: PointTransaction, member: Member, *, note: str, recorded_by: str, now: datetime) -> Reversal:
    expired = expiry.expired_of(row)
    taken = min(row.points - expired, member.points_balance)
    lifetime = member.lifetime_points - row.points
    result = Reversal(
        customer_id=member.pk,
        taken=taken,
        missing=row.points - expired - taken,
        balance=member.points_balance - taken,
        tier=rules.tier_of(lifetime, queries.programme()),
        expired=expired,
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
    stored = {name: value for name, value in asdict(result).items() if name != "customer_id"}
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
    """The ledger's row. The caller holds the member's lock, and has changed the balance."""
    PointTransaction.objects.create(
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
