from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from config.models import StaffToken, Venue
from web.admin import OneRowAdmin


@admin.register(StaffToken)
class StaffTokenAdmin(admin.ModelAdmin):
    """Tokens are listed, renamed and revoked (deleted) here; they are made by `manage.py create_token`."""

    list_display = ["name", "user", "token_start", "created", "expiry"]
    list_filter = ["user"]
    fields = ["name", "user", "token_start", "created", "expiry"]
    readonly_fields = ["user", "token_start", "created"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[StaffToken]:
        """Superusers' tokens are for superusers, whoever else was given the permission."""
        tokens: QuerySet[StaffToken] = super().get_queryset(request)
        return tokens if request.user.is_superuser else tokens.exclude(user__is_superuser=True)

    @admin.display(description=_("starts with"))
    def token_start(self, token: StaffToken) -> str:
        return f"{token.token_key[:6]}…"

    def has_add_permission(self, request: object) -> bool:
        return False


@admin.register(Venue)
class VenueAdmin(OneRowAdmin):
    fields = ["name", "address", "vat_number", "accent", "location"]
