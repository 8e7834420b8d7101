"""The accounts of the accountant's books. See "Sales reports" in docs/behaviour/restaurant.md."""

from decimal import Decimal
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from restaurant.rules import vat_rate_field


class Account(models.Model):
    """Where something is booked; without a rate: at all rates that have no account of their own."""

    class Kind(models.TextChoices):
        REVENUE = "revenue", _("sales")
        DISCOUNTS = "discounts", _("discounts and what is on the house")
        SERVICE = "service", _("service")
        CASH = "cash", _("cash")
        CARD = "card", _("cards")
        VOUCHER = "voucher", _("vouchers")
        OTHER = "other", _("other payments")
        TIPS = "tips", _("tips")
        DIFFERENCES = "differences", _("differences of drawers and rounding")
        TRANSFERS = "transfers", _("cash put in and taken out")
        OPEN_BILLS = "open_bills", _("open bills")

    kind = models.CharField(_("for"), max_length=20, choices=Kind)
    vat_rate = vat_rate_field(_("Of sales, discounts and service alone. Empty: all rates without a line of their own."))
    number = models.CharField(_("account"), max_length=9, validators=[RegexValidator(r"^[0-9]+$", _("Digits alone."))])
    name = models.CharField(_("name"), max_length=100, blank=True, default="")

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        ordering = ["kind", "vat_rate"]
        constraints = [
            models.UniqueConstraint(
                "kind",
                Coalesce("vat_rate", Decimal(-1)),
                name="account_once",
                violation_error_message=_("There is an account for this already."),
            ),
            models.CheckConstraint(
                condition=Q(vat_rate=None) | Q(kind__in=["revenue", "discounts", "service"]),
                name="account_rate_of_sales",
                violation_error_message=_("Only sales, discounts and service have rates."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.name or self.get_kind_display()}"


class Accountant(models.Model):
    """One row: what a file for DATEV begins with."""

    consultant = models.PositiveIntegerField(
        _("consultant's number"), validators=[MinValueValidator(1001), MaxValueValidator(9_999_999)]
    )
    client = models.PositiveIntegerField(
        _("client's number"), validators=[MinValueValidator(1), MaxValueValidator(99_999)]
    )
    year_begins = models.PositiveSmallIntegerField(
        _("month in which the financial year begins"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(12)],
    )
    digits = models.PositiveSmallIntegerField(
        _("digits of an account"), default=4, validators=[MinValueValidator(4), MaxValueValidator(8)]
    )

    class Meta:
        verbose_name = _("accountant (DATEV)")
        verbose_name_plural = _("accountant (DATEV)")
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="accountant_is_one_row")]

    def __str__(self) -> str:
        return f"{self.consultant}-{self.client}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.pk = 1
        super().save(*args, **kwargs)
