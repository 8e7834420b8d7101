"""Everything that is stored about a member, and erasing it. See "Privacy" in docs/behaviour/loyalty.md."""

import json
import logging
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from operator import attrgetter
from typing import Any, cast

from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Prefetch, Q, prefetch_related_objects
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _

from loyalty.members.models import Member
from loyalty.members.services.members import all_signed_out, locked_member
from loyalty.points.models import PointTransaction
from loyalty.rewards.models import Confirmation, Redemption
from qrservice import gateway
from web import redaction

log = logging.getLogger(__name__)

CODES_AT_ONCE = 20  # codes that an erasure waits for; `tidy` does the rest
_SHORTEST = 5  # characters of a detail that is redacted in texts that are not the member's own

# Sent in the erasure's transaction with `person`, so that others forget them too, or nothing is erased.
member_erased = Signal()
# Sent with `member_id`: receivers return what others store about the member, as JSON by its name.
member_stored = Signal()


# --- what is stored -------------------------------------------------------------------------------


def stored_about(member: Member) -> dict[str, Any]:
    """Return everything that is stored about a member, by name.

    `scans` are those of the card's codes, oldest first; None, with a warning, if they are not known. `elsewhere` is
    what receivers of `member_stored` know, by name.
    """
    confirmations = Confirmation.objects.select_related("location")
    redemptions = member.redemptions.select_related("reward").prefetch_related(Prefetch("confirmations", confirmations))
    prefetch_related_objects([member], "merged")
    scans, warnings = _scans(card.qr_analytics_id for card in (member, *member.merged.all()))
    elsewhere: dict[str, Any] = {}
    for _receiver, stored in member_stored.send(sender=Member, member_id=member.pk):
        elsewhere |= cast("dict[str, Any]", stored)
    return {
        "at": timezone.now(),
        "member": member,
        "transactions": member.transactions.select_related("location").order_by("created_at", "pk"),
        "redemptions": redemptions.order_by("created_at", "pk"),
        "notifications": member.notifications.order_by("created_at", "pk"),
        "win_back_emails": member.win_back_emails.order_by("written_at", "pk"),
        "scans": scans,
        "warnings": warnings,
        "elsewhere": elsewhere,
    }


def _scans(codes: Iterable[str]) -> tuple[list[gateway.ScanRecord] | None, list[str]]:
    try:
        scans = [scan for code in codes if code for scan in gateway.analytics(analytics_id=code).scans]
        return sorted(scans, key=attrgetter("scanned_at")), []
    except gateway.QRServiceError as error:
        log.warning("%s: %s", type(error).__name__, error)
        return None, [str(error.sentence)]


# --- erasure --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Person:
    """A member who is erased, as they were."""

    member_id: uuid.UUID
    name: str
    email: str
    phone: str

    @property
    def details(self) -> list[str]:
        """Details that no text which staff have written about this member may contain."""
        return [detail for detail in (self.email, self.phone, self.name) if len(detail) > 2]

    @property
    def distinctive_details(self) -> list[str]:
        """Details that no text at all may contain: a first name alone may also be a dish, or somebody else."""
        name = self.name if len(self.name.split()) > 1 else ""
        return [detail for detail in (self.email, self.phone, name) if len(detail) >= _SHORTEST]


def erase(*, member_id: str, by: User | None = None) -> None:
    """Erase the member's details; the points remain for the reports. Locks the member's row.

    `by` is the member of staff who does it, in the admin's history.

    Their codes are disabled after the commit, as far as the code service can be reached: `forget_codes` does the rest.

    Raises MemberUnknown, MemberErased.
    """
    now = timezone.now()
    with transaction.atomic():
        list(Member.objects.select_for_update(no_key=True).filter(merged_into__pk=member_id).order_by("pk"))
        member = locked_member(member_id)
        member.notifications.all().delete()
        member.win_back_emails.all().delete()
        for card in (member, *member.merged.all()):
            _erase_card(card, member, now)
        if by is not None:
            member.refresh_from_db(fields=["name"])
            LogEntry.objects.log_actions(by.pk, [member], CHANGE, change_message=_("Erased."), single_object=True)
    forget_codes(of=member, at_most=CODES_AT_ONCE)


def _erase_card(card: Member, member: Member, now: datetime) -> None:
    """Erase what a card says of its member: theirs, or one that was merged into it."""
    person = Person(card.pk, card.name, card.email, card.phone)
    _erase_transactions(member, person)
    _erase_redemptions(member, person, now)
    member_erased.send(sender=Member, person=person)
    Member.objects.filter(pk=card.pk).update(
        name=_("Erased member"),
        email=f"{uuid.uuid4().hex}@erased.invalid",  # the column is unique, and nobody can enrol with this
        phone="",
        note="",
        language="",
        offers_agreed_at=None,
        signed_in_at=None,
        erased_at=now,
        **all_signed_out(),
    )


def _erase_transactions(member: Member, person: Person) -> None:
    """Erase what staff have written, and what came with requests. Of the results of reversals and runs numbers stay."""
    type_ = PointTransaction.Type
    rows = member.transactions.all()
    rows.filter(type__in=[type_.BONUS, type_.EXPIRE, type_.REVERSAL]).update(description="")
    rows.exclude(type__in=[type_.REVERSAL, type_.EXPIRE]).update(result="")
    for row in rows.filter(type=type_.REVERSAL, result__contains='"note"'):
        numbers = {name: value for name, value in json.loads(row.result).items() if name != "note"}
        rows.filter(pk=row.pk).update(result=json.dumps(numbers))
    rows.filter(idempotency_key__isnull=False).update(idempotency_key=None, request_digest="")
    redaction.redact(rows, "description", words=person.details)
    redaction.redact(rows, "staff_id", words=person.distinctive_details)


def _erase_redemptions(member: Member, person: Person, now: datetime) -> None:
    """Expire rewards that were not used, and redact the confirmations of the others."""
    status = Redemption.Status
    member.redemptions.filter(status=status.ACTIVE).update(status=status.EXPIRED)
    member.redemptions.filter(expires_at__gt=now).update(expires_at=now)
    confirmations = Confirmation.objects.filter(redemption__customer=member)
    redaction.redact(confirmations, "message", "staff_id", words=person.distinctive_details)


# --- codes ----------------------------------------------------------------------------------------


def forget_codes(*, of: Member | None = None, at_most: int | None = None) -> int:
    """Disable the codes of erased members, and take from them whose they were. Return how many.

    Ends where the code service can't be reached. Not to be called inside a transaction.
    """
    # A card that was merged leads to the one which was kept, until that is erased.
    gone = Q(merged_into=None) | Q(merged_into__erased_at__isnull=False)
    members = Member.objects.filter(gone, erased_at__isnull=False)
    redemptions = Redemption.objects.filter(customer__erased_at__isnull=False)
    if of is not None:
        members, redemptions = members.filter(Q(pk=of.pk) | Q(merged_into=of)), redemptions.filter(customer=of)
    count = 0
    for rows in (members, redemptions):
        left = None if at_most is None else at_most - count
        with_code = rows.exclude(qr_analytics_id="").order_by("pk")
        for pk, analytics_id in islice(with_code.values_list("pk", "qr_analytics_id").iterator(), left):
            if not _forget_code(analytics_id):
                return count
            rows.filter(pk=pk).update(qr_analytics_id="", qr_code_url="", short_url="")
            count += 1
    return count


def _forget_code(analytics_id: str) -> bool:
    """Return False if the code service can't be reached."""
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
