"""Members, their points, and what they can have for them (document 2)."""

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Location(models.Model):
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


class Member(models.Model):
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
    tier = models.CharField(_("tier"), max_length=50, default=Tier.BRONZE, choices=Tier)
    created_at = models.DateTimeField(_("joined"), default=timezone.now)
    last_activity_at = models.DateTimeField(_("last active"), null=True, blank=True)

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [
            models.UniqueConstraint(Lower("email"), name="member_email_whatever_its_case"),
            models.CheckConstraint(condition=Q(points_balance__gte=0), name="member_balance_is_not_negative"),
            models.CheckConstraint(condition=Q(lifetime_points__gte=0), name="member_lifetime_is_not_negative"),
        ]
        permissions = [("view_reports", "Can read the loyalty reports")]

    def __str__(self) -> str:
        return self.name


class PointTransaction(models.Model):
    """A line of the ledger, which only grows."""

    class Type(models.TextChoices):
        EARN = "earn", _("earned")
        REDEEM = "redeem", _("redeemed")
        EXPIRE = "expire", _("taken")
        BONUS = "bonus", _("given")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    customer = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="transactions")
    type = models.CharField(_("type"), max_length=50, choices=Type)
    points = models.IntegerField(_("points"))
    description = models.TextField(_("description"), blank=True, default="")
    order_total = models.DecimalField(_("order total"), max_digits=10, decimal_places=2, null=True, blank=True)
    location = models.ForeignKey(Location, on_delete=models.PROTECT, null=True, blank=True)
    created_at = models.DateTimeField(_("time"), default=timezone.now)

    class Meta:
        verbose_name = _("point transaction")
        verbose_name_plural = _("point transactions")
        constraints = [
            models.CheckConstraint(
                condition=Q(type__in=["earn", "bonus"], points__gte=0)
                | Q(type__in=["redeem", "expire"], points__lte=0),
                name="transaction_sign_fits_its_type",
            )
        ]
        # A member's latest transactions.
        indexes = [models.Index(fields=["customer", "-created_at"], name="transaction_latest_of_member")]
        permissions = [("award_points", "Can award points for a purchase")]

    def __str__(self) -> str:
        return f"{self.points:+d} {self.type}"


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


class Redemption(models.Model):
    class Status(models.TextChoices):
        ACTIVE = "active", _("active")
        USED = "used", _("used")
        EXPIRED = "expired", _("expired")

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

    class Meta:
        verbose_name = _("redemption")
        verbose_name_plural = _("redemptions")
        permissions = [("validate_redemption", "Can validate and confirm redemptions")]

    def __str__(self) -> str:
        return self.redemption_code
