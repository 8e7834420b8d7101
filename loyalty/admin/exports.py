"""Lists as CSV: the rows and columns that are on the screen, whatever their number.

Not django-import-export: it exports a model's fields and not a list's columns, builds the whole file in memory
twice over, and lets any member of the staff who guesses its address have it.
"""

import csv
import html
import io
from collections.abc import Iterator
from datetime import datetime
from itertools import chain, islice
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import label_for_field, lookup_field
from django.core.exceptions import PermissionDenied
from django.db import DataError
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect, StreamingHttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _

_IMPOSSIBLE = (IncorrectLookupParameters, ValueError, DataError)
ROWS = 1000  # read, and sent, at a time
BOM = "\ufeff"  # spreadsheets take a file for Latin-1 without it
_STARTS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


class Exported(admin.ModelAdmin):
    """A list with an "Export CSV" that gives what the list shows: filtered, searched and ordered as it is.

    HTML in a column loses its tags; `plain` names the field that says the same, which is read faster. Whoever may
    see the list may have it as a file.
    """

    plain: dict[str, str] = {}

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.export_view)
        return [path("export/", view, name=f"{self._name}_export"), *super().get_urls()]

    @property
    def _name(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Django answers 500 to some filters that nobody could have chosen on the page."""
        try:
            response = super().changelist_view(request, extra_context)
            return response.render() if hasattr(response, "render") else response
        except _IMPOSSIBLE:
            return self._everything()

    def _everything(self) -> HttpResponseRedirect:
        return HttpResponseRedirect(reverse(f"admin:{self._name}_changelist") + "?e=1")

    def export_view(self, request: HttpRequest) -> HttpResponseBase:
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        try:
            found = self.get_changelist_instance(request)
        except _IMPOSSIBLE:
            return self._everything()
        columns = [str(name) for name in found.list_display if name != "action_checkbox"]
        file_name = f"{self.opts.model_name}-{timezone.localdate().isoformat()}.csv"
        return StreamingHttpResponse(
            self._lines(found.queryset.iterator(chunk_size=ROWS), columns),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{file_name}"', "Cache-Control": "no-store"},
        )

    def _lines(self, rows: Iterator[Any], columns: list[str]) -> Iterator[str]:
        heading = [_harmless(capfirst(str(label_for_field(name, self.model, self)))) for name in columns]
        read = [(self.plain.get(name, name), self._choices(name)) for name in columns]
        cells = ([self._cell(name, choices, row) for name, choices in read] for row in rows)
        yield BOM
        every = chain([heading], cells)
        while some := list(islice(every, ROWS)):
            file = io.StringIO()
            csv.writer(file).writerows(some)
            yield file.getvalue()

    def _choices(self, name: str) -> dict[Any, str]:
        fields = {field.name: field for field in self.opts.fields}
        return {value: str(label) for value, label in fields[name].flatchoices} if name in fields else {}

    def _cell(self, name: str, choices: dict[Any, str], row: Any) -> Any:
        value = lookup_field(name, row, self)[2]
        return _readable(choices.get(value, value) if choices else value)


def _readable(value: Any) -> Any:
    """Numbers as numbers; what is to be read as text that no spreadsheet runs."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, datetime):
        return timezone.localtime(value).strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, SafeString):
        return _harmless(" ".join(html.unescape(strip_tags(value)).split()))
    return value if isinstance(value, int) else _harmless(str(value))


def _harmless(text: str) -> str:
    """A name such as `=HYPERLINK(...)` is text for a spreadsheet too."""
    return f"'{text}" if text.startswith(_STARTS_FORMULA) else text
