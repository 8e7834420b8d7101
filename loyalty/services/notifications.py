"""News for members: stored with their cause, mailed after its commit, tried again until they arrive (decision 4.6)."""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from loyalty import tiers
from loyalty.models import Member, Notification

log = logging.getLogger(__name__)

# How long whoever has taken a notification on may need. Longer than a mail server is waited for.
LEASE = timedelta(minutes=5)


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


def deliver(notification: Notification, *, member: Member) -> bool:
    """Mail it. What fails is logged, stays unsent and is tried again by `send_unsent`. Never raises for a mail.

    Not to be called inside a transaction: a mail can't be taken back.
    """
    address = f"{settings.APP_BASE_URL}/member/{member.pk}"
    body = f"{notification.message}\n\n{_('Your card')}: {address}\n"
    try:
        EmailMessage(subject=notification.title, body=body, to=[member.email]).send()
    except Exception:  # whatever a mail backend of any kind may raise
        log.warning("The notification %s could not be mailed", notification.pk, exc_info=True)
        Notification.objects.filter(pk=notification.pk).update(next_attempt_at=timezone.now())
        return False
    Notification.objects.filter(pk=notification.pk).update(sent_at=timezone.now())
    return True


def send_unsent(*, now: datetime) -> tuple[int, int]:
    """Mail what is unsent and nobody else is at: how many arrived, how many failed."""
    sent = failed = 0
    due = Notification.objects.filter(sent_at=None, next_attempt_at__lte=now).select_related("customer")
    for notification in due.order_by("created_at", "pk").iterator():
        if not _take_on(notification, now):
            continue
        if deliver(notification, member=notification.customer):
            sent += 1
        else:
            failed += 1
    return sent, failed


def _take_on(notification: Notification, now: datetime) -> bool:
    """Compare and swap: of two that want to deliver it, one does."""
    unchanged = Notification.objects.filter(
        pk=notification.pk, sent_at=None, next_attempt_at=notification.next_attempt_at
    )
    return unchanged.update(attempts=F("attempts") + 1, next_attempt_at=now + LEASE) == 1
