from django.contrib.auth.models import User
from django.db import models

from web.journal import JournalEntry
from web.push.models import Push, PushKey, Subscription

__all__ = ["FoldedUsername", "JournalEntry", "Permits", "Push", "PushKey", "Subscription"]


class Permits(models.Model):
    """Requests granted in one window of a limit: see `web.throttling`. By choice lost when the database crashes."""

    key = models.CharField(max_length=250, primary_key=True)
    ends_at = models.DateTimeField(db_index=True)
    granted = models.BigIntegerField()

    class Meta:
        db_table = "web_permits"

    def __str__(self) -> str:
        return self.key


class FoldedUsername(models.Model):
    """A user name as `web.usernames` compares it. Missing for older users whose name looks like another's."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="folded_username")
    text = models.CharField(max_length=600, unique=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.text
