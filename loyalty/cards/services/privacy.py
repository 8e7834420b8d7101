"""What is stored about a member, and how they leave. See "Privacy" in docs/behaviour/loyalty.md."""

import logging
import uuid
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, cast

from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _

from loyalty.errors import MemberErased, MemberUnknown
from loyalty.members.models import Member
from loyalty.members.services.members import all_signed_out
from loyalty.messages.models import Letter, Notification
from loyalty.points.models import PointTransaction
from loyalty.rewards.models import Confirmation, Redemption
from qrservice import gateway
from web import redaction

log = logging.getLogger(__name__)

CODES_AT_ONCE = 20  # codes that an erasure waits for; `tidy` does the rest
_SHORTEST = 5  # characters of what is looked for in texts that are not the member's own

# Sent in the erasure's transaction with `person`, so that others forget them too, or nothing is erased.
member_erased = Signal()
# Sent with `member_id`: receivers return what others store about the member, as JSON by its name.
member_stored = Signal()


# --- what is stored -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stored:
    """`scans`: of the card's code, oldest first; None, with a warning, if they are not known.

    `elsewhere`: what receivers of `member_stored` know, by name.
    """

    at: datetime
    member: Member
    transactions: list[PointTransaction]
    redemptions: list[Redemption]
    notifications: list[Notification]
    letters: list[Letter]
    scans: list[gateway.ScanRecord] | None
    warnings: list[str]
    elsewhere: dict[str, Any]


def stored_about(member: Member) -> Stored:
    confirmations = Confirmation.objects.select_related("location")
    redemptions = member.redemptions.select_related("reward").prefetch_related(Prefetch("confirmations", confirmations))
    scans, warnings = _scans(member.qr_analytics_id)
    elsewhere: dict[str, Any] = {}
    for _receiver, stored in member_stored.send(sender=Member, member_id=member.pk):
        elsewhere |= cast("dict[str, Any]", stored)
    return Stored(
        at=timezone.now(),
        member=member,
        transactions=list(member.transactions.select_related("location").order_by("created_at", "pk")),
        redemptions=list(redemptions.order_by("created_at", "pk")),
        notifications=list(member.notifications.order_by("created_at", "pk")),
        letters=list(member.letters.order_by("written_at", "pk")),
        scans=scans,
        warnings=warnings,
        elsewhere=elsewhere,
    )


def _scans(analytics_id: str) -> tuple[list[gateway.ScanRecord] | None, list[str]]:
    if not analytics_id:
        return [], []
    try:
        return gateway.analytics(analytics_id=analytics_id).scans, []
    except gateway.QRServiceError as error:
        log.warning("%s: %s", type(error).__name__, error)
        return None, [str(error.sentence)]


# --- erasure --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Person:
    """Who is erased, as they were."""

    member_id: uuid.UUID
    name: str
    email: str
    phone: str

    @property
    def own_words(self) -> list[str]:
        """What no text that staff have written about this member may contain."""
        return [each for each in (self.email, self.phone, self.name) if len(each) > 2]

    @property
    def words(self) -> list[str]:
        """What no text at all may contain: a first name alone may also be a dish, or somebody else."""
        name = self.name if len(self.name.split()) > 1 else ""
        return [each for each in (self.email, self.phone, name) if len(each) >= _SHORTEST]


def erase(*, member_id: str, by: User | None = None) -> None:
    """Forget who the member is; their points stay for the reports. Locks the member's row.

    `by` is the member of staff who does it, in the admin's history.

    Their codes are disabled after the commit, as far as the code service can be reached: `forget_codes` does the rest.

    Raises MemberUnknown, MemberErased.
    """
    now = timezone.now()
    with transaction.atomic():
        member = Member.objects.select_for_update(no_key=True).filter(pk=member_id).first()
        if member is None:
            raise MemberUnknown
        if member.erased_at is not None:
            raise MemberErased
        person = Person(member.pk, member.name, member.email, member.phone)
        _erase_transactions(member, person)
        _erase_redemptions(member, person, now)
        member.notifications.all().delete()
        member.letters.all().delete()
        member_erased.send(sender=Member, person=person)
        Member.objects.filter(pk=member.pk).update(
            name=_("Erased member"),
            email=f"{uuid.uuid4().hex}@erased.invalid",  # the column is unique, and nobody can enrol with this
            phone="",
            note="",
            offers_agreed_at=None,
            signed_in_at=None,
            erased_at=now,
            **all_signed_out(),
        )
        if by is not None:
            member.refresh_from_db(fields=["name"])
            LogEntry.objects.log_actions(by.pk, [member], CHANGE, change_message=_("Erased."), single_object=True)
    forget_codes(of=member, at_most=CODES_AT_ONCE)


def _erase_transactions(member: Member, person: Person) -> None:
    """What staff have written, and what came with requests. The results of reversals and runs are numbers."""
    type_ = PointTransaction.Type
    rows = member.transactions.all()
    rows.filter(type__in=[type_.BONUS, type_.EXPIRE, type_.REVERSAL]).update(description="")
    rows.exclude(type__in=[type_.REVERSAL, type_.EXPIRE]).update(result="")
    rows.filter(idempotency_key__isnull=False).update(idempotency_key=None, request_digest="")
    redaction.redact(rows, "description", words=person.own_words)
    redaction.redact(rows, "staff_id", words=person.words)


def _erase_redemptions(member: Member, person: Person, now: datetime) -> None:
    """Rewards that were not used can't be any more."""
    status = Redemption.Status
    member.redemptions.filter(status=status.ACTIVE).update(status=status.EXPIRED)
    member.redemptions.filter(expires_at__gt=now).update(expires_at=now)
    confirmations = Confirmation.objects.filter(redemption__customer=member)
    redaction.redact(confirmations, "message", "staff_id", words=person.words)


# --- codes ----------------------------------------------------------------------------------------


def forget_codes(*, of: Member | None = None, at_most: int | None = None) -> int:
    """Disable the codes of erased members, and take from them whose they were; how many.

    Ends where the code service can't be reached. Not to be called inside a transaction.
    """
    members = Member.objects.filter(erased_at__isnull=False)
    redemptions = Redemption.objects.filter(customer__erased_at__isnull=False)
    if of is not None:
        members, redemptions = members.filter(pk=of.pk), redemptions.filter(customer=of)
    count = 0
    for rows in (members, redemptions):
        left = None if at_most is None else at_most - count
        with_code = rows.exclude(qr_analytics_id="").order_by("pk")
        for pk, analytics_id in islice(with_code.values_list("pk", "qr_analytics_id").iterator(), left):
            if not _forget_code(analytics_id):
                return count
            _without_code(rows.filter(pk=pk))
            count += 1
    return count


def _forget_code(analytics_id: str) -> bool:
    """False if the code service can't be reached."""
    try:
        gateway.update_code(
            analytics_id=analytics_id, redirect_url=f"{settings.APP_BASE_URL}/", metadata={}, status="disabled"
        )
    except gateway.UnknownCode:
        pass
    except gateway.QRServiceError as error:
        log.warning("A code of an erased card could not be disabled: %s", type(error).__name__)
        return False
    return True


def _without_code(rows: "QuerySet[Member] | QuerySet[Redemption]") -> None:
    rows.update(qr_analytics_id="", qr_code_url="", short_url="")
