"""What points buy."""

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Reward(models.Model):
    class Type(models.TextChoices):
        DISCOUNT = "discount", _("discount")
        FREE_ITEM = "free_item", _("free item")
        EXPERIENCE = "experience", _("experience")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=255)
    description = models.TextField(_("description"), blank=True, default="")
    points_required = models.PositiveIntegerField(_("points required"))
    reward_type = models.CharField(_("type"), max_length=50, choices=Type, default=Type.FREE_ITEM)
    reward_value = models.JSONField(_("value"), default=dict, blank=True)
    available = models.BooleanField(_("available"), default=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("reward")
        verbose_name_plural = _("rewards")
        ordering = ["points_required", "name"]

    def __str__(self) -> str:
        return self.name
