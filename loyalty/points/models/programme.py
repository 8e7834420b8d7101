"""What the owner has set: how points are earned, and how tiers are reached."""

from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


def _multiplier(name: Any, default: str) -> "models.DecimalField[Any, Any]":
    return models.DecimalField(
        name,
        max_digits=4,
        decimal_places=2,
        default=Decimal(default),
        validators=[MinValueValidator(Decimal(1)), MaxValueValidator(Decimal(10))],
    )


def _threshold(name: Any, default: int) -> "models.PositiveIntegerField[Any, Any]":
    return models.PositiveIntegerField(
        name,
        default=default,
        validators=[MinValueValidator(1), MaxValueValidator(100_000_000)],
    )


class Programme(models.Model):
    """One row: how points are earned and tiers are reached. Without it, the defaults of `rules.Programme` hold."""

    signup_bonus = models.PositiveIntegerField(
        _("points for joining"), default=100, validators=[MaxValueValidator(100_000)]
    )
    points_per_unit = models.DecimalField(
        _("points for each unit of the currency"),
        max_digits=6,
        decimal_places=2,
        default=Decimal(1),
        validators=[MinValueValidator(Decimal("0.01")), MaxValueValidator(Decimal(1000))],
    )
    silver_from = _threshold(_("silver from"), 1_000)
    gold_from = _threshold(_("gold from"), 5_000)
    platinum_from = _threshold(_("platinum from"), 10_000)
    silver_multiplier = _multiplier(_("silver multiplies by"), "1.25")
    gold_multiplier = _multiplier(_("gold multiplies by"), "1.5")
    platinum_multiplier = _multiplier(_("platinum multiplies by"), "2")
    expires_after_months = models.PositiveSmallIntegerField(
        _("points expire after months"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(120)],
        help_text=_("Empty: never. Points that are older already expire in the night after you have set this."),
    )
    confirm_above = models.DecimalField(
        _("ask before bills above"),
        max_digits=10,
        decimal_places=2,
        default=Decimal(500),
        validators=[MinValueValidator(Decimal("0.01"))],
        help_text=_("The till asks whether the amount is right before it gives points for a larger bill."),
    )

    class Meta:
        verbose_name = _("programme")
        verbose_name_plural = _("programme")
        constraints = [
            models.CheckConstraint(condition=Q(pk=1), name="programme_is_one_row"),
            models.CheckConstraint(
                condition=Q(silver_from__gt=0, gold_from__gt=F("silver_from"), platinum_from__gt=F("gold_from")),
                name="programme_thresholds_rise",
            ),
        ]

    def __str__(self) -> str:
        return str(_("Programme"))

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.pk = 1
        super().save(*args, **kwargs)

    def clean(self) -> None:
        wrong = {
            name: _("This needs more points than the tier before it.")
            for before, name in (("silver_from", "gold_from"), ("gold_from", "platinum_from"))
            if None not in (getattr(self, before), getattr(self, name)) and getattr(self, name) <= getattr(self, before)
        }
        if wrong:
            raise ValidationError(wrong)
