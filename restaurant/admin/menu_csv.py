"""The menu as a CSV file: how it is written, and what is read as one."""

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _
from import_export.formats.base_formats import CSV
from tablib import Dataset

COLUMNS = ("id", "name", "description", "price", "category", "image_url", "available")
MAX_BYTES = 1024 * 1024
MAX_ROWS = 2000

_BOM = "\ufeff"  # spreadsheets take a file for Latin-1 without it
# What a spreadsheet would run, behind any number of the marks with which it is kept from that.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")


class Unreadable(ValueError):
    """The file is not what it should be; the text says how, for the person who chose it."""


def harmless(text: str) -> str:
    """A name such as `=HYPERLINK(...)` is text for a spreadsheet too. `as_meant` takes it back."""
    return f"'{text}" if _FORMULA.match(text) else text


def as_meant(text: str) -> str:
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


class MenuCSV(CSV):
    """Written for spreadsheets: in UTF-8, which they recognise, and without formulas."""

    CONTENT_TYPE = "text/csv; charset=utf-8"

    def is_binary(self) -> bool:
        return True  # the encoding is ours

    def export_data(self, dataset: Dataset, **kwargs: Any) -> bytes:
        return (_BOM + super().export_data(dataset, **kwargs)).encode()

    def _escape_formulae(self, dataset: Dataset) -> None:
        """The library's own way would take the first character away."""
        for _each in range(len(dataset)):
            dataset.append([harmless(str(cell)) for cell in dataset.lpop()])


def read(data: bytes) -> Dataset:
    """The rows of a file; `dataset.rows_in_file` has their numbers as a spreadsheet shows them. Raises Unreadable."""
    if len(data) > MAX_BYTES:
        raise Unreadable(_("This file is too large: a menu has at most 1 MB."))
    rows = _rows(_text(data))
    heading = next(rows, None)
    if heading is None:
        raise Unreadable(_("This file is empty."))
    columns = _columns(heading[1])
    dataset = Dataset(headers=[name for name in columns if name])
    dataset.rows_in_file = []
    for number, cells in islice(rows, MAX_ROWS + 1):
        dataset.append([as_meant(cell) for cell in _in_columns(cells, columns, number)])
        dataset.rows_in_file.append(number)
    if not len(dataset):
        raise Unreadable(_("There are no rows below the first one."))
    if len(dataset) > MAX_ROWS:
        raise Unreadable(_("This file has too many rows: a menu has at most %(most)d.") % {"most": MAX_ROWS})
    return dataset


def _text(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise Unreadable(_("This is not a CSV file in UTF-8. A spreadsheet saves one as “CSV UTF-8”."))
    return text


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Numbered from 1; empty rows are counted and left out."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        for number, cells in enumerate(reader, 1):
            if any(cell.strip() for cell in cells):
                yield number, cells
    except csv.Error as error:
        place = {"line": reader.line_num}
        sentence = _("This file can't be read near line %(line)d: perhaps a quotation mark is missing there.")
        raise Unreadable(sentence % place) from error


def _delimiter(text: str) -> str:
    """Whichever parts the first line into most names that we know."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    known = {mark: sum(_name(cell) in COLUMNS for cell in first.split(mark)) for mark in ",;\t"}
    return max(known, key=lambda mark: known[mark])


def _name(cell: str) -> str:
    return "_".join(cell.strip().strip('"').lower().split())


def _columns(cells: list[str]) -> list[str]:
    """The names in the first row, "" for a column without one. Raises Unreadable."""
    names = [_name(cell) for cell in cells]
    known = {"known": ", ".join(COLUMNS)}
    unknown = [cell.strip()[:40] for cell, name in zip(cells, names, strict=True) if name and name not in COLUMNS]
    if len(unknown) == len([name for name in names if name]):
        raise Unreadable(_("The first row has to name the columns: %(known)s.") % known)
    if unknown:
        sentence = _("There is no column %(unknown)s. The columns are: %(known)s.")
        raise Unreadable(sentence % (known | {"unknown": ", ".join(f"“{each}”" for each in unknown[:5])}))
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice:
        raise Unreadable(_("There are two columns named “%(name)s”.") % {"name": twice})
    if "id" not in names and not {"name", "category"} <= set(names):
        raise Unreadable(_("Without a column “id”, the columns “name” and “category” are needed."))
    return names


def _in_columns(cells: list[str], columns: list[str], number: int) -> list[str]:
    """The cells of the columns that have a name. Raises Unreadable where there are more cells than columns."""
    beyond = [cell for cell, name in zip(cells, [*columns, *[""] * len(cells)], strict=False) if not name]
    if any(cell.strip() for cell in beyond):
        sentence = _("Row %(number)d has more cells than the first row. A price such as 9,50 needs quotation marks,"
                     " or semicolons between the columns.")  # fmt: skip
        raise Unreadable(sentence % {"number": number})
    padded = [*cells, *[""] * (len(columns) - len(cells))]
    return [cell.strip() for cell, name in zip(padded, columns, strict=False) if name]
