"""Notifications for members, and emails to win members back."""

import re
import uuid
from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from loyalty.members.models import Member, Recorded

NEW_FOR = timedelta(days=90)


class Notification(models.Model):
    """News for a member: stored with its cause, shown on the card, and emailed."""

    class Type(models.TextChoices):
        TIER_UPGRADE = "tier_upgrade", _("tier")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    customer = models.ForeignKey(
        Member, on_delete=models.CASCADE, related_name="notifications", verbose_name=_("member")
    )
    title = models.CharField(_("title"), max_length=255)
    message = models.TextField(_("message"))
    type = models.CharField(max_length=50, choices=Type, default=Type.TIER_UPGRADE)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    # A sender moves this on first, so that no two send it.
    next_attempt_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        indexes = [
            models.Index(fields=["customer", "-created_at"], name="notification_latest_of_member"),
            # For `send_notifications`.
            models.Index(fields=["next_attempt_at"], condition=Q(sent_at=None), name="notification_unsent"),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def is_new(self) -> bool:
        return self.created_at > timezone.now() - NEW_FOR

    @property
    def title_on_card(self) -> str:
        return _with_tier_names(self.title)

    @property
    def message_on_card(self) -> str:
        return _with_tier_names(self.message)


def _with_tier_names(text: str) -> str:
    """Capitalise the names of tiers, which are stored as `gold` in titles and as `GOLD` in messages."""
    for tier in Member.Tier.values:
        word = gettext(tier)
        text = re.sub(rf"\b{re.escape(word)}\b", capfirst(word), text, flags=re.IGNORECASE)
    return text


class WinBackEmail(Recorded):
    """An email that a manager has sent to win a member back. Its text is the manager's own and not stored."""

    class Offer(models.TextChoices):
        """The offers, in the order in which they are tried."""

        REMINDER = "reminder", _("points reminder")
        BONUS_POINTS = "bonus_points", _("bonus points")
        DISCOUNT = "discount", _("discount")

    PAUSE = timedelta(days=30)  # until the next email to the same member
    UNDO_WINDOW = timedelta(days=1)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # Without an index of its own: the one below starts with it.
    customer = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="win_back_emails", db_index=False)
    offer = models.CharField(max_length=50, choices=Offer)
    written_at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "loyalty_letter"  # its name from before
        verbose_name = _("letter")
        verbose_name_plural = _("letters")
        indexes = [
            models.Index(fields=["customer", "-written_at"], name="letter_latest_of_member"),
            models.Index(fields=["written_at"], name="letter_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.offer}, {self.written_at:%Y-%m-%d}"
