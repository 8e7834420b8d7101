"""The lines of a workbook (.xlsx)."""

import io
import zipfile
from collections.abc import Iterator
from datetime import datetime, time
from typing import Any

from django.utils.translation import gettext as _

from web.imports.reading import HEADINGS_WITHIN, MAX_COLUMNS, Line, Reading, UnreadableFile
from web.money import decimals

_MAX_UNPACKED, _MAX_PARTS = 20 * 1024 * 1024, 500
# Of XML, ParseError of Python and XMLSyntaxError of lxml are a SyntaxError.
_DAMAGED = (zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, EOFError, OSError, SyntaxError,
            OverflowError, RuntimeError, NotImplementedError)  # fmt: skip


def lines_of_workbook(data: bytes, reading: Reading) -> list[Line]:
    """Return the lines that are not empty, of the sheet that is chosen. Raises UnreadableFile, Unanswered."""
    from openpyxl import load_workbook  # as late as this: most processes never open one

    uncomputed: dict[str, set[tuple[int, int]]] = {}
    sheets: dict[str, list[Line]] = {}
    try:
        _check_parts(data)
        # Twice: with the formulas, and with what a spreadsheet has computed of them.
        formulas, values = (load_workbook(io.BytesIO(data), read_only=True, data_only=each) for each in (False, True))
        for sheet in values.worksheets:
            uncomputed[sheet.title] = set()
            if lines := list(_lines(sheet, formulas[sheet.title], uncomputed[sheet.title])):
                sheets[sheet.title] = lines
    except UnreadableFile:
        raise
    except _DAMAGED as error:
        raise UnreadableFile(_("This workbook can't be opened. A spreadsheet saves one as .xlsx.")) from error
    if not sheets:
        raise UnreadableFile(_("This file is empty."))
    title = next(iter(sheets))
    if len(sheets) > 1:
        heads = {name: [line for _n, line in lines[:HEADINGS_WITHIN]] for name, lines in sheets.items()}
        tables = [name for name, head in heads.items() if max(map(reading.known, head)) > 1]
        question = _("The workbook has several sheets: which one is meant? The others can be imported after it.")
        names = {name: name for name in sheets}
        title = reading.choose("sheet", _("Sheet"), names, tables[0] if len(tables) == 1 else None, question)
        others = ", ".join(name for name in sheets if name != title)
        reading.notes.append(_("Of the workbook, these sheets are left out: %(names)s.") % {"names": others})
    reading.uncomputed = uncomputed[title]
    return sheets[title]


def _check_parts(data: bytes) -> None:
    """Refuse what would unpack to much more than a table is, or has entities. Raises UnreadableFile."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
        # No part can be read beyond the size that is said here.
        if len(parts) > _MAX_PARTS or sum(part.file_size for part in parts) > _MAX_UNPACKED:
            raise UnreadableFile(_("This workbook is too large: please save the one sheet alone, without pictures."))
        for part in parts:
            if part.filename.endswith((".xml", ".rels")):
                content = archive.read(part)
                if b"<!DOCTYPE" in content or b"<!ENTITY" in content or b"\0" in content:
                    raise zipfile.BadZipFile


def _lines(values: Any, formulas: Any, uncomputed: set[tuple[int, int]]) -> Iterator[Line]:
    for sheet in (values, formulas):
        sheet.reset_dimensions()  # which some programs write wrongly
    sheets = (sheet.iter_rows(max_col=MAX_COLUMNS + 1) for sheet in (values, formulas))
    before = None
    for number, (row, with_formulas) in enumerate(zip(*sheets, strict=True), 1):
        if row is before:  # one of many that are not in the file
            continue
        before = row
        line = [_text(cell) for cell in row]
        for index, (cell, formula) in enumerate(zip(row, with_formulas, strict=True)):
            if formula.data_type == "f" and (cell.value is None or cell.data_type == "e"):
                uncomputed.add((number, index))
                line[index] = str(cell.value or formula.value)
        while line and not line[-1].strip():
            line.pop()
        if line:
            yield number, line


def _text(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        percent = "%" in (cell.number_format or "")
        if value == int(value) and not percent:
            return str(int(value))  # in full: it may be a telephone number
        text = f"{value * 100 if percent else value:.10g}"
        # Its point is no separator of thousands.
        return f"{text}0" if decimals() == 2 and text[-4:-3] == "." else text
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return f"{value:%H:%M}" if isinstance(value, time) else str(value).replace("_x000D_", "")
