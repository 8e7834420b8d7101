"""Who of the staff looks after which tables."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from restaurant.tables.models import Table


class TableOwner(models.Model):
    """Whose table it is, until somebody else takes it, the venue's day ends or the account is switched off."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="owner")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.table_id} {self.user_id}"
