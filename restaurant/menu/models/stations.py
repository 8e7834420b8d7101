"""The kitchen's stations."""

import re

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

# Paths below /kitchen that are not stations.
RESERVED_SLUGS = frozenset({"pause", "seen", "new", "all", "status", "orders", "print", "printers", "stations"})


def validate_station_slug(slug: str) -> None:
    if slug in RESERVED_SLUGS:
        raise ValidationError(
            _("“%(slug)s” is taken by a page of the kitchen. Please choose another.") % {"slug": slug}
        )
    if not re.fullmatch(r"[a-z0-9-]+", slug):
        raise ValidationError(_("Please use small letters, digits and hyphens."))


class Station(models.Model):
    """A part of the kitchen with a display of its own, such as the bar or the grill."""

    name = models.CharField(_("name"), max_length=50, unique=True)
    slug = models.SlugField(
        _("address"),
        max_length=50,
        unique=True,
        validators=[validate_station_slug],
        help_text=_("Its display is at /kitchen/ and this."),
    )
    # Set by the kitchen: guests can't order its dishes until then.
    paused_until = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("station")
        verbose_name_plural = _("stations")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
