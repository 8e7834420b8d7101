"""What the pages share: rows to read and not to write, links between them, a filter by member."""

from abc import abstractmethod
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from loyalty import queries
from loyalty.errors import MemberUnknown
from web.fields import is_uuid


def link(row: Model) -> str:
    """The row's name, leading to its page."""
    return format_html('<a class="long-name" href="{}">{}</a>', address(row), row)


def address(row: Model) -> str:
    return reverse(f"admin:loyalty_{row._meta.model_name}_change", args=[row.pk])


class ReadOnly(admin.ModelAdmin):
    """For what services alone may write: the ledger, and what follows from it."""

    list_per_page = 50
    list_max_show_all = 500

    class Media:
        css = {"all": ["css/admin_codes.css", "css/admin_loyalty.css"]}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class OneByOne(admin.ModelAdmin):
    """Deleted one at a time, and only while nothing leads there: `has_history(row)` says whether something does."""

    class Media:
        css = {"all": ["css/admin_codes.css", "css/admin_loyalty.css"]}

    @abstractmethod
    def has_history(self, row: Any) -> bool:
        """Does something lead there?"""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or not self.has_history(obj))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Write what was changed and nothing else: points that came in meanwhile must not be overwritten."""
        if change:
            obj.save(update_fields=self.changed_fields(form))
        else:
            super().save_model(request, obj, form, change)

    def changed_fields(self, form: Any) -> list[str]:
        return list(form.changed_data)


class MemberFilter(admin.SimpleListFilter):
    """Not to choose from: it says whose rows these are, after a link of the member's page, and lets go of them."""

    title = gettext_lazy("member")
    parameter_name = "member"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        wanted = self.value()
        if wanted is None:
            return []
        try:
            return [(wanted, queries.member(wanted).name)]
        except MemberUnknown:
            return [(wanted, _("unknown"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        wanted = self.value()
        if wanted is None:
            return queryset
        return queryset.filter(customer=wanted) if is_uuid(wanted) else queryset.none()
