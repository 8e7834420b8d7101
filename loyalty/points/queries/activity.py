"""The transactions of a member that cards list."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from loyalty.members.models import Member
from loyalty.points.models import MultipliedPoints, PointTransaction, Programme
from loyalty.rules import CARD_ROWS, UNDO_WINDOW

SOON = timedelta(hours=1)  # redeemed and given back within it: one line


def activity(member: Member) -> list[Any]:
    """Return the latest transactions, newest first, each with `reversed`: whether it was taken back."""
    rows = member.transactions.annotate(reversed=Exists(PointTransaction.reversals_of(OuterRef("pk"))))
    rows = rows.select_related("location", "reverses__location")
    return list(rows.order_by("-created_at", "-id")[:CARD_ROWS])


@dataclass(frozen=True, slots=True)
class Line:
    """A transaction as the member's card shows it. `is_undone`: nothing is left of its points."""

    transaction: PointTransaction
    created_at: datetime
    is_undone: bool
    multiplied: MultipliedPoints | None

    @property
    def size(self) -> int:
        return abs(self.transaction.points)

    @property
    def description(self) -> str:
        """The description for the member, who has given back what the ledger calls cancelled."""
        description, cancelled = self.transaction.local_description, _("Cancelled: %(reward)s") % {"reward": ""}
        if self.transaction.type == PointTransaction.Type.REVERSAL and description.startswith(cancelled):
            return _("Given back: %(reward)s") % {"reward": description.removeprefix(cancelled)}
        return description


def lines_of_card(transactions: list[PointTransaction], programme: Programme) -> list[Line]:
    """Return a line for each transaction, the latest first.

    A reward that was given back soon is one line for both, at the time of the later one, which comes first.
    """
    redeemed = {row.pk: row for row in transactions if row.type == PointTransaction.Type.REDEEM}
    given_back: set[UUID] = set()
    lines = []
    for row in transactions:
        first = redeemed.get(row.reverses_id) if row.reverses_id else None
        if first is not None and row.created_at - first.created_at <= SOON:
            given_back.add(first.pk)
            lines.append(Line(first, row.created_at, is_undone=True, multiplied=None))
        elif row.pk not in given_back:
            multiplied = None
            if row.type == PointTransaction.Type.EARN and row.order_total is not None:
                multiplied = programme.multiplied_points(row.points, row.order_total)
            lines.append(Line(row, row.created_at, is_undone=False, multiplied=multiplied))
    return lines


def reversible_purchases(member: Member, *, user_name: str, is_manager: bool, now: datetime) -> list[UUID]:
    """Return the ids of a member's latest purchases that this user may take back."""
    rows = PointTransaction.objects.standing().purchases().filter(customer=member)
    if not is_manager:
        rows = rows.filter(recorded_by=user_name, created_at__gt=now - UNDO_WINDOW)
    return list(rows.order_by("-created_at", "-id").values_list("pk", flat=True)[:CARD_ROWS])
