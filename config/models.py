from django.contrib.auth.models import User
from django.db import models
from django.utils.translation import gettext_lazy as _
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
    """That the user's password was given by somebody else and has to be changed at the first sign-in."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="temporary_password")

    class Meta:
        default_permissions = ()
        permissions = [("manage_staff", _("Can add, change and deactivate staff"))]

    def __str__(self) -> str:
        return str(self.user)
