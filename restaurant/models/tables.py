"""Tables."""

import uuid

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

MAX_TABLE_NUMBER = 99_999
PLAN_COLUMNS, PLAN_ROWS = 12, 12


class Table(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table_number = models.PositiveIntegerField(
        _("number"), unique=True, validators=[MinValueValidator(1), MaxValueValidator(MAX_TABLE_NUMBER)]
    )
    section = models.CharField(_("section"), max_length=50, blank=True, default="")
    capacity = models.PositiveSmallIntegerField(_("seats"), null=True, blank=True)
    # Where it stands on the plan of its section, from 1 on; null without a place.
    plan_column = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    plan_row = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    qr_analytics_id = models.CharField(max_length=100, blank=True, default="", editable=False)
    # From the QR code service's response when the code was created; it can't be read again later.
    qr_code_url = models.CharField(max_length=500, blank=True, default="", editable=False)
    short_url = models.CharField(max_length=500, blank=True, default="", editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["table_number"]
        constraints = [
            # With a condition no foreign key could refer to it: orders at a table don't wait while it is moved.
            models.UniqueConstraint(
                fields=["section", "plan_column", "plan_row"],
                condition=models.Q(plan_column__isnull=False),
                name="one_table_in_a_place",
            ),
            models.CheckConstraint(
                condition=models.Q(plan_column=None, plan_row=None)
                | models.Q(plan_column__isnull=False, plan_row__isnull=False)
                & models.Q(plan_column__range=(1, PLAN_COLUMNS), plan_row__range=(1, PLAN_ROWS)),
                name="place_on_the_plan",
            ),
        ]

    def __str__(self) -> str:
        return _("Table %(number)s") % {"number": self.table_number}
