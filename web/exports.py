"""Lists as CSV: the rows and columns on the screen, whatever their number.

Not django-import-export: it exports a model's fields instead of a list's columns, builds the whole file in memory, and
lets any member of staff who guesses its address have it.
"""

import html
from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import label_for_field, lookup_field
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect, StreamingHttpResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from web.spreadsheets import blocks, harmless

ROWS = 1000  # read, and sent, at a time


class ExportAdmin(admin.ModelAdmin):
    """A list with a link "Download CSV": the same rows, filtered, searched and ordered.

    HTML in a column loses its tags; `plain` names a field with the same text, which is read faster. `exported` names
    the file's columns where a column of the list combines several.
    """

    change_list_template = "admin/exported_list.html"
    plain: dict[str, str] = {}
    exported: list[str] = []

    def with_all(self, rows: Iterator[Any]) -> Iterator[Any]:
        """Add what columns need beside the row. A list reads it per page, a file per block."""
        return rows

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.export_view)
        name = f"{self.opts.app_label}_{self.opts.model_name}_export"
        return [path("export/", view, name=name), *super().get_urls()]

    def export_view(self, request: HttpRequest) -> HttpResponseBase:
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        try:
            listed = self.get_changelist_instance(request)
        except IncorrectLookupParameters:
            return HttpResponseRedirect("../?e=1")  # as Django's list does
        columns = self.exported or [str(name) for name in listed.list_display if name != "action_checkbox"]
        return self.file_of(listed.queryset, columns)

    def file_of(self, rows: QuerySet[Any], columns: list[str]) -> StreamingHttpResponse:
        file_name = f"{self.opts.model_name}-{timezone.localdate().isoformat()}.csv"
        return StreamingHttpResponse(
            self._lines(self.with_all(rows.iterator(chunk_size=ROWS)), columns),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{file_name}"', "Cache-Control": "no-store"},
        )

    def _lines(self, rows: Iterator[Any], columns: list[str]) -> Iterator[str]:
        heading = [harmless(capfirst(str(label_for_field(name, self.model, self)))) for name in columns]
        names = [self.plain.get(name, name) for name in columns]
        read = [(name, self._choices(name)) for name in names]
        cells = ([self._cell(name, choices, row) for name, choices in read] for row in rows)
        return blocks(chain([heading], cells), ROWS)

    def _choices(self, name: str) -> dict[Any, str]:
        fields = {field.name: field for field in self.opts.fields}
        return {value: str(label) for value, label in fields[name].flatchoices} if name in fields else {}

    def _cell(self, name: str, choices: dict[Any, str], row: Any) -> Any:
        value = lookup_field(name, row, self)[2]
        return _csv_value(choices.get(value, value) if choices else value)


def _csv_value(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, datetime):
        return timezone.localtime(value).strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, SafeString):
        return harmless(" ".join(html.unescape(strip_tags(value)).split()))
    return value if isinstance(value, int) else harmless(str(value))
