"""The admin pages that import and export the menu as a CSV file."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from restaurant.menu.services.menu_files import csv_file, importing
from restaurant.menu.services.menu_files.importing import Allowed
from restaurant.menu.services.menu_files.plans import Plan
from web.imports.pages import FileForm, ImportAdmin
from web.imports.table import Contents


class MenuFileForm(FileForm):
    legend = forms.CharField(
        label=gettext_lazy("Legend of the allergens"),
        widget=forms.Textarea(attrs={"rows": 3, "placeholder": "A = gluten\nC = eggs"}),
        required=False,
        max_length=4000,
    )


class MenuFilesAdmin(ImportAdmin):
    """Exports the menu, and imports it."""

    import_form = MenuFileForm
    import_template = "admin/restaurant/menuitem/import.html"
    import_title = gettext_lazy("Import the menu")
    import_answers = "decimal|amounts|gaps|others|legend"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.export_view)
        return [path("export/", view, name="restaurant_menuitem_export"), *super().get_urls()]

    def has_import_permission(self, request: HttpRequest) -> bool:
        return self.has_add_permission(request) or self.has_change_permission(request)

    def export_view(self, request: HttpRequest) -> HttpResponse:
        """Return the items that the list shows, on all its pages."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        try:
            items = self.get_changelist_instance(request).queryset
        except IncorrectLookupParameters:
            return HttpResponseRedirect("../?e=1")  # as Django's list does
        name = f"menu-{timezone.localdate().isoformat()}.csv"
        return HttpResponse(
            csv_file.write(items),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    # --- import -----------------------------------------------------------------------------------

    def read_file(self, data: bytes, answers: dict[str, str]) -> Contents:
        return csv_file.read(data, answers)

    def plan_of(self, request: HttpRequest, file: Contents) -> Plan:
        return importing.plan(file.rows, allowed=self._allowed(request))

    def carry_out(self, request: HttpRequest, file: Contents, fingerprint: str) -> None:
        self._report(request, importing.carry_out(file.rows, fingerprint=fingerprint, allowed=self._allowed(request)))

    def _allowed(self, request: HttpRequest) -> Allowed:
        def may(*models: str) -> bool:
            verbs = ("add", "change", "delete")
            return all(request.user.has_perm(f"restaurant.{verb}_{model}") for model in models for verb in verbs)

        return Allowed(
            add=self.has_add_permission(request),
            change=self.has_change_permission(request),
            categories=may("category", "station"),
            options=may("optiongroup", "option"),
        )

    def _report(self, request: HttpRequest, done: Plan) -> None:
        """Log the changes of each item and tell the user."""
        new, changed = done.new_items, done.changed_items
        shared = [change.instance for change in (*done.categories, *done.groups)]
        user: Any = request.user.pk
        for instances, action in ((new, ADDITION), ([*changed, *shared], CHANGE)):
            LogEntry.objects.log_actions(user, instances, action, change_message=_("Imported from a file."))
        counts = [
            ngettext("%(number)d new item", "%(number)d new items", len(new)) % {"number": len(new)},
            ngettext("%(number)d changed", "%(number)d changed", len(changed)) % {"number": len(changed)},
            ngettext("%(number)d unchanged", "%(number)d unchanged", done.unchanged) % {"number": done.unchanged},
        ]
        categories = ngettext_lazy("%(number)d category changed", "%(number)d categories changed", "number")
        groups = ngettext_lazy("%(number)d group of options changed", "%(number)d groups of options changed", "number")
        for changes, sentence in ((done.categories, categories), (done.groups, groups)):
            if changes:
                counts.append(sentence % {"number": len(changes)})
        messages.success(request, _("The menu is imported: %(what)s.") % {"what": ", ".join(counts)})
