"""Notifications for members. See "Notifications" in docs/behaviour/loyalty.md.

They are stored in the transaction of their cause, mailed after its commit, and retried until they are sent.
"""

import logging
from concurrent.futures import Future
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import connection
from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from loyalty import mail
from loyalty.members.models import Member
from loyalty.messages.models import Notification
from web import languages

log = logging.getLogger(__name__)

# How long a sender has a notification to itself. Longer than a mail server is waited for.
LEASE = timedelta(minutes=5)
MAX_ATTEMPTS = 20  # in about two weeks


def write_tier_change(member: Member, *, tier: str, now: datetime) -> Notification:
    """Store it in the award's transaction. The caller holds the lease, and calls `deliver` after the commit."""
    with translation.override(languages.of_reader(member.language)):
        title, message = tier_change_texts(old=member.tier, new=tier)
    return Notification.objects.create(
        customer=member,
        title=title,
        message=message,
        created_at=now,
        attempts=1 if member.email else MAX_ATTEMPTS,
        next_attempt_at=now + LEASE,
    )


def tier_change_texts(*, old: str, new: str) -> tuple[str, str]:
    """Return title and message. The message names the new tier in upper case."""
    ranks = Member.Tier.values  # lowest first
    if old not in ranks or ranks.index(new) > ranks.index(old):
        title, message = _("Welcome to %(tier)s"), _("You have reached %(tier)s. Thank you for coming back.")
    else:
        title, message = _("Your tier is now %(tier)s"), _("Your tier has changed to %(tier)s.")
    return title % {"tier": _(new)}, message % {"tier": _(new).upper()}


def deliver(notification: Notification, *, member: Member, max_wait: float | None = mail.MAX_WAIT) -> bool:
    """Mail it, and return whether it was sent within `max_wait` seconds. Must not be called inside a transaction.

    A failure is logged and left to `send_unsent`; it raises nothing. A message that is still being sent after
    `max_wait` is recorded by the thread that sends it.
    """
    if not member.email:
        return False
    card = f"{settings.APP_BASE_URL}/member/{member.pk}"
    with translation.override(languages.of_reader(member.language)):
        message = mail.compose(
            subject=notification.title,
            paragraphs=[notification.message, f"{_('Your card')}: {card}"],
            to=member.email,
            link=card,
            link_label=_("Open your card"),
        )
    sending = mail.send(message)
    try:
        is_sent = mail.wait(sending, at_most=max_wait)
    except Exception as error:  # whatever a mail backend raises
        _record_failure(notification, error)
        return False
    if is_sent:
        _record_sent(notification)
    else:
        sending.add_done_callback(partial(_record_late, notification))
    return is_sent


def _record_sent(notification: Notification) -> None:
    Notification.objects.filter(pk=notification.pk).update(sent_at=timezone.now())


def _record_failure(notification: Notification, error: BaseException) -> None:
    """The first attempts are repeated by every run of the command, later ones after growing pauses."""
    log.warning("The notification %s could not be mailed: %s", notification.pk, type(error).__name__)
    pause = timedelta(minutes=2**notification.attempts) if notification.attempts >= 5 else timedelta(0)
    next_attempt_at = timezone.now() + min(pause, timedelta(days=1))
    Notification.objects.filter(pk=notification.pk).update(next_attempt_at=next_attempt_at)
    mail.note_failure(error, of=notification.pk)


def _record_late(notification: Notification, sending: "Future[int]") -> None:
    """Runs in the sending thread, which has a database connection of its own."""
    try:
        error = sending.exception()
        if error is not None:
            _record_failure(notification, error)
        else:
            _record_sent(notification)
    finally:
        connection.close()


def waiting() -> int:
    """Return how many have not been sent, and will be tried again."""
    return Notification.objects.filter(sent_at=None, attempts__lt=MAX_ATTEMPTS).count()


def send_unsent(*, now: datetime) -> tuple[int, int]:
    """Retry what is due. Return how many were sent and how many failed."""
    sent = failed = 0
    due = Notification.objects.filter(sent_at=None, next_attempt_at__lte=now, attempts__lt=MAX_ATTEMPTS)
    for notification in due.select_related("customer").order_by("created_at", "pk").iterator():
        if not _lease(notification):
            continue
        if deliver(notification, member=notification.customer, max_wait=None):
            sent += 1
        else:
            failed += 1
    return sent, failed


def _lease(notification: Notification) -> bool:
    """Compare and swap: of several senders, one gets it."""
    unchanged = Notification.objects.filter(
        pk=notification.pk, sent_at=None, next_attempt_at=notification.next_attempt_at
    )
    notification.attempts += 1
    # From now and not from the start of the run: earlier messages may have taken long.
    return unchanged.update(attempts=F("attempts") + 1, next_attempt_at=timezone.now() + LEASE) == 1
