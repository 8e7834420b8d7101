"""The pages with which the menu is imported and exported, around django-import-export."""

import base64
import logging
import zlib
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.models import LogEntry
from django.contrib.admin.options import IncorrectLookupParameters
from django.core import signing
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from import_export.admin import ImportExportMixin
from tablib import Dataset

from restaurant.admin import menu_csv
from restaurant.admin.menu_import import MenuHasChanged, MenuResource
from restaurant.models import MenuItem

log = logging.getLogger(__name__)

CONFIRM_WITHIN = 12 * 3600  # seconds
_SIGNER = signing.TimestampSigner(salt="menu-import")


class FileForm(forms.Form):
    import_file = forms.FileField(
        label=gettext_lazy("CSV file"), widget=forms.FileInput(attrs={"accept": ".csv,text/csv"})
    )

    def clean_import_file(self) -> tuple[str, bytes, Dataset]:
        """Its name, what is in it, and what that says."""
        chosen: UploadedFile = self.cleaned_data["import_file"]
        try:
            # One byte more than may be is enough to know.
            data = chosen.read(menu_csv.MAX_BYTES + 1)
            return str(chosen.name), data, menu_csv.read(data)
        except menu_csv.Unreadable as error:
            raise ValidationError(str(error)) from error


class ConfirmForm(forms.Form):
    """Carries the file from the preview to its confirmation: no server has to keep it, and any can go on with it."""

    file = forms.CharField(widget=forms.HiddenInput)
    file_name = forms.CharField(widget=forms.HiddenInput)
    fingerprint = forms.CharField(widget=forms.HiddenInput, max_length=64)

    def clean_file(self) -> bytes:
        """Raises ValidationError for what we did not sign, or too long ago."""
        try:
            return _unpacked(self.cleaned_data["file"])
        except signing.BadSignature as error:
            raise ValidationError(_("This preview is too old.")) from error


def _packed(data: bytes) -> str:
    return _SIGNER.sign(base64.b64encode(zlib.compress(data)).decode())


def _unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(_SIGNER.unsign(text, max_age=CONFIRM_WITHIN)))


class ImportedAndExported(ImportExportMixin):
    """A menu that goes out as a CSV file, and comes back after a preview of what that would change."""

    formats = [menu_csv.MenuCSV]
    resource_classes = [MenuResource]
    skip_export_form = True
    import_export_change_list_template = "admin/restaurant/menuitem/change_list.html"
    import_template_name = "admin/restaurant/menuitem/import.html"

    # --- who may ----------------------------------------------------------------------------------

    def has_import_permission(self, request: HttpRequest) -> bool:
        return self.has_add_permission(request) or self.has_change_permission(request)

    def has_export_permission(self, request: HttpRequest) -> bool:
        return self.has_view_or_change_permission(request)

    # --- out --------------------------------------------------------------------------------------

    def export_action(self, request: HttpRequest) -> HttpResponse:
        try:
            return super().export_action(request)
        except IncorrectLookupParameters:
            return HttpResponseRedirect(self._list() + "?e=1")

    def get_export_resource_kwargs(self, request: HttpRequest, **kwargs: Any) -> dict[str, Any]:
        return {}

    def get_export_filename(self, request: HttpRequest, queryset: QuerySet[MenuItem], file_format: Any) -> str:
        return f"menu-{timezone.localdate().isoformat()}.csv"

    # --- in ---------------------------------------------------------------------------------------

    def import_action(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """Choose a file; sent, the same page shows what it would change."""
        if not self.has_import_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return self._import_page(request, FileForm())
        form = FileForm(request.POST, request.FILES)
        if form.is_valid():
            return self._preview(request, *form.cleaned_data["import_file"])
        return self._import_page(request, form)

    def process_import(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """Do what was confirmed: exactly that, or nothing and a new preview."""
        if not self.has_import_permission(request):
            raise PermissionDenied
        form = ConfirmForm(request.POST or None)
        if not form.is_valid():
            messages.warning(request, _("This preview is no longer valid. Please choose the file again."))
            return HttpResponseRedirect(reverse("admin:restaurant_menuitem_import"))
        file_name, data = form.cleaned_data["file_name"], form.cleaned_data["file"]
        resource = self._resource(request, expected=form.cleaned_data["fingerprint"])
        result = resource.import_data(
            menu_csv.read(data),
            dry_run=False,
            rollback_on_validation_errors=True,
            retain_instance_in_row_result=True,
        )
        if result.has_errors() or result.has_validation_errors():
            self._say_that_nothing_was_done(request, result)
            return self._preview(request, file_name, data, menu_csv.read(data))
        return self.process_result(result, request)

    def _resource(self, request: HttpRequest, expected: str | None = None) -> MenuResource:
        may = {"may_add": self.has_add_permission(request), "may_change": self.has_change_permission(request)}
        return MenuResource(**may, expected=expected)

    def _say_that_nothing_was_done(self, request: HttpRequest, result: Any) -> None:
        errors = [each.error for each in result.base_errors]
        if any(not isinstance(each, MenuHasChanged) for each in errors):
            log.error("the menu could not be imported", exc_info=errors[0])
            messages.error(request, _("The menu could not be changed. Nothing was imported."))
        else:
            sentence = _("The menu has changed since this preview was made. Nothing was imported: please look again.")
            messages.warning(request, sentence)

    def _preview(self, request: HttpRequest, file_name: str, data: bytes, dataset: Dataset) -> HttpResponse:
        resource = self._resource(request)
        result = resource.import_data(dataset, dry_run=True)
        refused = [*_refused(result), *_not_understood(result)]
        changes = [row for row in result.rows if row.is_new() or row.is_update()]
        confirm = None
        if changes and not refused:
            initial = {"file": _packed(data), "file_name": file_name, "fingerprint": resource.fingerprint}
            confirm = ConfirmForm(initial=initial)
        context = {
            "file_name": file_name,
            "totals": result.totals,
            "changes": [_shown(row) for row in changes],
            "refused": sorted(refused, key=lambda row: row["number"]),
            "confirm": confirm,
        }
        return self._import_page(request, FileForm(), preview=context)

    def _import_page(self, request: HttpRequest, form: FileForm, **context: Any) -> HttpResponse:
        request.current_app = self.admin_site.name
        context |= {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Import the menu"),
            "media": self.media,
            "form": form,
            "columns": menu_csv.COLUMNS,
            "most": menu_csv.MAX_ROWS,
        }
        return TemplateResponse(request, self.import_template_name, context)

    def add_success_message(self, result: Any, request: HttpRequest) -> None:
        new, changed, same = (result.totals[each] for each in ("new", "update", "skip"))
        parts = [
            ngettext("%(number)d new item", "%(number)d new items", new) % {"number": new},
            ngettext("%(number)d changed", "%(number)d changed", changed) % {"number": changed},
            ngettext("%(number)d unchanged", "%(number)d unchanged", same) % {"number": same},
        ]
        messages.success(request, _("The menu is imported: %(what)s.") % {"what": ", ".join(parts)})

    def _create_log_entry(self, user_pk: Any, rows: Any, import_type: str, action_flag: int) -> None:
        if rows:
            words = _("Imported from a file.")
            LogEntry.objects.log_actions(user_pk, rows, action_flag, change_message=words)

    def _list(self) -> str:
        return reverse("admin:restaurant_menuitem_changelist")


# --- what the preview shows -----------------------------------------------------------------------


def _label(column: str) -> str:
    field: Any = MenuItem._meta.get_field(column)
    return capfirst(str(field.verbose_name))


def _shown(row: Any) -> dict[str, Any]:
    changes = [
        {"label": _label(each.column), "old": each.old, "new": each.new}
        for each in row.diff
        if not (row.is_new() and each.column == "name")
    ]
    return {"number": row.number, "is_new": row.is_new(), "name": row.object_repr, "changes": changes}


def _refused(result: Any) -> list[dict[str, Any]]:
    return [
        {
            "number": row.number,
            "sentences": [
                *row.non_field_specific_errors,
                *(f"{_label(name)}: {each}" for name, errors in row.field_specific_errors.items() for each in errors),
            ],
            "name": row.values[1] if row.values[1] != "---" else "",
        }
        for row in result.invalid_rows
    ]


def _not_understood(result: Any) -> list[dict[str, Any]]:
    for row in result.rows:
        for each in row.errors:
            log.error("row %d of a menu can't be imported", row.number, exc_info=each.error)
    return [
        {"number": row.number, "sentences": [_("This row can't be read.")], "name": ""}
        for row in result.rows
        if row.errors
    ]
