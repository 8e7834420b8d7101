"""Locations where points are earned."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from loyalty.members.models import WithCode


class Location(WithCode):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=255)
    address = models.TextField(_("address"), blank=True, default="")
    earn_qr_analytics_id = models.CharField(max_length=100, blank=True, default="", editable=False)

    class Meta:
        verbose_name = _("location")
        verbose_name_plural = _("locations")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
