"""Who was written to, to win them back."""

import uuid
from datetime import timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from loyalty.members.models import Member, Recorded


class Letter(Recorded):
    """A manager has written to a member. The mail itself is the manager's own: only that it was written is stored."""

    class Offer(models.TextChoices):
        """In the order in which they are tried."""

        REMINDER = "reminder", _("points reminder")
        BONUS_POINTS = "bonus_points", _("bonus points")
        DISCOUNT = "discount", _("discount")

    REST = timedelta(days=30)  # after a letter, until the next
    UNDO_WINDOW = timedelta(days=1)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # Without an index of its own: the one below starts with it.
    customer = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="letters", db_index=False)
    offer = models.CharField(max_length=50, choices=Offer)
    written_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("letter")
        verbose_name_plural = _("letters")
        indexes = [
            models.Index(fields=["customer", "-written_at"], name="letter_latest_of_member"),
            models.Index(fields=["written_at"], name="letter_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.offer}, {self.written_at:%Y-%m-%d}"
