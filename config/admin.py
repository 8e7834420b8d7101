from django.contrib import admin
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

    @admin.display(description=_("starts with"))
    def token_start(self, token: StaffToken) -> str:
        return f"{token.token_key[:6]}…"

    def has_add_permission(self, request: object) -> bool:
        return False


@admin.register(Venue)
class VenueAdmin(OneRowAdmin):
    fields = ["name", "address", "vat_number", "accent"]
