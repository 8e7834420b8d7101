"""A member's notifications, and whether mails can't be sent."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Exists, Max, Min, OuterRef

from loyalty.mail import FailedMail
from loyalty.members.models import Member
from loyalty.messages.models import Notification
from loyalty.rules import CARD_ROWS

# Fewer failures in a shorter time are a mail server's bad moment.
SEVERAL = 3
LONG = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class FailingMail:
    """Mails that could not be sent. `error` is the type of one of their errors."""

    count: int
    since: datetime
    error: str


def failing_mail(now: datetime) -> FailingMail | None:
    """Return None unless several mails could not be sent, or one for long, and none was sent since."""
    sent_later = Notification.objects.filter(sent_at__gt=OuterRef("failed_at"))
    failures = FailedMail.objects.filter(~Exists(sent_later)).aggregate(
        count=Count("pk"), since=Min("failed_at"), error=Max("error")
    )
    is_trouble = failures["count"] >= SEVERAL or (failures["count"] and failures["since"] <= now - LONG)
    return FailingMail(**failures) if is_trouble else None


def notifications(member: Member) -> list[Notification]:
    """Return the latest notifications, newest first."""
    return list(Notification.objects.filter(customer=member).order_by("-created_at", "-id")[:CARD_ROWS])
