"""Tables."""

import uuid

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

MAX_TABLE_NUMBER = 99_999


class Table(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table_number = models.PositiveIntegerField(
        _("number"), unique=True, validators=[MinValueValidator(1), MaxValueValidator(MAX_TABLE_NUMBER)]
    )
    section = models.CharField(_("section"), max_length=50, blank=True, default="")
    capacity = models.PositiveSmallIntegerField(_("seats"), null=True, blank=True)
    qr_analytics_id = models.CharField(max_length=100, blank=True, default="", editable=False)
    # From the QR code service's response when the code was created; it can't be read again later.
    qr_code_url = models.CharField(max_length=500, blank=True, default="", editable=False)
    short_url = models.CharField(max_length=500, blank=True, default="", editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["table_number"]

    def __str__(self) -> str:
        return _("Table %(number)s") % {"number": self.table_number}
