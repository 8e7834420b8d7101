"""Members, their points, and the rewards they buy with them."""

import secrets
import uuid
from datetime import datetime
from decimal import Decimal
from typing import Any, Self

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Value
from django.db.models.functions import Concat, Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


def new_card_key() -> str:
    return secrets.token_urlsafe(12)


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


class WithCode(models.Model):
    """A row with a QR code of its own."""

    qr_code_url = models.URLField(max_length=500, blank=True, default="", editable=False)
    short_url = models.URLField(max_length=500, blank=True, default="", editable=False)

    class Meta:
        abstract = True


class Recorded(models.Model):
    """A row that somebody may have caused who was signed in."""

    # The name, which stays when the user is deleted. None for guests, and for rows from before there was this column.
    recorded_by = models.CharField(_("entered by"), max_length=150, null=True, blank=True, editable=False)

    class Meta:
        abstract = True


class Location(WithCode):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=255)
    address = models.TextField(_("address"), blank=True, default="")
    earn_qr_analytics_id = models.CharField(max_length=100, blank=True, default="", editable=False)

    class Meta:
        verbose_name = _("location")
        verbose_name_plural = _("locations")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Member(WithCode):
    class Tier(models.TextChoices):
        BRONZE = "bronze", _("bronze")
        SILVER = "silver", _("silver")
        GOLD = "gold", _("gold")
        PLATINUM = "platinum", _("platinum")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(_("email"), max_length=255, unique=True)
    name = models.CharField(_("name"), max_length=255)
    phone = models.CharField(_("phone"), max_length=50, blank=True, default="")
    qr_analytics_id = models.CharField(max_length=100, blank=True, default="", editable=False)
    points_balance = models.IntegerField(_("points"), default=0)
    lifetime_points = models.IntegerField(_("lifetime points"), default=0)
    # Awards that were not taken back, the signup bonus too, and the order totals of these.
    awards = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    spend = models.DecimalField(max_digits=14, decimal_places=2, default=Decimal(0), db_default=0, editable=False)
    tier = models.CharField(_("tier"), max_length=50, default=Tier.BRONZE, choices=Tier)
    created_at = models.DateTimeField(_("joined"), default=timezone.now)
    last_activity_at = models.DateTimeField(_("last active"), null=True, blank=True)
    # Changes with each sign-in by a link, so that no link works twice.
    signed_in_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Part of the cookie of every phone that is signed in to the card: a new key signs them all out.
    card_key = models.CharField(max_length=32, default=new_card_key, editable=False)
    # Phones that have signed out since there is this key: their cookies, and copies of them, are refused.
    signed_out_phones = ArrayField(models.CharField(max_length=32), null=True, blank=True, editable=False)
    # The person left, and is not named any more. The row stays with its points, for the reports.
    erased_at = models.DateTimeField(_("erased"), null=True, blank=True, editable=False)
    # What a search looks into, in lines, made by the database. See `loyalty.search`.
    search_text = models.GeneratedField(
        expression=Lower(Concat("name", Value("\n"), "email", Value("\n"), "phone", output_field=models.TextField())),
        output_field=models.TextField(db_collation="C"),
        db_persist=True,
        editable=False,
    )

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        indexes = [
            # A search reads this from its beginning to its end: a third of the table, without what else a member has.
            models.Index(fields=["search_text", "id"], name="member_search"),
            # The admin's list, by its columns, tiers and dates; what the till has found.
            models.Index(F("last_activity_at").desc(nulls_last=True), name="member_by_activity"),
            models.Index("tier", F("last_activity_at").desc(nulls_last=True), name="member_of_tier_by_activity"),
            models.Index(fields=["name"], name="member_by_name"),
            models.Index("points_balance", F("last_activity_at").desc(nulls_last=True), name="member_by_points"),
            models.Index(fields=["created_at"], name="member_by_joining"),
            # Members with the most points in the reports; those to win back are counted from it alone.
            models.Index(
                fields=["-lifetime_points"],
                include=["points_balance", "last_activity_at", "erased_at"],
                name="member_by_lifetime_points",
            ),
        ]
        constraints = [
            models.UniqueConstraint(Lower("email"), name="member_email_whatever_its_case"),
            models.CheckConstraint(condition=Q(points_balance__gte=0), name="member_balance_is_not_negative"),
            models.CheckConstraint(condition=Q(lifetime_points__gte=0), name="member_lifetime_is_not_negative"),
        ]
        permissions = [("view_reports", "Can read the loyalty reports")]

    def __str__(self) -> str:
        return self.name


class PointTransactionQuerySet(models.QuerySet["PointTransaction"]):
    def standing(self) -> "PointTransactionQuerySet":
        """Without rows that were taken back, and without those that took them back."""
        kept = self.exclude(type=PointTransaction.Type.REVERSAL)
        return kept.exclude(Exists(PointTransaction.reversals_of(OuterRef("pk"))))

    def purchases(self) -> "PointTransactionQuerySet":
        """Awards for a bill: not the bonus for joining."""
        return self.filter(type=PointTransaction.Type.EARN, order_total__isnull=False)


class PointTransaction(Recorded):
    """A line of the ledger, which only grows."""

    class Type(models.TextChoices):
        EARN = "earn", _("earned")
        REDEEM = "redeem", _("redeemed")
        EXPIRE = "expire", _("expired or removed")
        BONUS = "bonus", _("added")
        REVERSAL = "reversal", _("taken back")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # Without an index of its own: those below start with it.
    customer = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="transactions", db_index=False)
    type = models.CharField(_("type"), max_length=50, choices=Type)
    points = models.IntegerField(_("points"))
    description = models.TextField(_("description"), blank=True, default="")
    order_total = models.DecimalField(_("order total"), max_digits=10, decimal_places=2, null=True, blank=True)
    location = models.ForeignKey(Location, on_delete=models.PROTECT, null=True, blank=True)
    staff_id = models.CharField(_("staff"), max_length=150, blank=True, default="")
    created_at = models.DateTimeField(_("time"), default=timezone.now)
    # The key of the request that made this, a digest of what it asked for, and the service's result as JSON.
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
                condition=Q(type__in=["earn", "bonus"], points__gte=0)
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

    @classmethod
    def reversals_of(cls, transaction: Any) -> PointTransactionQuerySet:
        """The row that took this one back, if there is one. From an index of reversals alone."""
        return cls.objects.filter(reverses=transaction, reverses__isnull=False)


class Reward(models.Model):
    class Type(models.TextChoices):
        DISCOUNT = "discount", _("discount")
        FREE_ITEM = "free_item", _("free item")
        EXPERIENCE = "experience", _("experience")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=255)
    description = models.TextField(_("description"), blank=True, default="")
    points_required = models.PositiveIntegerField(_("points required"))
    reward_type = models.CharField(_("type"), max_length=50, choices=Type, default=Type.FREE_ITEM)
    reward_value = models.JSONField(_("value"), default=dict, blank=True)
    available = models.BooleanField(_("available"), default=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("reward")
        verbose_name_plural = _("rewards")
        ordering = ["points_required", "name"]

    def __str__(self) -> str:
        return self.name


class RedemptionQuerySet(models.QuerySet["Redemption"]):
    def usable_at(self, now: datetime) -> Self:
        """What a member can still show to staff."""
        return self.filter(status=Redemption.Status.ACTIVE, expires_at__gte=now)

    def overdue_at(self, now: datetime) -> Self:
        """Their time is over, although nothing has stored that yet."""
        return self.filter(status=Redemption.Status.ACTIVE, expires_at__lt=now)


class Redemption(WithCode, Recorded):
    class Status(models.TextChoices):
        ACTIVE = "active", _("active")
        USED = "used", _("used")
        EXPIRED = "expired", _("expired")
        CANCELLED = "cancelled", _("cancelled")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    customer = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="redemptions")
    reward = models.ForeignKey(Reward, on_delete=models.PROTECT, related_name="redemptions")
    points_spent = models.PositiveIntegerField(_("points spent"))
    redemption_code = models.CharField(_("code"), max_length=100, unique=True)
    qr_analytics_id = models.CharField(max_length=100, blank=True, default="", editable=False)
    status = models.CharField(_("status"), max_length=50, choices=Status, default=Status.ACTIVE)
    expires_at = models.DateTimeField(_("expires"))
    used_at = models.DateTimeField(_("used"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now)

    objects = RedemptionQuerySet.as_manager()

    class Meta:
        verbose_name = _("redemption")
        verbose_name_plural = _("redemptions")
        # The programme report: redemptions of a period.
        indexes = [models.Index(fields=["created_at"], name="redemption_by_time")]
        permissions = [
            ("validate_redemption", "Can validate and confirm redemptions"),
            ("confirm_used", "Can hand out a used reward again"),
        ]

    def __str__(self) -> str:
        return self.redemption_code


class Confirmation(Recorded):
    """A member of staff handed a reward out. A redemption with more than one needs a manager's attention.

    One that was undone does not count.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    redemption = models.ForeignKey(Redemption, on_delete=models.PROTECT, related_name="confirmations")
    staff_id = models.CharField(_("staff"), max_length=150, blank=True, default="")
    location = models.ForeignKey(Location, on_delete=models.PROTECT, null=True, blank=True)
    message = models.TextField(_("message to staff"))
    # The state of the redemption before: `active`, or the reason for a warning.
    found = models.CharField(_("found"), max_length=50, choices=Redemption.Status)
    created_at = models.DateTimeField(_("time"), default=timezone.now)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)
    undone_by = models.CharField(_("undone by"), max_length=150, null=True, blank=True)

    class Meta:
        verbose_name = _("confirmation")
        verbose_name_plural = _("confirmations")
        ordering = ["created_at"]

    def __str__(self) -> str:
        return f"{self.redemption_id} {self.created_at:%Y-%m-%d %H:%M}"


class Notification(models.Model):
    """News for a member: stored with its cause, shown on the card, and emailed."""

    class Type(models.TextChoices):
        TIER_UPGRADE = "tier_upgrade", _("tier")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    customer = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="notifications")
    title = models.CharField(max_length=255)
    message = models.TextField()
    type = models.CharField(max_length=50, choices=Type, default=Type.TIER_UPGRADE)
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    # A sender moves this on first, so that no two send it.
    next_attempt_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        indexes = [
            models.Index(fields=["customer", "-created_at"], name="notification_latest_of_member"),
            # What `send_notifications` looks for.
            models.Index(fields=["next_attempt_at"], condition=Q(sent_at=None), name="notification_unsent"),
        ]

    def __str__(self) -> str:
        return self.title
