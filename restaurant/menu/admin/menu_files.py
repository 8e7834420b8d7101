"""The admin pages that import and export the menu as a CSV file."""

import re
from base64 import b64decode, b64encode
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.contrib.admin.options import IncorrectLookupParameters
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from restaurant.menu.services.menu_files import csv_file, importing
from restaurant.menu.services.menu_files.importing import Allowed
from restaurant.menu.services.menu_files.plans import Plan
from restaurant.menu.services.menu_files.reading import MAX_ROWS, UnreadableFile
from web.admin import file_input

CONFIRM_WITHIN = 12 * 3600  # seconds
_SALT = "menu-import"
_ANSWER = re.compile("letters|separator|sheet|decimal|amounts|gaps|others|legend|column_[0-9]{1,2}")


class FileForm(forms.Form):
    import_file = forms.FileField(
        label=gettext_lazy("CSV file or workbook"),
        widget=file_input(".csv,.tsv,.txt,.xlsx,text/csv", largest=csv_file.MAX_BYTES, too_large=csv_file.TOO_LARGE),
    )
    legend = forms.CharField(
        label=gettext_lazy("Legend of the allergens"),
        widget=forms.Textarea(attrs={"rows": 3, "placeholder": "A = gluten\nC = eggs"}),
        required=False,
        max_length=4000,
    )

    def clean_import_file(self) -> tuple[str, bytes]:
        """Return the file's name and content."""
        upload = self.cleaned_data["import_file"]
        return str(upload.name), upload.read(csv_file.MAX_BYTES + 1)


def _sent_again(request: HttpRequest) -> tuple[str, bytes, str, dict[str, str]]:
    """Return what the preview signed, with the answers that were given since. Raises BadSignature."""
    name, data, fingerprint, answers = signing.loads(
        request.POST.get("file", ""), salt=_SALT, max_age=CONFIRM_WITHIN
    )  # fmt: skip
    given = {name: value for name, value in request.POST.items() if _ANSWER.fullmatch(name) and value != "?"}
    return name, b64decode(data), fingerprint, answers | given


class MenuFilesAdmin(admin.ModelAdmin):
    """Exports the menu, and imports it after a preview of what would change."""

    def get_urls(self) -> list[URLPattern]:
        views = (("import", self.import_view), ("process_import", self.confirm_view), ("export", self.export_view))
        own = [
            path(f"{name}/", self.admin_site.admin_view(view), name=f"restaurant_menuitem_{name}")
            for name, view in views
        ]
        return [*own, *super().get_urls()]

    def has_import_permission(self, request: HttpRequest) -> bool:
        return self.has_add_permission(request) or self.has_change_permission(request)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        context = {**(extra_context or {}), "has_import_permission": self.has_import_permission(request)}
        return super().changelist_view(request, context)

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

    def import_view(self, request: HttpRequest) -> HttpResponse:
        """Choose a file; the same page then shows what it would change."""
        if not self.has_import_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return self._import_page(request, FileForm())
        if "file" in request.POST:  # read again, with answers
            try:
                name, data, _fingerprint, answers = _sent_again(request)
            except signing.BadSignature:
                return self._choose_again(request)
            return self._preview(request, name, data, answers)
        form = FileForm(request.POST, request.FILES)
        if form.is_valid():
            answers = {"legend": form.cleaned_data["legend"]} if form.cleaned_data["legend"] else {}
            name, data = form.cleaned_data["import_file"]
            return self._preview(request, name, data, answers)
        return self._import_page(request, form)

    def confirm_view(self, request: HttpRequest) -> HttpResponse:
        """Import what the preview showed, or show a new preview.

        The form carries the whole file, signed, so that any server can process it.
        """
        if not self.has_import_permission(request):
            raise PermissionDenied
        try:
            name, data, fingerprint, answers = _sent_again(request)
            file = csv_file.read(data, answers)
            if file.reading.questions:
                return self._preview(request, name, data, answers)
            done = importing.carry_out(file.rows, fingerprint=fingerprint, allowed=self._allowed(request))
        except signing.BadSignature:
            return self._choose_again(request)
        except (importing.MenuHasChanged, UnreadableFile):
            sentence = _(
                "The menu or your choices have changed since the preview. Nothing was imported: please check again."
            )
            messages.warning(request, sentence)
            return self._preview(request, name, data, answers)
        self._report(request, done)
        return HttpResponseRedirect(reverse("admin:restaurant_menuitem_changelist"))

    def _choose_again(self, request: HttpRequest) -> HttpResponse:
        messages.warning(request, _("This preview is no longer valid. Please choose the file again."))
        return HttpResponseRedirect(reverse("admin:restaurant_menuitem_import"))

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

    def _preview(self, request: HttpRequest, name: str, data: bytes, answers: dict[str, str]) -> HttpResponse:
        form = FileForm(initial={"legend": answers.get("legend", "")})
        try:
            file = csv_file.read(data, answers)
        except UnreadableFile as error:
            return self._import_page(request, form, unreadable=str(error))
        plan = importing.plan(file.rows, allowed=self._allowed(request))
        signed = signing.dumps([name, b64encode(data).decode(), plan.fingerprint, answers], salt=_SALT, compress=True)
        may_confirm = plan.changes_anything and not plan.refusals
        return self._import_page(
            request,
            form,
            file_name=name,
            file=signed,
            plan=plan,
            confirm=signed if may_confirm else None,
            unknown=file.unknown,
            reading=file.reading,
            is_guessed=not file.rows or "id" not in file.rows[0].cells,
            legend=answers.get("legend") or "\n".join(f"{sign} = " for sign in file.reading.missing),
        )

    def _import_page(self, request: HttpRequest, form: FileForm, **context: Any) -> HttpResponse:
        request.current_app = self.admin_site.name
        context |= {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Import the menu"),
            "media": self.media,
            "form": form,
            "most": MAX_ROWS,
        }
        return TemplateResponse(request, "admin/restaurant/menuitem/import.html", context)

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
        for changes, one, more in (
            (done.categories, "%(number)d category changed", "%(number)d categories changed"),
            (done.groups, "%(number)d group of options changed", "%(number)d groups of options changed"),
        ):
            if changes:
                counts.append(ngettext(one, more, len(changes)) % {"number": len(changes)})
        messages.success(request, _("The menu is imported: %(what)s.") % {"what": ", ".join(counts)})
