"""What changes a bill: discounts, what is on the house, and charges for service."""

import uuid
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from restaurant.billing import sums
from restaurant.ordering.models import OrderItem, TableSession
from web.formats import capfirst
from web.money import MoneyField


class Adjustment(models.Model):
    """Nothing but voiding changes it, and `value` and `by_rate`, which follow what is ordered and cancelled."""

    class Kind(models.TextChoices):
        DISCOUNT = sums.DISCOUNT, _("discount")
        COMP = sums.COMP, _("on the house")
        SERVICE = sums.SERVICE, _("service")

    class Reason(models.TextChoices):
        COMPLAINT = "complaint", _("complaint")
        WAIT = "wait", _("long wait")
        REGULAR = "regular", _("regular guest")
        STAFF = "staff", pgettext_lazy("are given a discount", "staff")
        PROMOTION = "promotion", _("promotion")
        OTHER = "other", _("another reason")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="adjustments")
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    # One of the two, and of what is on the house neither.
    percent = models.DecimalField(_("percent"), max_digits=5, decimal_places=2, null=True)
    amount = MoneyField(_("amount"), null=True)
    # Of service: taxed at this rate; None: like the dishes.
    vat_rate = models.DecimalField(max_digits=5, decimal_places=2, null=True, editable=False)
    reason = models.CharField(_("reason"), max_length=20, choices=Reason)
    note = models.CharField(_("note"), max_length=200, blank=True, default="")
    # What it makes of the bill now, below zero where it takes something off, and that by rate: {"19.00": "-1.20"}.
    value = MoneyField(_("value"), default=Decimal(0), editable=False)
    by_rate = models.JSONField(default=dict, editable=False)
    # What the Zs so far have of that.
    counted_by_rate = models.JSONField(default=dict, db_default={}, editable=False)
    # Of a charge for large parties, which nobody has made.
    is_automatic = models.BooleanField(default=False, editable=False)
    # Of a reward: its name and the code that was used for it.
    reward = models.CharField(max_length=255, blank=True, default="", editable=False)
    redemption_code = models.CharField(max_length=32, blank=True, default="", editable=False)
    created_at = models.DateTimeField(_("made"), default=timezone.now)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    # Kept when the user is deleted.
    made_by_name = models.CharField(_("made by"), max_length=150, blank=True, default="")
    voided_at = models.DateTimeField(_("voided"), null=True, blank=True)
    voided_by_name = models.CharField(_("voided by"), max_length=150, blank=True, default="")
    void_note = models.CharField(max_length=200, blank=True, default="")
    # See `web.idempotency`.
    made_in = models.UUIDField(null=True, editable=False)
    idempotency_key = models.CharField(max_length=100, null=True, editable=False)
    request_digest = models.CharField(max_length=64, blank=True, default="", editable=False)

    class Meta:
        verbose_name = _("change of a bill")
        verbose_name_plural = _("changes of bills")
        default_permissions = ("view",)
        permissions = [("adjust_bill", "Can give discounts and make refunds")]
        constraints = [
            models.UniqueConstraint(fields=["made_in", "idempotency_key"], name="adjustment_once_per_key"),
            models.UniqueConstraint(
                fields=["redemption_code"],
                condition=~Q(redemption_code="") & Q(voided_at=None),
                name="adjustment_once_per_reward",
            ),
            models.UniqueConstraint(
                fields=["session"], condition=Q(is_automatic=True, voided_at=None), name="adjustment_automatic_once"
            ),
            models.CheckConstraint(
                condition=Q(kind="comp", percent=None, amount=None)
                | Q(kind__in=["discount", "service"], percent=None, amount__gt=0)
                | Q(kind__in=["discount", "service"], amount=None, percent__gt=0, percent__lte=100),
                name="adjustment_is_percent_or_amount",
            ),
        ]
        indexes = [models.Index(fields=["created_at"], name="adjustment_by_time")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.value}"

    @property
    def recorded(self) -> dict[str, Any]:
        """What the journal says of it. Its items are entries of orders: order, position and quantity."""
        items = self.items.values_list("item__order", "item__position", "quantity")
        return {
            "session": self.session_id,
            "kind_of_adjustment": self.kind,
            "percent": self.percent,
            "amount": self.amount,
            "vat_rate": self.vat_rate,
            "reason": self.reason,
            "items": [list(item) for item in items.order_by("item__order", "item__position")],
        }

    @property
    def label(self) -> str:
        """What the bill calls it, such as `Discount, regular guest`."""
        if self.reward:
            return self.reward
        kind = capfirst(self.get_kind_display())
        return kind if self.kind == self.Kind.SERVICE else f"{kind}, {self.get_reason_display()}"


class AdjustedItem(models.Model):
    """An entry of an order that a discount applies to, or that is on the house. An adjustment without any: the bill."""

    adjustment = models.ForeignKey(Adjustment, on_delete=models.CASCADE, related_name="items")
    item = models.ForeignKey(OrderItem, on_delete=models.PROTECT, related_name="adjusted")
    quantity = models.PositiveIntegerField(default=1)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["adjustment", "item"], name="adjusted_item_once")]

    def __str__(self) -> str:
        return f"{self.quantity} x {self.item_id}"
