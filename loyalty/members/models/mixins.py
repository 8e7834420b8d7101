"""What several tables have."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from qrservice import gateway


class WithCode(models.Model):
    """A row with a QR code of its own."""

    qr_code_url = models.URLField(max_length=500, blank=True, default="", editable=False)
    short_url = models.URLField(max_length=500, blank=True, default="", editable=False)

    class Meta:
        abstract = True

    def image_url(self, *, size: int | None = None) -> str:
        """The address of the code's image, `size` pixels wide; empty where there is no code."""
        return gateway.image_url(self.qr_code_url, size=size) if self.qr_code_url else ""


class Recorded(models.Model):
    """A row that somebody may have caused who was signed in."""

    # The name, which stays when the user is deleted. None for guests, and for rows from before there was this column.
    recorded_by = models.CharField(_("entered by"), max_length=150, null=True, blank=True, editable=False)

    class Meta:
        abstract = True
