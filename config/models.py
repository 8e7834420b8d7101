import uuid
from datetime import time
from typing import Any

from django.contrib.auth.models import User
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django_otp.models import Device as OtpDevice
from django_otp.models import TimestampMixin
from knox.models import AbstractAuthToken


class StaffToken(AbstractAuthToken):
    """A staff member's token. Only its digest is stored, so the key is shown once."""

    name = models.CharField(_("name"), max_length=100, blank=True, help_text=_("What uses it: a till, a script."))

    class Meta:
        verbose_name = _("staff token")
        verbose_name_plural = _("staff tokens")

    def __str__(self) -> str:
        return f"{self.name or self.token_key} ({self.user})"


class TemporaryPassword(models.Model):
    """A password that somebody else has set, to be changed at the user's first sign-in."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="temporary_password")

    class Meta:
        default_permissions = ()
        permissions = [("manage_staff", _("Can add, change and deactivate staff"))]

    def __str__(self) -> str:
        return str(self.user)


class StaffLanguage(models.Model):
    """The language in which somebody of the staff reads pages; without a row it is the venue's."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="+")
    language = models.CharField(max_length=10)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.language


class Device(models.Model):
    """A browser that several people share, who sign in on it with PINs, one at a time: see `config.devices`."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=60)
    enrolled_at = models.DateTimeField(auto_now_add=True)
    enrolled_by_name = models.CharField(max_length=150)
    revoked_at = models.DateTimeField(null=True)
    last_seen_at = models.DateTimeField(null=True)
    # Who is signed in on it; None while it is locked.
    user = models.ForeignKey(User, models.SET_NULL, null=True, related_name="devices")
    active_at = models.DateTimeField(null=True, help_text="When that person last did something.")

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


class Pin(models.Model):
    """The digits with which somebody signs in on a shared device, stored as passwords are."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="pin")
    hash = models.CharField(max_length=128)
    set_at = models.DateTimeField(auto_now=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.user)


class Presence(models.Model):
    """When somebody who signs in with a PIN was first and last seen on one of the venue's days."""

    user = models.ForeignKey(User, models.CASCADE, related_name="presences")
    day = models.DateField()
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["user", "day"], name="presence_once_a_day")]

    def __str__(self) -> str:
        return f"{self.user} ({self.day})"


class Passkey(TimestampMixin, OtpDevice):
    """A passkey for the second step of signing in, beside the apps, which are django-otp's."""

    credential_id = models.BinaryField(unique=True)
    public_key = models.BinaryField()
    sign_count = models.PositiveBigIntegerField()

    class Meta:
        default_permissions = ()


_one_line = RegexValidator(r"^[^\x00-\x1f\x7f\x85\u2028\u2029]*\Z", _("Please write this in one line."))


class Venue(models.Model):
    """One row: name and branding of the venue. Read it with `web.venue`, which caches it."""

    name = models.CharField(
        _("name"),
        max_length=100,
        blank=True,
        validators=[_one_line],
        help_text=_("On pages, mails and dockets. Empty: VENUE_NAME of the installation's settings."),
    )
    address = models.TextField(_("address"), max_length=500, blank=True)
    phone = models.CharField(_("phone"), max_length=30, blank=True, default="", validators=[_one_line])
    vat_number = models.CharField(_("VAT number"), max_length=30, blank=True, validators=[_one_line])
    accent = models.CharField(
        _("accent colour"),
        max_length=7,
        blank=True,
        validators=[RegexValidator(r"^#[0-9a-fA-F]{6}\Z", _("Six hexadecimal digits after #, such as #7a2848."))],
        help_text=_("Such as #7a2848. Empty: the usual one."),
    )
    # {"digest", "width", "height", "ground"} of its picture, which `config.services.branding` stores; empty: none.
    logo = models.JSONField(_("logo"), default=dict, blank=True, editable=False)
    logo_has_name = models.BooleanField(
        _("the logo shows the name"),
        default=False,
        help_text=_("Then pages don't write the name beside it."),
    )
    # [{"digest", "width", "height"}, ...] of its pictures, the narrowest first; empty: none.
    cover = models.JSONField(_("cover picture"), default=list, blank=True, editable=False)
    day_ends_at = models.TimeField(
        _("the day ends at"),
        default=time.min,
        help_text=_("An evening that goes on after midnight then counts as one day in the day's report."),
    )
    lock_after = models.PositiveSmallIntegerField(
        _("shared devices lock after"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(240)],
        help_text=_("Minutes in which whoever has signed in with a PIN does nothing."),
    )
    # One of `web.languages.FOR_STAFF`, which the form offers. Empty: the venue's.
    kitchen_language = models.CharField(max_length=10, blank=True, default="", db_default="")
    # Of `web.languages.NAMES`: those in which the menu has its words besides the venue's.
    menu_languages = models.JSONField(default=list, db_default=[], blank=True)
    location = models.ForeignKey(
        "loyalty.Location",
        models.SET_NULL,
        null=True,
        blank=True,
        verbose_name=_("location of its members"),
        help_text=_("Where orders at the tables earn points. Empty: they earn none."),
    )

    class Meta:
        verbose_name = _("venue")
        verbose_name_plural = _("venue")
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="venue_is_one_row")]

    def __str__(self) -> str:
        return self.name or str(_("Venue"))

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.pk = 1
        super().save(*args, **kwargs)


class Setup(models.Model):
    """One row: the steps of setting up that managers confirm. The others are read from the data."""

    cards_printed_at = models.DateTimeField(null=True)
    mail_tested_at = models.DateTimeField(null=True)
    hint_hidden = models.BooleanField(default=False)
    without_second_step = models.BooleanField(default=False)

    class Meta:
        default_permissions = ()
        permissions = [("set_up", _("Can see what is left to set up"))]
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="setup_is_one_row")]

    def __str__(self) -> str:
        return str(_("Setup"))


class VenuePicture(models.Model):
    """A version of the logo or cover, found by its hash: the picture at an address never changes."""

    class Kind(models.TextChoices):
        LOGO = "logo"
        MAIL_LOGO = "mail_logo"
        COVER = "cover"

    kind = models.CharField(max_length=10, choices=Kind)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    digest = models.CharField(max_length=64, db_index=True)
    content_type = models.CharField(max_length=30)
    data = models.BinaryField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["kind", "width"], name="venue_picture_once_for_each_width")]

    def __str__(self) -> str:
        return f"{self.kind} ({self.width})"
