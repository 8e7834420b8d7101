"""News for members."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from loyalty.members.models import Member


class Notification(models.Model):
    """News for a member: stored with its cause, shown on the card, and emailed."""

    class Type(models.TextChoices):
        TIER_UPGRADE = "tier_upgrade", _("tier")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    customer = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="notifications")
    title = models.CharField(max_length=255)
    message = models.TextField()
    type = models.CharField(max_length=50, choices=Type, default=Type.TIER_UPGRADE)
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    # A sender moves this on first, so that no two send it.
    next_attempt_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        indexes = [
            models.Index(fields=["customer", "-created_at"], name="notification_latest_of_member"),
            # What `send_notifications` looks for.
            models.Index(fields=["next_attempt_at"], condition=Q(sent_at=None), name="notification_unsent"),
        ]

    def __str__(self) -> str:
        return self.title
