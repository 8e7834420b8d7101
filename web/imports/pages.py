"""The admin pages that import a file: they show what it would change before anything does."""

import re
from abc import abstractmethod
from base64 import b64decode, b64encode
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from web.admin import file_input, own_page
from web.imports.reading import MAX_ROWS, PlanHasChanged, UnreadableFile
from web.imports.table import MAX_BYTES, TOO_LARGE, Contents

CONFIRM_WITHIN = 12 * 3600  # seconds
_ANSWER = re.compile("letters|separator|sheet|column_[0-9]{1,2}")


class FileForm(forms.Form):
    import_file = forms.FileField(
        label=gettext_lazy("CSV file or workbook"),
        widget=file_input(".csv,.tsv,.txt,.xlsx,text/csv", largest=MAX_BYTES, too_large=TOO_LARGE),
    )

    def clean_import_file(self) -> tuple[str, bytes]:
        """Return the file's name and content."""
        upload = self.cleaned_data["import_file"]
        return str(upload.name), upload.read(MAX_BYTES + 1)

    @property
    def answers(self) -> dict[str, str]:
        """Return what is told about the file beside it."""
        return {name: text for name, text in self.cleaned_data.items() if name != "import_file" and text}


class ImportAdmin(admin.ModelAdmin):
    """Imports a file after a preview of what would change. The preview carries it, signed, to whichever server."""

    import_form: ClassVar[type[FileForm]] = FileForm
    import_template: ClassVar[str]
    import_title: ClassVar[Any]
    import_answers = ""  # a pattern of the names of further answers

    class Media:
        css = {"all": ["css/admin/import.css"]}
        js = ["js/admin_files.js"]

    @abstractmethod
    def has_import_permission(self, request: HttpRequest) -> bool: ...

    @abstractmethod
    def read_file(self, data: bytes, answers: dict[str, str]) -> Contents:
        """Raises UnreadableFile."""

    @abstractmethod
    def plan_of(self, request: HttpRequest, file: Contents) -> Any:
        """Return what the file would change, with `fingerprint` and `may_be_confirmed`. It may ask something more."""

    @abstractmethod
    def carry_out(self, request: HttpRequest, file: Contents, fingerprint: str) -> None:
        """Do what was confirmed, and say what that was. Raises PlanHasChanged."""

    def get_urls(self) -> list[URLPattern]:
        views = (("import", self.import_view), ("process_import", self.confirm_view))
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        own = [path(f"{verb}/", self.admin_site.admin_view(view), name=f"{name}_{verb}") for verb, view in views]
        return [*own, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        context = {**(extra_context or {}), "has_import_permission": self.has_import_permission(request)}
        return super().changelist_view(request, context)

    def import_view(self, request: HttpRequest) -> HttpResponse:
        """Choose a file; the same page then shows what it would change."""
        if not self.has_import_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return self._import_page(request, self.import_form())
        if "file" in request.POST:  # read again, with answers
            try:
                name, data, _fingerprint, answers = self._sent_again(request)
            except signing.BadSignature:
                return self._choose_again(request)
            return self._preview(request, name, data, answers)
        form = self.import_form(request.POST, request.FILES)
        if form.is_valid():
            name, data = form.cleaned_data["import_file"]
            return self._preview(request, name, data, form.answers)
        return self._import_page(request, form)

    def confirm_view(self, request: HttpRequest) -> HttpResponse:
        """Import what the preview showed, or show a new preview."""
        if not self.has_import_permission(request):
            raise PermissionDenied
        try:
            name, data, fingerprint, answers = self._sent_again(request)
            file = self.read_file(data, answers)
            if file.reading.questions:
                return self._preview(request, name, data, answers)
            self.carry_out(request, file, fingerprint)
        except signing.BadSignature:
            return self._choose_again(request)
        except (PlanHasChanged, UnreadableFile):
            sentence = _(
                "The data or your choices have changed since the preview. Nothing was imported: please check again."
            )
            messages.warning(request, sentence)
            return self._preview(request, name, data, answers)
        return HttpResponseRedirect(self._address("changelist"))

    def _address(self, page: str) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_{page}")

    def _choose_again(self, request: HttpRequest) -> HttpResponse:
        messages.warning(request, _("This preview is no longer valid. Please choose the file again."))
        return HttpResponseRedirect(self._address("import"))

    @property
    def _salt(self) -> str:
        return f"import-{self.opts.label_lower}"

    def _sent_again(self, request: HttpRequest) -> tuple[str, bytes, str, dict[str, str]]:
        """Return what the preview signed, with the answers that were given since. Raises BadSignature."""
        name, data, fingerprint, answers = signing.loads(
            request.POST.get("file", ""), salt=self._salt, max_age=CONFIRM_WITHIN
        )  # fmt: skip
        names = re.compile(f"{_ANSWER.pattern}|{self.import_answers}")
        given = {name: value for name, value in request.POST.items() if names.fullmatch(name) and value != "?"}
        return name, b64decode(data), fingerprint, answers | given

    def _preview(self, request: HttpRequest, name: str, data: bytes, answers: dict[str, str]) -> HttpResponse:
        form = self.import_form(initial=answers)
        try:
            file = self.read_file(data, answers)
        except UnreadableFile as error:
            return self._import_page(request, form, unreadable=str(error))
        plan = self.plan_of(request, file)
        signed = signing.dumps(
            [name, b64encode(data).decode(), plan.fingerprint, answers], salt=self._salt, compress=True
        )
        return self._import_page(
            request,
            form,
            file_name=name,
            file=signed,
            plan=plan,
            confirm=signed if plan.may_be_confirmed and not file.reading.questions else None,
            unknown=file.unknown,
            reading=file.reading,
            is_guessed=not file.rows or "id" not in file.rows[0].cells,
            answers=answers,
        )

    def _import_page(self, request: HttpRequest, form: FileForm, **context: Any) -> HttpResponse:
        context |= {"title": self.import_title, "most": MAX_ROWS}
        return own_page(self, request, self.import_template, form=form, **context)
