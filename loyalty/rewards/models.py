"""Rewards, their redemptions by members, and what staff handed out."""

import uuid
from datetime import date, datetime, timedelta
from typing import Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from loyalty.members.models import Member, Recorded, WithCode
from loyalty.points.models import Location
from loyalty.restaurant import OnBill
from web.templatetags.moments import short_day
from web.templatetags.money import clock

SOON = 7  # days


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
        """Keep what a member can still show to staff."""
        return self.filter(status=Redemption.Status.ACTIVE, expires_at__gte=now)

    def overdue_at(self, now: datetime) -> Self:
        """Keep active redemptions whose time is over."""
        return self.filter(status=Redemption.Status.ACTIVE, expires_at__lt=now)


class Redemption(WithCode, Recorded):
    class Status(models.TextChoices):
        ACTIVE = "active", _("active")
        USED = "used", _("used")
        EXPIRED = "expired", _("expired")
        CANCELLED = "cancelled", _("cancelled")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    customer = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="redemptions", verbose_name=_("member"))
    reward = models.ForeignKey(Reward, on_delete=models.PROTECT, related_name="redemptions", verbose_name=_("reward"))
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

    @property
    def last_day(self) -> date:
        """Return the last day on which it is valid until the venue's midnight, as guests read it.

        Whoever reads "until 25 Dec" comes to dinner on the 25th.
        """
        return timezone.localdate(self.expires_at + timedelta(minutes=1)) - timedelta(days=1)

    @property
    def days_left(self) -> int:
        """Return 0 where today is the last whole day, and -1 where it ends today at a time of day."""
        return (self.last_day - timezone.localdate()).days

    @property
    def ends_soon(self) -> bool:
        return self.days_left <= SOON

    @property
    def until(self) -> str:
        """Return its last whole day, such as `25 Dec`; once that is over, the time of day: `today, 10:59`."""
        if self.days_left < 0:
            return gettext("today, %(time)s") % {"time": clock(self.expires_at)}
        return short_day(self.last_day)


class Confirmation(Recorded):
    """A member of staff handed a reward out, unless it was undone.

    A redemption with more than one needs a manager's attention.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    redemption = models.ForeignKey(Redemption, on_delete=models.PROTECT, related_name="confirmations")
    staff_id = models.CharField(_("staff"), max_length=150, blank=True, default="")
    location = models.ForeignKey(Location, on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("location"))
    message = models.TextField(_("message to staff"))
    # The state of the redemption before: `active`, or the reason for a warning.
    found = models.CharField(_("found"), max_length=50, choices=Redemption.Status)
    created_at = models.DateTimeField(_("time"), default=timezone.now)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)
    undone_by = models.CharField(_("undone by"), max_length=150, null=True, blank=True)
    # Not stored: what it took off the bill that it was confirmed for.
    applied: OnBill | None = None

    class Meta:
        verbose_name = _("confirmation")
        verbose_name_plural = _("confirmations")
        ordering = ["created_at"]

    def __str__(self) -> str:
        return f"{self.redemption_id} {self.created_at:%Y-%m-%d %H:%M}"
