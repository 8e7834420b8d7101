"""Rewards that staff hand out, and undoing that."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from loyalty.errors import CancelledMeanwhile, LocationUnknown, NotUndoable
from loyalty.members.queries import local_text
from loyalty.points.models import Location
from loyalty.restaurant import OnBill, restaurant
from loyalty.rewards.models import Confirmation, Redemption
from loyalty.rewards.queries.redemptions import is_undoable, state_of
from loyalty.rewards.services.redemptions import locked_redemption
from web import journal


@dataclass(frozen=True, slots=True)
class Bill:
    """The bill that a reward is for, by its table, its session or both."""

    table_number: int | None
    session_id: str | None


def confirm(
    *,
    code: str,
    staff_id: str = "",
    location_id: str | None = None,
    tap: str | None = None,
    recorded_by: str | None = None,
    bill: Bill | None = None,
    user: Any = None,
) -> Confirmation:
    """Mark a redemption used, and record who did so. Only one that was cancelled is refused.

    Locks the redemption's row.

    `staff_id` is whom the request names, `recorded_by` the user who was signed in.

    Of several tills exactly one gets the confirmation of an active redemption. The same `tap` (a double tap on one
    form) returns the same confirmation. What it gives is taken off the `bill` in the same transaction, by `user`; see
    `applied` and the message. Raises RedemptionUnknown, CancelledMeanwhile, LocationUnknown, and the errors of
    `Restaurant.use_reward`.
    """
    try:
        with transaction.atomic():
            values = {"staff_id": staff_id, "location_id": location_id, "recorded_by": recorded_by}
            return _confirm(code, tap, bill, user, **values)
    except IntegrityError as error:  # the location was deleted meanwhile
        raise LocationUnknown from error


def _confirm(code: str, tap: str | None, bill: Bill | None, user: Any, **values: Any) -> Confirmation:
    now = timezone.now()
    redemption = locked_redemption(code)
    if redemption.status == Redemption.Status.CANCELLED:
        raise CancelledMeanwhile
    confirmation_id, earlier = _id_of_tap(redemption, tap)
    state = state_of(redemption, now)
    applied, sentence = _apply(redemption, bill, user, is_used=state == Redemption.Status.USED) if bill else (None, "")
    if earlier is not None:
        earlier.applied = applied
        return earlier
    location_id = values["location_id"]
    if location_id is not None and not Location.objects.filter(pk=location_id).exists():
        raise LocationUnknown
    confirmation = Confirmation.objects.create(
        pk=confirmation_id,
        redemption=redemption,
        **values,
        found=state,
        message=". ".join(filter(None, [confirmation_message(redemption, state), sentence])),
        created_at=now,
    )
    confirmation.applied = applied
    redemption.status, redemption.used_at = Redemption.Status.USED, now
    redemption.save(update_fields=["status", "used_at"])
    journal.write("reward_used", redemption.pk, by=values["recorded_by"], found=state, location=location_id)
    return confirmation


def _apply(redemption: Redemption, bill: Bill, user: Any, *, is_used: bool) -> tuple[OnBill | None, str]:
    return restaurant().use_reward(
        code=redemption.redemption_code,
        name=redemption.reward.name,
        value=redemption.reward.reward_value,
        table_number=bill.table_number,
        session_id=bill.session_id,
        user=user,
        is_used=is_used,
    )


def _id_of_tap(redemption: Redemption, tap: str | None) -> tuple[uuid.UUID, Confirmation | None]:
    """Return an id that follows from the tap, and its confirmation if the same form was sent before.

    A form that is sent again after its confirmation was undone confirms again.
    """
    if not tap:
        return uuid.uuid4(), None
    while True:
        confirmation_id = uuid.uuid5(redemption.pk, tap)
        earlier = Confirmation.objects.filter(pk=confirmation_id).first()
        if earlier is None or earlier.undone_at is None:
            return confirmation_id, earlier
        tap = str(confirmation_id)


def undo(*, code: str, recorded_by: str) -> Redemption:
    """Make a redemption active again that was confirmed just now, and put back on the bill what it took off.

    Locks the redemption's row. A repeat does nothing.

    Raises RedemptionUnknown, NotUndoable.
    """
    now = timezone.now()
    with transaction.atomic():
        redemption = locked_redemption(code)
        confirmations = redemption.confirmations.all()
        if redemption.status == Redemption.Status.ACTIVE and confirmations.exists():
            return redemption  # undone already
        if not is_undoable(redemption, now):
            raise NotUndoable
        confirmations.filter(undone_at=None).update(undone_at=now, undone_by=recorded_by)
        restaurant().take_back_reward(code=redemption.redemption_code, by=recorded_by)
        redemption.status, redemption.used_at = Redemption.Status.ACTIVE, None
        redemption.save(update_fields=["status", "used_at"])
        journal.write("reward_returned", redemption.pk, by=recorded_by)
    return redemption


def confirmation_message(redemption: Redemption, state: str) -> str:
    """Return the message for staff. `state` and `used_at` are those before the confirmation."""
    values = {"reward": redemption.reward.name, "time": local_text(redemption.used_at)}
    if state == Redemption.Status.USED:
        return _("Attention: this code was already used on %(time)s. It was for: %(reward)s") % values
    if state == Redemption.Status.EXPIRED:
        values["time"] = local_text(redemption.expires_at)
        return _("Attention: this code expired on %(time)s. It was for: %(reward)s") % values
    return _("Confirmed: %(reward)s") % values
