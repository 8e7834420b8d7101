"""What the pages share: rows to read and not to write, rows with a history, links, filters by another row."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.actions import delete_selected
from django.contrib.admin.options import ModelAdmin
from django.contrib.admin.utils import unquote
from django.db.models import Model, ProtectedError, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant import queries
from restaurant.errors import TableUnknown
from restaurant.models import Table

CSS = {"all": ["css/admin_codes.css", "css/admin_restaurant.css"]}


def link(row: Model, words: object = "") -> str:
    """The row's name, or these words, leading to its page."""
    return format_html('<a class="long-name" href="{}">{}</a>', address(row), words or row)


def address(row: Model) -> str:
    return reverse(f"admin:restaurant_{row._meta.model_name}_change", args=[row.pk])


def name_of(row: Any) -> str:
    """A table of an order or a session, its section with it."""
    return f"{row} · {row.section}" if row.section else str(row)


class ReadOnly(admin.ModelAdmin):
    """For what services alone may write."""

    list_per_page = 50
    list_max_show_all = 500
    show_full_result_count = False

    class Media:
        css = CSS

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class WithHistory(admin.ModelAdmin):
    """Rows that can be deleted only while no order or session leads to them; whoever tries is told what to do."""

    instead: str | Promise = ""  # of deleting it; %(name)s is what it is about

    class Media:
        css = CSS

    @abstractmethod
    def with_history(self) -> QuerySet[Any]:
        """The rows that must stay."""

    def has_history(self, row: Any) -> bool:
        return self.with_history().filter(pk=row.pk).exists()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or not self.has_history(obj))

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        if row is None or not super().has_delete_permission(request, row):
            return super().delete_view(request, object_id, extra_context)
        try:
            if not self.has_history(row):
                return super().delete_view(request, object_id, extra_context)
        except ProtectedError:
            pass  # ordered while its deletion was being thought over; nothing was deleted
        messages.warning(request, str(self.instead) % {"name": row})
        return HttpResponseRedirect(address(row))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        if "delete_selected" in actions:
            # Under the name that the confirmation's form sends.
            words = _("Delete selected %(verbose_name_plural)s")
            actions["delete_selected"] = (_delete_what_can_be, "delete_selected", words)
        return actions

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Write what was changed and nothing else: what somebody else changed meanwhile stays."""
        if change:
            obj.save(update_fields=list(form.changed_data))
        else:
            super().save_model(request, obj, form, change)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Changed is what differs from what the page showed, however old the page is."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None:
            field.show_hidden_initial = True
        return field


def _delete_what_can_be(modeladmin: WithHistory, request: HttpRequest, chosen: QuerySet[Any]) -> HttpResponse | None:
    kept = list(chosen.filter(pk__in=modeladmin.with_history()))
    for row in kept[:5]:
        messages.warning(request, str(modeladmin.instead) % {"name": row})
    if len(kept) > 5:
        messages.warning(request, _("So it is with %(number)d more.") % {"number": len(kept) - 5})
    free = chosen.exclude(pk__in=[row.pk for row in kept])
    if not free.exists():
        return None
    try:
        return delete_selected(modeladmin, request, free)
    except ProtectedError:
        messages.warning(request, _("Nothing was deleted: one of them has just been ordered. Please try again."))
        return None


# --- filters that a link chooses ------------------------------------------------------------------


class Chosen(admin.SimpleListFilter):
    """Not to choose from: it says whose rows these are, after a link of another page, and lets go of them."""

    find: Callable[[str], Any]
    field = ""

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        wanted = self.value()
        if wanted is None:
            return []
        found = type(self).find(wanted)
        return [(wanted, str(found) if found else _("unknown"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        wanted = self.value()
        return queryset if wanted is None else queryset.filter(**{self.field: type(self).find(wanted)})


def _table(number: str) -> Table | None:
    try:
        return queries.table(queries.table_number(number))
    except TableUnknown:
        return None


class TableFilter(Chosen):
    title = gettext_lazy("table")
    parameter_name = "table"
    field = "table"
    find = staticmethod(_table)
