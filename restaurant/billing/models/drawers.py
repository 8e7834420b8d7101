"""Cash drawers and their days. See "Cash drawers" in docs/behaviour/restaurant.md."""

import json
import uuid
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from restaurant.ordering.models import Printer
from web.money import MoneyField


class Numbers(DjangoJSONEncoder):
    """Amounts as numbers of JSON, which `ExactNumbers` reads as they were."""

    def default(self, value: Any) -> Any:
        return float(value) if isinstance(value, Decimal) else super().default(value)


class ExactNumbers(json.JSONDecoder):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "parse_float": Decimal})


class CashDrawer(models.Model):
    name = models.CharField(_("name"), max_length=50, unique=True)
    printer = models.ForeignKey(
        Printer,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="drawers",
        limit_choices_to={"kind": Printer.Kind.RECEIPT},
        verbose_name=_("receipt printer"),
        help_text=_("It opens the drawer, and prints for who works it. Empty: the first receipt printer."),
    )
    active = models.BooleanField(_("active"), default=True)

    class Meta:
        verbose_name = _("cash drawer")
        verbose_name_plural = _("cash drawers")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class DrawerDay(models.Model):
    """A drawer from its opening to its closing, which is the Z. A closed one never changes."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    drawer = models.ForeignKey(CashDrawer, on_delete=models.PROTECT, related_name="days")
    opened_at = models.DateTimeField(_("opened"), default=timezone.now)
    opened_by_name = models.CharField(_("opened by"), max_length=150, blank=True, default="")
    float = MoneyField(_("float"), default=Decimal(0))
    closed_at = models.DateTimeField(_("closed"), null=True)
    closed_by_name = models.CharField(_("closed by"), max_length=150, blank=True, default="")
    # Given at closing, without gaps.
    number = models.PositiveIntegerField(_("number"), null=True, unique=True)
    # {"50": 3, "0.20": 12}: how many of each note and coin; empty where only the sum was counted.
    counted_coins = models.JSONField(default=dict)
    counted = MoneyField(_("counted"), null=True)
    expected = MoneyField(_("expected"), null=True)
    # What the Z says, as it was printed.
    figures = models.JSONField(default=dict, encoder=Numbers, decoder=ExactNumbers)

    class Meta:
        verbose_name = _("day of a drawer")
        verbose_name_plural = _("days of drawers")
        default_permissions = ("view",)
        permissions = [("work_drawer", "Can open, count and close cash drawers")]
        ordering = ["-opened_at"]
        constraints = [
            models.UniqueConstraint(fields=["drawer"], condition=Q(closed_at=None), name="drawer_open_once"),
            models.CheckConstraint(
                condition=Q(closed_at=None, number=None) | Q(closed_at__isnull=False, number__isnull=False),
                name="drawer_numbered_when_closed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.drawer_id} {self.opened_at:%Y-%m-%d %H:%M}"

    @property
    def recorded_at_opening(self) -> dict[str, Any]:
        """What the journal says of its opening."""
        return {"drawer": self.drawer_id, "float": self.float}

    @property
    def recorded(self) -> dict[str, Any]:
        """What the journal says of its closing."""
        names = ("number", "expected", "counted", "figures")
        return {name: getattr(self, name) for name in names} | {"drawer": self.drawer_id, "coins": self.counted_coins}

    @property
    def difference(self) -> Decimal | None:
        return None if self.counted is None or self.expected is None else self.counted - self.expected


class DrawerMovement(models.Model):
    """Cash that was put into a drawer or taken from it, besides payments. Rows are never changed."""

    class Kind(models.TextChoices):
        IN = "in", _("put in")
        OUT = "out", _("paid out")
        DROP = "drop", _("taken to the safe")
        KICK = "kick", _("opened by hand")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    day = models.ForeignKey(DrawerDay, on_delete=models.PROTECT, related_name="movements")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    amount = MoneyField(_("amount"), default=Decimal(0))
    reason = models.CharField(_("reason"), max_length=200)
    at = models.DateTimeField(_("at"), default=timezone.now)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    by_name = models.CharField(_("by"), max_length=150, blank=True, default="")
    # See `web.idempotency`.
    idempotency_key = models.CharField(max_length=100, null=True, editable=False)
    request_digest = models.CharField(max_length=64, blank=True, default="", editable=False)

    class Meta:
        default_permissions = ("view",)
        ordering = ["at"]
        constraints = [
            models.UniqueConstraint(fields=["day", "idempotency_key"], name="movement_once_per_key"),
            models.CheckConstraint(condition=Q(kind="kick", amount=0) | Q(amount__gt=0), name="movement_has_an_amount"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.amount}"

    @property
    def recorded(self) -> dict[str, Any]:
        """What the journal says of it: not the reason, which may name a guest."""
        return {"day": self.day_id, "kind_of_movement": self.kind, "amount": self.amount}
