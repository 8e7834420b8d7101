"""Reports as CSV."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from itertools import islice
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import renderers
from rest_framework.request import Request

from web.money import rounded
from web.negotiation import prefers_page
from web.rendering import JSONRenderer, PageRenderer
from web.reporting import Column, Table, Tile

BOM = "\ufeff"  # spreadsheets take a file for Latin-1 without it


class CSVRenderer(renderers.BaseRenderer):
    """Writes a report's page as CSV: plain figures, local times, one table below the other.

    `page_context(report)` holds them: `tiles` and `tables` of `web.reporting`; besides `notes`, `since` and `until`.
    The report's `warnings` come first. `csv_name(report)` is the file's name without its ending.
    """

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> str | bytes:
        context = renderer_context or {}
        view, request, response = context["view"], context["request"], context["response"]
        if response.exception:
            return self._refusal(data, request, context)
        report, page = data.instance, view.page.context
        response["Content-Disposition"] = f'attachment; filename="{view.csv_name(report)}.csv"'
        lines = io.StringIO()
        write = csv.writer(lines).writerow
        for warning in getattr(report, "warnings", ()):
            write([_("Warning"), warning])
            write([])
        for number, table in enumerate([*_tiles_table(page.get("tiles")), *page["tables"]]):
            if number:
                write([])
            if len(page["tables"]) > 1 or page.get("tiles"):
                write([table.title])
            write([column.label for column in table.columns])
            for row in table.rows:
                write([_csv_value(value, column.kind) for value, column in zip(row, table.columns, strict=True)])
        write([])
        for line in _about(page):
            write([_csv_value(value) for value in line])
        return BOM + lines.getvalue()

    def _refusal(self, data: Any, request: Request, context: Mapping[str, Any]) -> str | bytes:
        """Return an error as JSON, or for a browser as the page: never as a file."""
        chosen = PageRenderer() if prefers_page(request._request) else JSONRenderer()
        context["response"]["Content-Type"] = f"{chosen.media_type}; charset=utf-8"
        return chosen.render(data, chosen.media_type, dict(context))


def _about(page: dict[str, Any]) -> list[list[Any]]:
    """Return the page's window and time zone, the notes of its tables (or why they are empty), and its own."""
    times = [[label, page[name]] for name, label in (("since", _("From")), ("until", _("Until"))) if page.get(name)]
    zone = [_("Time zone"), str(timezone.get_current_timezone())]
    notes = [(table.title, table.note if table.rows else table.empty) for table in page["tables"]]
    sentences = [[title, sentence] for title, sentence in notes if sentence]
    return [[_("About this report")], *times, zone, *sentences, *([_("Note"), note] for note in page["notes"])]


def _tiles_table(tiles: list[Tile] | None) -> list[Table]:
    """The tiles as a table; of those that are compared, what they are compared with."""
    if not tiles:
        return []
    columns = [Column(label) for label in (_("Figure"), _("Value"), _("Before"), _("Compared with"))]
    rows = [
        [tile.label, *(_csv_value(each, tile.kind) for each in (tile.value, tile.before)), tile.period]
        for tile in tiles
    ]
    return [Table(_("Key figures"), columns, rows)]


def _csv_value(value: Any, kind: str = "text") -> Any:
    if kind == "money" and isinstance(value, Decimal):
        return rounded(value)
    if isinstance(value, datetime):
        return timezone.localtime(value).isoformat(timespec="seconds")
    return harmless(value) if isinstance(value, str) else value


# --- files of any length --------------------------------------------------------------------------------


def blocks(rows: Iterable[list[Any]], size: int = 1000) -> Iterator[str]:
    """Yield the rows as CSV, `size` of them at a time. Texts have to be `harmless` already."""
    yield BOM
    left = iter(rows)
    while block := list(islice(left, size)):
        lines = io.StringIO()
        csv.writer(lines).writerows(block)
        yield lines.getvalue()


# --- formulas ---------------------------------------------------------------------------------------

# The signs that begin a formula, also as full-width, small, raised and lowered characters.
_SIGN = "[=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u207c\u207a\u207b\u208c\u208a\u208b\u2212]"
# Skipped by a spreadsheet before a formula, or taken for the end of a cell or line.
_SKIPPED = "[\\s;\x00-\x1f\xad\u200b-\u200f\u2060\ufeff]"
# A telephone number is none: of digits alone, a spreadsheet computes nothing that could do harm.
_PHONE = r"\+[0-9](?:[ \xa0()./-]*[0-9]){5,14}(?![^;])"
_FORMULA = re.compile(f"('*)(?=[\t\r\n]|{_SKIPPED}*{_SIGN})(?!{_PHONE})")
_SEPARATOR = re.compile("[;\t\r\n]")
# Inside a text: where a spreadsheet separates by semicolons or tabs, this would be the beginning of a cell.
_INNER_FORMULA = re.compile(f"([;\t\r\n]{_SKIPPED}*)('*)(?={_SIGN})(?!{_PHONE})")


def harmless(text: str) -> str:
    """Return the text with an apostrophe before anything that a spreadsheet would run as a formula."""
    # An export has a million cells, and few have anything but letters and digits where it matters.
    if not text[:1].isalnum() and _FORMULA.match(text):
        text = f"'{text}"
    return _INNER_FORMULA.sub(r"\1'\2", text) if _SEPARATOR.search(text) else text


def as_written(text: str) -> str:
    """Undo `harmless`."""
    inner = _INNER_FORMULA.sub(lambda match: match[1] + match[2][1:], text)
    return inner[1:] if inner.startswith("'") and _FORMULA.match(inner) else inner
