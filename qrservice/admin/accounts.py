from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from qrservice.admin.keys import KeyColumns
from qrservice.models import Account, ApiKey
from web.admin import ReadOnly


class KeyInline(KeyColumns, ReadOnly, admin.TabularInline):
    """The account's keys, read-only. They are created and revoked on their own pages."""

    model = ApiKey
    fields = ["name", "scopes", "created_at", "expiry", "state"]
    readonly_fields = ["name", "scopes", "created_at", "expiry", "state"]
    ordering = ["-pk"]
    extra = 0
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiKey]:
        return super().get_queryset(request).select_related("account", "successor")


@admin.register(Account)
class AccountAdmin(admin.ModelAdmin):
    list_display = ["name", "created_at"]
    search_fields = ["name__typed"]
    search_help_text = gettext_lazy("Name")
    ordering = ["name"]
    fields = ["name", "created_at"]

    def get_readonly_fields(self, request: HttpRequest, obj: Account | None = None) -> list[str]:
        # The built-in service finds its account by this name.
        return ["name", "created_at"] if _is_built_in(obj) else ["created_at"]

    def get_inlines(self, request: HttpRequest, obj: Account | None) -> list[Any]:
        return [KeyInline] if obj else []

    def has_delete_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        return super().has_delete_permission(request, obj) and not _is_built_in(obj)


def _is_built_in(account: Account | None) -> bool:
    return account is not None and account.name == Account.BUILT_IN
