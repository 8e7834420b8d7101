"""The menu."""

import uuid
from decimal import Decimal

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from restaurant.models.rules import vat_rate_field


class MenuItem(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=255)
    description = models.TextField(_("description"), blank=True, default="")
    price = models.DecimalField(
        _("price"), max_digits=10, decimal_places=2, validators=[MinValueValidator(Decimal("0"))]
    )
    category = models.CharField(_("category"), max_length=100, blank=True, default="")
    image_url = models.URLField(_("picture"), max_length=500, blank=True, default="")
    available = models.BooleanField(_("available"), default=True)
    vat_rate = vat_rate_field(_("Included in the price. Empty: the rate of the ordering rules."))
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("menu item")
        verbose_name_plural = _("menu items")
        ordering = ["category", "name"]
        constraints = [models.CheckConstraint(condition=Q(price__gte=0), name="menu_price_is_not_negative")]

    def __str__(self) -> str:
        return self.name


class MenuVersion(models.Model):
    """One row, whose number grows with every change of the menu. Cached menus have it in their keys."""

    number = models.PositiveBigIntegerField(default=1)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.number)
