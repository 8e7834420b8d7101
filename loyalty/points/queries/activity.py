"""The lines of a member's ledger that cards list."""

from datetime import datetime

from django.db.models import Exists, OuterRef

from loyalty.members.models import Member
from loyalty.members.queries import CARD_ROWS, UNDO_WINDOW
from loyalty.points.models import PointTransaction


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
