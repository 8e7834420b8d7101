"""Codes, their scans, and the accounts and keys that own them."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from qrservice import addresses
from qrservice.addresses import new_analytics_id, new_slug

_ACCOUNT = pgettext_lazy("of a program", "account")


class Account(models.Model):
    """Owner of codes and API keys. The account `built-in` is this installation's own."""

    BUILT_IN = "built-in"

    name = models.CharField(_("name"), max_length=100, unique=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _ACCOUNT
        verbose_name_plural = pgettext_lazy("of programs", "accounts")

    def __str__(self) -> str:
        return self.name


class ApiKey(models.Model):
    """An account's key. Only its digest is stored; the key itself is shown once, when it is made."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="keys", verbose_name=_ACCOUNT)
    name = models.CharField(_("name"), max_length=100, blank=True, help_text=_("What uses it."))
    prefix = models.CharField(_("starts with"), max_length=12, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    can_generate = models.BooleanField(_("may make and change codes"), default=True)
    can_read_analytics = models.BooleanField(_("may read analytics"), default=True)
    replaces = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="successor"
    )
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.name or self.account})"

    @property
    def is_valid(self) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > timezone.now())


# Types, in the metadata, of codes of which there are as many as members and rewards.
OF_A_PERSON = ("loyalty_member", "reward_redemption")
STANDING = models.Q(metadata__type__isnull=True) | ~models.Q(metadata__type__in=OF_A_PERSON)


class Code(models.Model):
    """A dynamic QR code. Its short address never changes; its target can."""

    class Status(models.TextChoices):
        ACTIVE = "active", _("active")
        DISABLED = "disabled", _("disabled")

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="codes", verbose_name=_ACCOUNT)
    analytics_id = models.CharField(
        _("analytics ID"), max_length=32, unique=True, default=new_analytics_id, editable=False
    )
    slug = models.CharField(max_length=8, unique=True, default=new_slug, editable=False)
    redirect_url = models.URLField(_("target"), max_length=2048)
    base_url = models.CharField(max_length=500, blank=True, editable=False)
    metadata = models.JSONField(_("metadata"), default=dict, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.ACTIVE)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    updated_at = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        verbose_name = _("QR code")
        verbose_name_plural = _("QR codes")
        constraints = [
            models.CheckConstraint(condition=models.Q(status__in=["active", "disabled"]), name="code_status_is_known")
        ]
        # The admin's list begins with the few codes that hang on walls and stand on tables.
        indexes = [models.Index(fields=["id"], condition=STANDING, name="code_standing")]

    def __str__(self) -> str:
        return self.slug

    @property
    def is_active(self) -> bool:
        return self.status == self.Status.ACTIVE

    @property
    def short_url(self) -> str:
        return addresses.short_url(self.slug)

    @property
    def image_url(self) -> str:
        return addresses.image_url(self.slug)

    @property
    def target(self) -> str:
        """The address that a scan leads to now.

        A target in this installation moves with it: `base_url` is APP_BASE_URL at the time when the target was stored.
        """
        if self.base_url and self.base_url != settings.APP_BASE_URL and self.redirect_url.startswith(self.base_url):
            rest = self.redirect_url.removeprefix(self.base_url)
            if rest.startswith(("/", "?", "#")) or not rest:
                return settings.APP_BASE_URL + rest
        return self.redirect_url


class Scan(models.Model):
    """A counted scan. The IP address it came from is not stored."""

    # No index of its own: the one below begins with it.
    code = models.ForeignKey(
        Code, on_delete=models.CASCADE, related_name="scans", verbose_name=_("QR code"), db_index=False
    )
    scanned_at = models.DateTimeField(_("scanned"), default=timezone.now)
    city = models.CharField(_("city"), max_length=200, blank=True, default="")
    country = models.CharField(_("country"), max_length=100, blank=True, default="")
    device_type = models.CharField(_("device"), max_length=50, default="other")

    class Meta:
        verbose_name = _("scan")
        verbose_name_plural = _("scans")
        # For the analytics of a code (its scans in order, or those since a time) and the reports on a range of days.
        indexes = [models.Index(fields=["code", "scanned_at"], name="scan_by_code_and_time")]

    def __str__(self) -> str:
        return f"{self.code_id} {self.scanned_at:%Y-%m-%d %H:%M:%S}"
