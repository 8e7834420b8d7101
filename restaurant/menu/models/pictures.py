"""Pictures of the menu, kept in the database so that backups and several machines have them."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Picture(models.Model):
    """An uploaded picture, cropped, in a few widths."""

    description = models.CharField(
        _("description"),
        max_length=200,
        blank=True,
        default="",
        help_text=_("What it shows, for people who can't see it. Empty: the dish's name."),
    )
    # Of its widest version, in pixels.
    width = models.PositiveIntegerField(editable=False)
    height = models.PositiveIntegerField(editable=False)
    # [{"width": 176, "digest": ...}, ...] of its versions, the narrowest first: what a page needs to link to them.
    widths = models.JSONField(default=list, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")
        default_permissions = ()

    def __str__(self) -> str:
        return self.description or str(self.pk)


def picture_path(digest: str) -> str:
    return f"/pictures/{digest}.webp"


class PictureVersion(models.Model):
    """A picture at one width, found by the hash of its bytes: what is served never changes."""

    picture = models.ForeignKey(Picture, on_delete=models.CASCADE, related_name="versions")
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    digest = models.CharField(max_length=64, db_index=True)
    content_type = models.CharField(max_length=30)
    data = models.BinaryField()

    class Meta:
        default_permissions = ()
        ordering = ["width"]
        constraints = [models.UniqueConstraint(fields=["picture", "width"], name="picture_once_for_each_width")]

    def __str__(self) -> str:
        return f"{self.digest[:12]} ({self.width})"
