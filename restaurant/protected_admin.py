"""Admin pages of rows that can't be deleted once an order or a session refers to them."""

from abc import abstractmethod
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.actions import delete_selected
from django.contrib.admin.utils import unquote
from django.db.models import ProtectedError, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from web.admin import HistoryAdmin, change_url

MAX_SENTENCES = 5  # on rows whose deletion is refused


class ProtectedAdmin(HistoryAdmin):
    refusal: str | Promise = ""  # of deleting the row `%(name)s`: what to do about it

    @abstractmethod
    def rows_with_history(self) -> QuerySet[Any]:
        """Return the rows that an order or a session refers to."""

    def has_history(self, row: Any) -> bool:
        """Return whether an order or a session refers to the row, by one query for a page."""
        if not hasattr(row, "is_in_records"):
            row.is_in_records = self.rows_with_history().filter(pk=row.pk).exists()
        return bool(row.is_in_records)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        if row is None or not admin.ModelAdmin.has_delete_permission(self, request, row):
            return super().delete_view(request, object_id, extra_context)
        try:
            if not self.has_history(row):
                return super().delete_view(request, object_id, extra_context)
        except ProtectedError:
            pass  # ordered since the check; nothing was deleted
        messages.warning(request, str(self.refusal) % {"name": row})
        return HttpResponseRedirect(change_url(row))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        if "delete_selected" in actions:
            # The confirmation page sends this name.
            description = _("Delete selected %(verbose_name_plural)s")
            actions["delete_selected"] = (_delete_without_history, "delete_selected", description)
        return actions

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Compare a field with what the page showed, however old the page is, to see whether it was changed."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None:
            field.show_hidden_initial = True
        return field


def _delete_without_history(
    modeladmin: ProtectedAdmin, request: HttpRequest, chosen: QuerySet[Any]
) -> HttpResponse | None:
    refused = list(chosen.filter(pk__in=modeladmin.rows_with_history()))
    for row in refused[:MAX_SENTENCES]:
        messages.warning(request, str(modeladmin.refusal) % {"name": row})
    if len(refused) > MAX_SENTENCES:
        messages.warning(request, _("The same goes for %(number)d more.") % {"number": len(refused) - MAX_SENTENCES})
    free = chosen.exclude(pk__in=[row.pk for row in refused])
    if not free.exists():
        return None
    try:
        return delete_selected(modeladmin, request, free)
    except ProtectedError:
        messages.warning(request, _("Nothing was deleted: one of them has just been ordered. Please try again."))
        return None
