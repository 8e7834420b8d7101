"""The rules of ordering that an owner sets."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from qrservice import gateway
from web.money import MoneyField


def vat_rate_field(help_text: Any = "") -> "models.DecimalField[Any, Any]":
    """Return a field for a rate in percent, included in prices; None where none is set."""
    return percent_field(_("VAT in percent"), help_text)


def percent_field(name: Any, help_text: Any) -> "models.DecimalField[Any, Any]":
    return models.DecimalField(
        name,
        max_digits=5,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0")), MaxValueValidator(Decimal("100"))],
        help_text=help_text,
    )


def late_after(minutes: int | None = None) -> timedelta:
    """Return after how long the kitchen is late with a dish, whose category may have minutes of its own."""
    return timedelta(minutes=minutes or settings.KITCHEN_LATE_MINUTES)


class OrderingRules(models.Model):
    """One row: who may order, which orders staff approve first, and the usual VAT."""

    class Gate(models.TextChoices):
        OPEN = "open", _("everyone at the table")
        SCANNED = "scanned", _("phones that have scanned the table's code")
        APPROVED = "approved", _("everyone; staff approve a table's first order")

    gate = models.CharField(_("who may order"), max_length=20, choices=Gate, default=Gate.OPEN)
    approval_above = MoneyField(
        _("approve orders above"),
        max_digits=11,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0"))],
        help_text=_("Larger orders wait for a member of staff. Empty: none do."),
    )
    default_vat_rate = vat_rate_field(_("For dishes without a rate of their own."))
    discount_up_to = percent_field(
        _("staff may give discounts up to"), _("Percent, without a manager. What is on the house counts as 100.")
    )
    service_percent = percent_field(_("service in percent"), _("Added to the bills of large parties. Empty: none."))
    service_from_covers = models.PositiveSmallIntegerField(
        _("service for parties from"), null=True, blank=True, help_text=_("This many guests on.")
    )
    service_vat_rate = vat_rate_field(_("Of service. Empty: as the dishes are taxed."))
    cash_rounding = MoneyField(
        _("smallest coin"),
        max_digits=6,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0.001"))],
        help_text=_("What is paid in cash is rounded to it, such as 0.05. Empty: not rounded."),
    )
    needs_open_drawer = models.BooleanField(_("cash only into an open drawer"), default=False, db_default=False)
    counts_blind = models.BooleanField(
        _("count drawers blind"),
        default=False,
        db_default=False,
        help_text=_("The sum that should be in it is shown after counting."),
    )
    escalate_after = models.PositiveSmallIntegerField(
        _("seconds until a call is everybody's"),
        default=45,
        db_default=45,
        validators=[MinValueValidator(5), MaxValueValidator(3600)],
        help_text=_("A call, a ready dish or an order to approve that whoever has the table has not taken by then."),
    )
    # Set by the kitchen: guests can't order until then.
    paused_until = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("ordering rules")
        verbose_name_plural = _("ordering rules")
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="ordering_rules_are_one_row")]

    def __str__(self) -> str:
        return str(_("Ordering rules"))

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.pk = 1
        super().save(*args, **kwargs)

    def clean(self) -> None:
        if self.gate == self.Gate.SCANNED and not gateway.sets_scan_cookie():
            sentence = _("A hosted QR code service can't prove that a phone has scanned: please choose another.")
            raise ValidationError({"gate": sentence})

    @classmethod
    def current(cls) -> "OrderingRules":
        """Return the row, or the defaults while there is none."""
        return cls.objects.filter(pk=1).first() or cls(pk=1)

    def rate_of(self, *rates: Decimal | None) -> Decimal | None:
        """Return the first of these rates that is set, such as an item's and its category's, or the usual rate."""
        return next((rate for rate in rates if rate is not None), self.default_vat_rate)
