"""A bill in parts, one for each who pays."""

import uuid
from fractions import Fraction

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from restaurant.ordering.models import OrderItem, TableSession


class BillPart(models.Model):
    """What one of the guests pays. The last one may be the rest.

    All of a session are of one kind. By people: an equal share of everything. By phones and items: the entries that are
    claimed, and those of the orders of its phone that nobody has claimed; what is left is in the rest.
    """

    class By(models.TextChoices):
        PEOPLE = "people", _("equal parts")
        PHONES = "phones", _("by phones")
        ITEMS = "items", _("by dishes")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="parts")
    by = models.CharField(max_length=10, choices=By)
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=100, blank=True, default="")
    is_rest = models.BooleanField(default=False)
    # Whose orders are in it, without being claimed: `queries.orders.phone_key`.
    phone_key = models.CharField(max_length=32, null=True)
    # Made by the guest of this phone.
    made_by_phone = models.CharField(max_length=32, blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        default_permissions = ()
        ordering = ["is_rest", "position", "created_at"]
        constraints = [
            models.UniqueConstraint(fields=["session"], condition=Q(is_rest=True), name="bill_part_one_rest"),
        ]

    def __str__(self) -> str:
        return self.name


class Claim(models.Model):
    """A part's share of an entry: so many of it, or a fraction such as a third of the bottle."""

    part = models.ForeignKey(BillPart, on_delete=models.CASCADE, related_name="claims")
    item = models.ForeignKey(OrderItem, on_delete=models.PROTECT, related_name="claims")
    quantity = models.PositiveIntegerField(null=True)
    numerator = models.PositiveSmallIntegerField(null=True)
    denominator = models.PositiveSmallIntegerField(null=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["part", "item"], name="claim_once"),
            models.CheckConstraint(
                condition=Q(quantity__gte=1, numerator=None, denominator=None)
                | Q(quantity=None, numerator__gte=1, denominator__gte=models.F("numerator")),
                name="claim_is_quantity_or_fraction",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quantity or f'{self.numerator}/{self.denominator}'} x {self.item_id}"

    def fraction_of(self, remaining: int) -> Fraction:
        """Return the share of an entry of which so many are left."""
        if self.quantity is None:
            return Fraction(self.numerator or 0, self.denominator or 1)
        return Fraction(min(self.quantity, remaining), remaining)


class Payer(models.Model):
    """To whom the receipt of a bill, or of a part of it, is made out. Kept for as long as the books are."""

    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="payers")
    part = models.ForeignKey(BillPart, on_delete=models.PROTECT, null=True, related_name="payers")
    name = models.CharField(_("name"), max_length=200)
    address = models.TextField(_("address"), max_length=500)
    vat_number = models.CharField(_("VAT number"), max_length=50, blank=True, default="")
    at = models.DateTimeField(default=timezone.now)
    by_name = models.CharField(max_length=150, blank=True, default="")

    class Meta:
        default_permissions = ()
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return self.name
