"""What rewards of guests' cards take off a bill."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from restaurant.billing import queries
from restaurant.billing.models import Adjustment
from restaurant.billing.queries.chosen import Chosen
from restaurant.billing.services import adjustments
from restaurant.errors import SessionUnknown
from restaurant.ordering.models import TableCall, TableSession
from restaurant.ordering.queries.sessions import session_of_staff
from restaurant.ordering.services import sessions


def use(
    *, code: str, name: str, value: Any, table_number: int | None, session_id: str | None, user: Any, is_used: bool
) -> tuple[TableSession, Adjustment | None]:
    """Take a reward off the bill, and return the session and what it has become; None where it takes nothing off.

    A code takes something off once: again at the same bill, it is what it took off. A call with it is done. Raises
    TableUnknown, SessionUnknown.
    """
    with transaction.atomic():
        session = sessions.lock(**_named(table_number, session_id)).session
        calls = TableCall.objects.filter(session=session, code=code, done_at=None)
        calls.update(done_at=timezone.now(), done_by=user.get_username())
        standing = Adjustment.objects.filter(redemption_code=code, voided_at=None).first()
        if standing is not None or is_used:
            return session, standing if standing and standing.session_id == session.pk else None
        percent, item = queries.reward_on_bill(session, value)
        if percent is None and item is None:
            return session, None
        adjustment = adjustments.adjust(
            table_number=session.table.table_number,
            session_id=str(session.pk),
            kind=Adjustment.Kind.DISCOUNT if percent else Adjustment.Kind.COMP,
            percent=percent,
            items=[Chosen(str(item.order_id), item.position, 1)] if item else [],
            reason=Adjustment.Reason.PROMOTION,
            user=user,
            reward=name,
            redemption_code=code,
        )
    return adjustment.session, adjustment


def _named(table_number: int | None, session_id: str | None) -> dict[str, Any]:
    """Return the table and the session, where one of the two was named. Raises TableUnknown, SessionUnknown."""
    if table_number is None:
        session = TableSession.objects.select_related("table").filter(pk__in=[session_id]).first()
        if session is None:
            raise SessionUnknown
        return {"table_number": session.table.table_number, "session_id": session_id}
    return {"table_number": table_number, "session_id": session_id or str(session_of_staff(table_number, None).pk)}
