"""News for members: stored with their cause, mailed after its commit, tried again until they arrive (decision 4.6)."""

import logging
from concurrent.futures import Future
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import connection
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from loyalty import tiers
from loyalty.models import Member, Notification
from loyalty.services import mail

log = logging.getLogger(__name__)

# How long whoever has taken a notification on may need. Longer than a mail server is waited for.
LEASE = timedelta(minutes=5)
MAX_ATTEMPTS = 20  # after about two weeks


def write_tier_change(member: Member, *, tier: str, now: datetime) -> Notification:
    """To be called in the transaction of the award. The caller has it to deliver: nobody else tries before long."""
    title, message = tier_change_texts(old=member.tier, new=tier)
    return Notification.objects.create(
        customer=member,
        title=title,
        message=message,
        created_at=now,
        attempts=1,
        next_attempt_at=now + LEASE,
    )


def tier_change_texts(*, old: str, new: str) -> tuple[str, str]:
    """Title and message; the message names the new tier in upper case (document 2)."""
    went_up = tiers.rank(new) < tiers.rank(old)
    title = _("Welcome to %(tier)s") if went_up else _("Your tier is now %(tier)s")
    message = (
        _("You have reached %(tier)s. Thank you for coming back.") if went_up else _("Your tier has changed: %(tier)s.")
    )
    return title % {"tier": _(new)}, message % {"tier": _(new).upper()}


def deliver(notification: Notification, *, member: Member, patience: float | None = mail.PATIENCE) -> bool:
    """Mail it. What fails is logged, stays unsent and is tried again by `send_unsent`. Never raises for a mail.

    What is still under way after `patience` seconds settles itself when it ends. Not to be called inside a
    transaction: a mail can't be taken back.
    """
    address = f"{settings.APP_BASE_URL}/member/{member.pk}"
    body = f"{notification.message}\n\n{_('Your card')}: {address}\n"
    sending = mail.post(subject=notification.title, body=body, to=member.email)
    try:
        has_arrived = mail.arrives(sending, within=patience)
    except Exception as error:  # whatever a mail backend of any kind may raise
        _failed(notification, error)
        return False
    if has_arrived:
        Notification.objects.filter(pk=notification.pk).update(sent_at=timezone.now())
    else:
        sending.add_done_callback(partial(_settle_late, notification))
    return has_arrived


def _failed(notification: Notification, error: BaseException) -> None:
    log.warning("The notification %s could not be mailed: %r", notification.pk, error)
    # At first by every run of the command, then more and more seldom, and at last no more.
    pause = timedelta(minutes=2**notification.attempts) if notification.attempts >= 5 else timedelta(0)
    again = timezone.now() + min(pause, timedelta(days=1))
    Notification.objects.filter(pk=notification.pk).update(next_attempt_at=again)


def _settle_late(notification: Notification, sending: "Future[int]") -> None:
    """In the thread that sent it, with a database connection of its own."""
    try:
        error = sending.exception()
        if error is not None:
            _failed(notification, error)
        else:
            Notification.objects.filter(pk=notification.pk).update(sent_at=timezone.now())
    finally:
        connection.close()


def send_unsent(*, now: datetime) -> tuple[int, int]:
    """Mail what is unsent, not given up and nobody else is at: how many arrived, how many failed."""
    sent = failed = 0
    due = Notification.objects.filter(sent_at=None, next_attempt_at__lte=now, attempts__lt=MAX_ATTEMPTS)
    for notification in due.select_related("customer").order_by("created_at", "pk").iterator():
        if not _take_on(notification):
            continue
        if deliver(notification, member=notification.customer, patience=None):
            sent += 1
        else:
            failed += 1
    return sent, failed


def _take_on(notification: Notification) -> bool:
    """Compare and swap: of two that want to deliver it, one does."""
    unchanged = Notification.objects.filter(
        pk=notification.pk, sent_at=None, next_attempt_at=notification.next_attempt_at
    )
    notification.attempts += 1
    # From this mail on, not from the beginning of the run: others may take long.
    taken = unchanged.update(attempts=F("attempts") + 1, next_attempt_at=timezone.now() + LEASE)
    return taken == 1
