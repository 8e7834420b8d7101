from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken, AuthTokenManager


class StaffTokenManager(AuthTokenManager):
    """Reads whose token it is, and what they may do, along with it."""

    def get_queryset(self) -> Any:
        from config.permissions import permissions_of  # which needs the models of auth to be loaded

        return super().get_queryset().annotate(permissions_read=permissions_of("user_id"))


class StaffToken(AbstractAuthToken):
    """A staff member's token (decision 2.2): only its digest is stored, so it can be shown once and never again."""

    name = models.CharField(_("name"), max_length=100, blank=True, help_text=_("What uses it: a till, a script."))

    objects = StaffTokenManager()

    class Meta:
        verbose_name = _("staff token")
        verbose_name_plural = _("staff tokens")

    def __str__(self) -> str:
        return f"{self.name or self.token_key} ({self.user})"
