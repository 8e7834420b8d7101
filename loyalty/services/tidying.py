"""Notifications that have been mailed long ago. See "Tidying" in docs/behaviour.md."""

from datetime import datetime, timedelta

from loyalty.models import Notification
from web import tidying

KEPT = timedelta(days=90)


def tidy(*, now: datetime) -> dict[str, int]:
    """Delete them; how many, by name."""
    return {"mailed notifications": tidying.delete(Notification.objects.filter(sent_at__lt=now - KEPT))}
