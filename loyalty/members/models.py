"""Members, with their points and tiers, and columns that several tables have."""

import secrets
import uuid
from collections.abc import Collection
from decimal import Decimal
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Concat, Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from qrservice import gateway
from web.money import MoneyField


class WithCode(models.Model):
    """A row with a QR code of its own."""

    qr_code_url = models.URLField(max_length=500, blank=True, default="", editable=False)
    short_url = models.URLField(max_length=500, blank=True, default="", editable=False)

    class Meta:
        abstract = True

    def image_url(self, *, size: int | None = None) -> str:
        """Return the address of the code's image, `size` pixels wide; empty where there is no code."""
        return gateway.image_url(self.qr_code_url, size=size) if self.qr_code_url else ""


class Recorded(models.Model):
    """A row that somebody who was signed in may have caused."""

    # The name, which stays when the user is deleted. None for guests, and for rows from before there was this column.
    recorded_by = models.CharField(_("entered by"), max_length=150, null=True, blank=True, editable=False)

    class Meta:
        abstract = True


def new_card_key() -> str:
    return secrets.token_urlsafe(12)


def trigrams(text: Any) -> Func:
    """Return an expression for the array of all three characters of a text that stand side by side."""
    return Func(text, function="trigrams", output_field=ArrayField(models.TextField()))


def _plain(text: Any) -> Func:
    """Return an expression for the text as `web.searching.plain` writes it."""
    return Func(text, function="plain_text", output_field=models.TextField())


def _digits(number: str) -> Func:
    """Return an expression for a telephone number with nothing before its country's code, and without what is dialled
    only at home: "442079460000" for "+44 (0)20 7946-0000".
    """
    pattern, nothing, everywhere = Value(r"^\s*00|\(0\)|\D"), Value(""), Value("g")
    return Func(number, pattern, nothing, everywhere, function="regexp_replace", output_field=models.TextField())


class Member(WithCode):
    class Tier(models.TextChoices):
        BRONZE = "bronze", _("bronze")
        SILVER = "silver", _("silver")
        GOLD = "gold", _("gold")
        PLATINUM = "platinum", _("platinum")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # Empty for those whom staff have enrolled by their phone alone.
    email = models.EmailField(_("email"), max_length=255, blank=True)
    name = models.CharField(_("name"), max_length=255)
    phone = models.CharField(_("phone"), max_length=50, blank=True, default="")
    qr_analytics_id = models.CharField(max_length=100, blank=True, default="", editable=False)
    points_balance = models.IntegerField(_("points"), default=0)
    lifetime_points = models.IntegerField(_("lifetime points"), default=0)
    # Awards that were not taken back, the signup bonus too, and the order totals of these.
    awards = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    spend = MoneyField(max_digits=15, default=Decimal(0), db_default=0, editable=False)
    tier = models.CharField(_("tier"), max_length=50, default=Tier.BRONZE, choices=Tier)
    created_at = models.DateTimeField(_("joined"), default=timezone.now)
    last_activity_at = models.DateTimeField(_("last active"), null=True, blank=True)
    # Since when they agree to get offers by email. None: they don't.
    offers_agreed_at = models.DateTimeField(_("agreed to offers"), null=True, blank=True)
    # A note of the staff about the guest. It is part of what the member can download.
    note = models.TextField(_("note"), max_length=500, blank=True, default="", db_default="")
    # In which they last read their card or signed up, for mails. Empty: not known.
    language = models.CharField(max_length=10, blank=True, default="", db_default="", editable=False)
    # Changes with each sign-in by a link, so that no link works twice.
    signed_in_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The address that the member asked for, until a link that was mailed there confirms it.
    new_email = models.EmailField(max_length=255, blank=True, default="", db_default="", editable=False)
    new_email_asked_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Part of the cookie of every phone that is signed in to the card: a new key signs them all out.
    card_key = models.CharField(max_length=32, default=new_card_key, editable=False)
    # Phones that have signed out since there is this key: their cookies, and copies of them, are refused.
    signed_out_phones = ArrayField(models.CharField(max_length=32), null=True, blank=True, editable=False)
    # The person left, and is not named any more. The row stays with its points, for the reports.
    erased_at = models.DateTimeField(_("erased"), null=True, blank=True, editable=False)
    # One card was made of two, and this is not the one that was kept: it counts as erased, but leads to the other.
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="merged", db_index=False
    )
    # `card_key` of the card that was kept. Once it has another, phones of this one are signed out with its own.
    merged_key = models.CharField(max_length=32, blank=True, default="", db_default="", editable=False)
    # The text that searches read, in lines, made by the database. See `loyalty.points.queries.search`.
    search_text = models.GeneratedField(
        expression=Concat(
            _plain(Concat("name", Value("\n"), "email", Value("\n"), "phone", output_field=models.TextField())),
            Value("\n", models.TextField()),
            _digits("phone"),
        ),
        output_field=models.TextField(db_collation="C"),
        db_persist=True,
        editable=False,
    )

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        indexes = [
            # Searches for three characters and more. For what is shorter the other is read from its beginning to its
            # end: a third of the table, without what else a member has.
            GinIndex(trigrams("search_text"), name="member_trigrams"),
            models.Index(fields=["search_text", "id"], name="member_search"),
            # The admin's list, by its columns, tiers and dates; what the till has found.
            models.Index(F("last_activity_at").desc(nulls_last=True), name="member_by_activity"),
            models.Index("tier", F("last_activity_at").desc(nulls_last=True), name="member_of_tier_by_activity"),
            models.Index(fields=["name"], name="member_by_name"),
            models.Index(fields=["email"], name="member_by_email"),
            models.Index("points_balance", F("last_activity_at").desc(nulls_last=True), name="member_by_points"),
            models.Index(fields=["created_at"], name="member_by_joining"),
            models.Index(fields=["merged_into"], condition=Q(merged_into__isnull=False), name="member_merged"),
            # Members with the most points in the reports; those to win back are counted from it alone.
            models.Index(
                fields=["-lifetime_points"],
                include=["points_balance", "last_activity_at", "erased_at"],
                name="member_by_lifetime_points",
            ),
        ]
        constraints = [
            models.UniqueConstraint(Lower("email"), condition=~Q(email=""), name="member_email_whatever_its_case"),
            models.UniqueConstraint(
                _digits("phone"),
                condition=Q(email="", erased_at=None),
                name="member_phone_without_email",
                violation_error_message=_("There is already a card for this phone number."),
            ),
            models.CheckConstraint(condition=Q(points_balance__gte=0), name="member_balance_is_not_negative"),
            models.CheckConstraint(condition=Q(lifetime_points__gte=0), name="member_lifetime_is_not_negative"),
        ]
        permissions = [("view_reports", "Can read the loyalty reports")]

    def __str__(self) -> str:
        return self.name

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        """Allow an address that leads here from a card which was merged into this one."""
        own = {"email"} if self.email and self.merged.filter(email__iexact=self.email).exists() else set()
        super().validate_constraints({*(exclude or ()), *own} - {"erased_at"})  # which no form has, and one constraint

    @property
    def holder(self) -> "Member":
        """The member who has this card by now: another one where two cards were merged."""
        return self.merged_into or self

    @property
    def masked_email(self) -> str:
        """Return as much as tells guests apart, and no more: others may see the till's screen."""
        if not self.email:
            return ""
        local, at, host = self.email.rpartition("@")
        last = local[-1] if len(local) > 4 else ""
        return f"{local[:2]}…{last}{at}{host}"
