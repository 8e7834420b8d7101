"""The owner's settings: how points are earned, and how tiers are reached."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from loyalty.members.models import Member
from web.money import MoneyField


class Tier(NamedTuple):
    """A tier with its threshold in lifetime points, and what it multiplies the points of a bill by."""

    name: str
    threshold: int
    multiplier: Decimal


@dataclass(frozen=True, slots=True)
class NextTier:
    """The lowest tier that is not reached yet. `percent` is the progress from the current tier to it.

    `rate`: see `Programme.rate`.
    """

    tier: str
    threshold: int
    points_to_go: int
    percent: int
    rate: Decimal


class MultipliedPoints(NamedTuple):
    """The points of a bill in bronze, and what a tier multiplied them by."""

    points: int
    multiplier: Decimal


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
    """One row, in place of which an unsaved instance with the defaults serves until an owner saves it."""

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
    confirm_above = MoneyField(
        _("ask before bills above"),
        max_digits=11,
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

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """Return the tiers, highest first."""
        names = Member.Tier
        return (
            Tier(names.PLATINUM.value, self.platinum_from, self.platinum_multiplier),
            Tier(names.GOLD.value, self.gold_from, self.gold_multiplier),
            Tier(names.SILVER.value, self.silver_from, self.silver_multiplier),
            Tier(names.BRONZE.value, 0, Decimal(1)),
        )

    @property
    def counts_whole_units(self) -> bool:
        """True where the cents of a bill give no points in bronze."""
        return self.points_per_unit == 1

    def multiplier_of(self, tier: str) -> Decimal:
        """Return what this tier multiplies points by; 1 for an unknown tier."""
        return next((row.multiplier for row in self.tiers if row.name == tier), Decimal(1))

    def rate(self, tier: str) -> Decimal:
        """Return the points for one unit of the currency, without zeros at the end."""
        return (self.points_per_unit * self.multiplier_of(tier)).normalize()

    def points_for(self, order_total: Decimal, tier: str) -> int:
        """Return floor(floor(total x points per unit) x multiplier)."""
        return int(int(order_total * self.points_per_unit) * self.multiplier_of(tier))

    def multiplied_points(self, points: int, order_total: Decimal) -> MultipliedPoints | None:
        """Return how a tier above bronze made these points of a bill.

        None where several tiers may have: the tier of that day isn't stored.
        """
        fitting = {tier.multiplier for tier in self.tiers if self.points_for(order_total, tier.name) == points}
        [multiplier] = fitting if len(fitting) == 1 else [Decimal(1)]
        if multiplier == 1:
            return None
        return MultipliedPoints(self.points_for(order_total, Member.Tier.BRONZE), multiplier.normalize())

    def tier_of(self, lifetime_points: int) -> str:
        """Return the highest tier whose threshold is reached."""
        return next(tier.name for tier in self.tiers if lifetime_points >= tier.threshold)

    def next_tier(self, lifetime_points: int) -> NextTier | None:
        """Return None at the top."""
        following = next((tier for tier in reversed(self.tiers) if tier.threshold > lifetime_points), None)
        if following is None:
            return None
        current = max(tier.threshold for tier in self.tiers if tier.threshold <= lifetime_points)
        return NextTier(
            tier=following.name,
            threshold=following.threshold,
            points_to_go=following.threshold - lifetime_points,
            percent=100 * (lifetime_points - current) // (following.threshold - current),
            rate=self.rate(following.name),
        )
