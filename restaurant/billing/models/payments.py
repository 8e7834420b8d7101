"""What guests have paid."""

import uuid
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from restaurant.billing.models.drawers import DrawerDay
from restaurant.billing.models.parts import BillPart
from restaurant.ordering.models import TableSession
from web.money import NOTHING, MoneyField


class Payment(models.Model):
    """A part of a session's bill that was paid. Nothing but voiding changes it."""

    class Method(models.TextChoices):
        CASH = "cash", _("cash")
        CARD = "card", _("card")
        VOUCHER = "voucher", _("voucher")
        OTHER = "other", _("other")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="payments")
    method = models.CharField(_("method"), max_length=20, choices=Method)
    # None: of the whole bill.
    part = models.ForeignKey(BillPart, on_delete=models.PROTECT, null=True, related_name="payments")
    amount = MoneyField(_("amount"))
    # On top of the amount.
    tip = MoneyField(_("tip"), default=Decimal(0))
    # Of cash: what the guest handed over, and what the smallest coin adds to the amount or takes off.
    tendered = MoneyField(_("handed over"), null=True)
    rounding = MoneyField(default=Decimal(0), db_default=Decimal(0), editable=False)
    # The day of the drawer that the cash lies in.
    drawer_day = models.ForeignKey(DrawerDay, on_delete=models.PROTECT, null=True, related_name="payments")
    # And of that out of which it was given back when the payment was voided.
    voided_drawer_day = models.ForeignKey(DrawerDay, on_delete=models.PROTECT, null=True, related_name="voided")
    # What was left to pay after it, as the response said.
    due_after = MoneyField(default=Decimal(0), editable=False)
    created_at = models.DateTimeField(_("paid"), default=timezone.now)
    taken_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    # Kept when the user is deleted.
    taken_by_name = models.CharField(_("taken by"), max_length=150, blank=True, default="")
    voided_at = models.DateTimeField(_("voided"), null=True, blank=True)
    voided_by_name = models.CharField(_("voided by"), max_length=150, blank=True, default="")
    void_note = models.CharField(_("note"), max_length=200, blank=True, default="")
    # See `web.idempotency`. Keys belong to the session that was paid, which may have been moved since.
    paid_in = models.UUIDField(null=True, editable=False)
    idempotency_key = models.CharField(max_length=100, null=True, editable=False)
    request_digest = models.CharField(max_length=64, blank=True, default="", editable=False)

    class Meta:
        verbose_name = _("payment")
        verbose_name_plural = _("payments")
        default_permissions = ("view",)
        permissions = [("take_payment", "Can see bills and take payments"), ("void_payment", "Can void payments")]
        constraints = [
            models.UniqueConstraint(fields=["paid_in", "idempotency_key"], name="payment_once_per_key"),
            models.CheckConstraint(condition=Q(amount__gt=0, tip__gte=0), name="payment_is_positive"),
        ]
        # The day's report.
        indexes = [models.Index(fields=["created_at"], name="payment_by_time")]

    def __str__(self) -> str:
        return f"{self.amount} {self.get_method_display()}"

    @property
    def recorded(self) -> dict[str, Any]:
        """What the journal says of it."""
        names = ("method", "amount", "tip", "rounding", "tendered")
        values = {name: getattr(self, name) for name in names}
        return values | {"session": self.session_id, "part": self.part_id, "drawer_day": self.drawer_day_id}

    @property
    def received(self) -> Decimal:
        """What came in: the amount in coins that there are, and the tip."""
        return self.amount + self.rounding + self.tip

    @property
    def refundable(self) -> Decimal:
        return self.amount - sum((refund.amount for refund in self.refunds.all()), NOTHING)

    @property
    def refundable_rounding(self) -> Decimal:
        return self.rounding - sum((refund.rounding for refund in self.refunds.all()), NOTHING)

    @property
    def change(self) -> Decimal | None:
        return None if self.tendered is None else self.tendered - self.received


class Refund(models.Model):
    """Money that was given back for a payment, on its own day. Rows are never changed."""

    class Reason(models.TextChoices):
        CANCELLED = "cancelled", _("cancelled afterwards")
        COMPLAINT = "complaint", _("complaint")
        MISTAKE = "mistake", _("taken by mistake")
        OTHER = "other", _("another reason")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    payment = models.ForeignKey(Payment, on_delete=models.PROTECT, related_name="refunds")
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="refunds")
    # As it is due again; and what the smallest coin adds to it or takes off.
    amount = MoneyField(_("amount"))
    rounding = MoneyField(default=Decimal(0), db_default=Decimal(0), editable=False)
    reason = models.CharField(_("reason"), max_length=20, choices=Reason)
    note = models.CharField(_("note"), max_length=200, blank=True, default="")
    at = models.DateTimeField(_("at"), default=timezone.now)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    by_name = models.CharField(_("by"), max_length=150, blank=True, default="")
    drawer_day = models.ForeignKey(DrawerDay, on_delete=models.PROTECT, null=True, related_name="refunds")
    # See `web.idempotency`.
    idempotency_key = models.CharField(max_length=100, null=True, editable=False)
    request_digest = models.CharField(max_length=64, blank=True, default="", editable=False)

    class Meta:
        verbose_name = _("refund")
        verbose_name_plural = _("refunds")
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["payment", "idempotency_key"], name="refund_once_per_key"),
            models.CheckConstraint(condition=Q(amount__gt=0), name="refund_is_positive"),
        ]
        indexes = [models.Index(fields=["at"], name="refund_by_time")]

    def __str__(self) -> str:
        return f"-{self.amount}"

    @property
    def recorded(self) -> dict[str, Any]:
        """What the journal says of it."""
        names = {"payment": "payment_id", "amount": "amount", "reason": "reason", "drawer_day": "drawer_day_id"}
        # Not 0, which older entries don't have.
        names |= {"rounding": "rounding"} if self.rounding else {}
        return {name: getattr(self, field) for name, field in names.items()}

    @property
    def given(self) -> Decimal:
        return self.amount + self.rounding
