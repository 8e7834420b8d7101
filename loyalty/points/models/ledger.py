"""The ledger: every point that came onto a card or left it."""

import json
import uuid
from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from loyalty.members.models import Member, Recorded
from loyalty.points.models.locations import Location
from web import journal
from web.journal import JournalEntry
from web.money import MoneyField
from web.templatetags.moments import whole_day

TAKE_BACK_ANY = "loyalty.reverse_transaction"  # the permission to take back what others entered


class PointTransactionQuerySet(models.QuerySet["PointTransaction"]):
    def standing(self) -> "PointTransactionQuerySet":
        """Leave out rows that were taken back, and those that took them back."""
        rows = self.exclude(type=PointTransaction.Type.REVERSAL)
        return rows.exclude(Exists(PointTransaction.reversals_of(OuterRef("pk"))))

    def purchases(self) -> "PointTransactionQuerySet":
        """Keep awards for a bill: not the bonus for joining."""
        return self.filter(type=PointTransaction.Type.EARN, order_total__isnull=False)


class PointTransaction(Recorded):
    """A line of the ledger, which only grows."""

    class Type(models.TextChoices):
        EARN = "earn", _("earned")
        REDEEM = "redeem", _("redeemed")
        EXPIRE = "expire", _("expired or removed")
        BONUS = "bonus", _("added")
        REVERSAL = "reversal", _("taken back")
        IMPORT = "import", _("imported")

    # Their kinds in the journal.
    ENTRIES: ClassVar[dict[str, str]] = {
        Type.EARN: "award",
        Type.REDEEM: "redemption",
        Type.EXPIRE: "expiry",
        Type.BONUS: "bonus",
        Type.REVERSAL: "reversal",
        Type.IMPORT: "import",
    }

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # Without an index of its own: those below start with it.
    customer = models.ForeignKey(
        Member, on_delete=models.PROTECT, related_name="transactions", verbose_name=_("member"), db_index=False
    )
    type = models.CharField(_("type"), max_length=50, choices=Type)
    points = models.IntegerField(_("points"))
    description = models.TextField(_("description"), blank=True, default="")
    order_total = MoneyField(_("order total"), max_digits=11, null=True, blank=True)
    location = models.ForeignKey(Location, on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("location"))
    staff_id = models.CharField(_("staff"), max_length=150, blank=True, default="")
    created_at = models.DateTimeField(_("time"), default=timezone.now)
    # The key of the request that made this, a digest of its contents, and the service's result as JSON.
    idempotency_key = models.CharField(max_length=100, null=True, blank=True, editable=False)
    request_digest = models.CharField(max_length=64, blank=True, default="", editable=False)
    result = models.TextField(blank=True, default="", editable=False)
    # Of a reversal: the row that it takes back, with the negative of its order total. Indexed by the constraint below.
    reverses = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        db_index=False,
        related_name="reversals",
        verbose_name=_("takes back"),
    )

    objects = PointTransactionQuerySet.as_manager()

    class Meta:
        verbose_name = _("point transaction")
        verbose_name_plural = _("point transactions")
        constraints = [
            models.CheckConstraint(
                condition=Q(type__in=["earn", "bonus", "import"], points__gte=0)
                | Q(type__in=["redeem", "expire"], points__lte=0)
                # Of a purchase, and of a redemption.
                | Q(type="reversal", points__lte=0, order_total__isnull=False, order_total__lt=0)
                | Q(type="reversal", points__gte=0, order_total__isnull=True),
                name="transaction_sign_fits_its_type",
            ),
            models.CheckConstraint(
                condition=Q(type="reversal", reverses__isnull=False) | (~Q(type="reversal") & Q(reverses__isnull=True)),
                name="transaction_reversal_names_its_row",
            ),
            models.UniqueConstraint(
                fields=["reverses"],
                condition=Q(reverses__isnull=False),
                name="transaction_is_reversed_once",
            ),
            models.UniqueConstraint(
                fields=["customer", "type", "idempotency_key"],
                condition=Q(idempotency_key__isnull=False),
                name="transaction_key_counts_once",
            ),
        ]
        indexes = [
            # A member's latest transactions: the card and the engagement report.
            models.Index(fields=["customer", "-created_at"], name="transaction_latest_of_member"),
            # The programme report: points of a period.
            models.Index(fields=["created_at"], include=["points"], name="transaction_by_time"),
        ]
        permissions = [
            ("award_points", "Can award points for a purchase"),
            ("reverse_transaction", "Can take back any purchase"),
        ]

    def __str__(self) -> str:
        return f"{self.points:+d} {self.type}"

    @property
    def local_description(self) -> str:
        """The description in the language of the page; what somebody has typed stays as it is."""
        result = json.loads(self.result) if self.result else {}
        if self.type == self.Type.EARN and self.location:
            return gettext("Purchase at %(location)s") % {"location": self.location.name}
        if self.type == self.Type.EARN and self.order_total is None:
            return gettext("Welcome bonus")
        if self.type == self.Type.IMPORT:
            return gettext("Points from before")
        if self.type == self.Type.REDEEM and "reward" in result:
            return gettext("Redeemed: %(reward)s") % result
        if self.type == self.Type.EXPIRE and "earned_before" in result:
            day = whole_day(datetime.fromisoformat(result["earned_before"]))
            return gettext("Expired: earned before %(day)s") % {"day": day}
        return self._reversal(self.reverses, result) if self.reverses else self.description

    def _reversal(self, first: "PointTransaction", result: dict[str, Any]) -> str:
        if first.type == self.Type.REDEEM:
            reward = json.loads(first.result).get("reward") if first.result else ""
            return gettext("Cancelled: %(reward)s") % {"reward": reward} if reward else self.description
        if "note" not in result:  # older rows have it in the description alone
            return self.description
        what = gettext("Taken back: %(what)s") % {"what": first.local_description}
        return f"{what} ({result['note']})" if result["note"] else what

    @property
    def recorded(self) -> dict[str, Any]:
        """What the journal says of it."""
        names = {"member": "customer_id", "points": "points", "order_total": "order_total"}
        names |= {"location": "location_id", "reverses": "reverses_id"}
        return {name: getattr(self, field) for name, field in names.items()}

    @property
    def entry(self) -> JournalEntry:
        kind = self.ENTRIES[self.type]
        return journal.entry(kind, self.pk, by=self.recorded_by, at=self.created_at, **self.recorded)

    @property
    def is_purchase(self) -> bool:
        return self.type == self.Type.EARN and self.order_total is not None

    @classmethod
    def reversals_of(cls, transaction: Any) -> PointTransactionQuerySet:
        """Return the row that took this one back, if there is one, from an index of reversals alone."""
        return cls.objects.filter(reverses=transaction, reverses__isnull=False)
