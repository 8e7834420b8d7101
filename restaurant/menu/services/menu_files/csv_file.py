"""Reading and writing a menu file."""

import csv
import io
import uuid
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.menu.models import Category, MenuItem, OptionGroup
from restaurant.menu.services.menu_files.columns import COLUMNS, category_cells, item_cells
from restaurant.menu.services.menu_files.options_cell import references_of, write_groups
from web.spreadsheets import BOM, as_written, harmless

MAX_BYTES = 1024 * 1024
TOO_LARGE = gettext_lazy("This file is too large: a menu has at most 1 MB.")
MAX_ROWS = 2000
MAX_COLUMNS = 100  # also of those without a name, which are left out


class UnreadableFile(ValueError):
    """The message is for the person who chose the file."""


class Row(NamedTuple):
    number: int  # as a spreadsheet counts
    cells: dict[str, str]  # by column

    @property
    def name(self) -> str:
        return self.cells.get("name", "")


class MenuFile(NamedTuple):
    rows: list[Row]
    unknown: list[str]  # columns that a menu does not have, which are left out


# --- writing --------------------------------------------------------------------------------------


def write(items: QuerySet[MenuItem]) -> bytes:
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    groups = {group.pk: group for group in OptionGroup.objects.prefetch_related("choices")}
    references = references_of(groups.values())
    categories = {category.name: category for category in Category.objects.select_related("station")}
    described: set[uuid.UUID] = set()
    for item in items.select_related("station").prefetch_related("item_groups"):
        of_item = [groups[attached.group_id] for attached in item.item_groups.all()]
        category = categories.get(item.category_name) or Category()
        options = write_groups(of_item, references, described)
        row = [*item_cells(item).values(), options, *category_cells(category).values()]
        writer.writerow(map(harmless, row))
    return (BOM + file.getvalue()).encode()


# --- reading ------------------------------------------------------------------------------------------


def read(data: bytes) -> MenuFile:
    """Raises UnreadableFile."""
    if len(data) > MAX_BYTES:
        raise UnreadableFile(str(TOO_LARGE))
    lines = _lines(_decoded(data))
    heading = next(lines, None)
    if heading is None:
        raise UnreadableFile(_("This file is empty."))
    columns, unknown = _columns(heading[1])
    rows = [_row(number, line, columns) for number, line in islice(lines, MAX_ROWS + 1)]
    if not rows:
        raise UnreadableFile(_("There are no rows below the first one."))
    if len(rows) > MAX_ROWS:
        raise UnreadableFile(_("This file has too many rows: a menu has at most %(most)d.") % {"most": MAX_ROWS})
    return MenuFile(rows, unknown)


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise UnreadableFile(_("This is not a CSV file in UTF-8. A spreadsheet saves one as “CSV UTF-8”."))
    return text


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that are not empty, numbered from 1 with those that are."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        for number, line in enumerate(reader, 1):
            if any(cell.strip() for cell in line):
                yield number, line
    except csv.Error as error:
        sentence = _("This file can't be read near line %(line)d: perhaps a quotation mark is missing there.")
        raise UnreadableFile(sentence % {"line": reader.line_num}) from error


def _delimiter(text: str) -> str:
    """Return the one that splits the first line into the most known column names."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t", key=lambda mark: sum(_column(cell) in COLUMNS for cell in first.split(mark, MAX_COLUMNS)))


def _column(cell: str) -> str:
    return "_".join(cell.strip().strip('"').lower().split())


def _columns(heading: list[str]) -> tuple[list[str], list[str]]:
    """Return the column names of the first row, "" for one that is left out; and the names that are not known.

    Raises UnreadableFile.
    """
    if len(heading) > MAX_COLUMNS:
        raise UnreadableFile(_("The first row has too many columns: at most %(most)d.") % {"most": MAX_COLUMNS})
    names = [name if (name := _column(cell)) in COLUMNS else "" for cell in heading]
    unknown = [cell.strip()[:40] for cell in heading if _column(cell) not in {"", *COLUMNS}]
    if not any(names):
        sentence = _("The first row has to name the columns: %(known)s.")
        raise UnreadableFile(sentence % {"known": ", ".join(COLUMNS)})
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice:
        raise UnreadableFile(_("There are two columns named “%(name)s”.") % {"name": twice})
    if "id" not in names and not {"name", "category"} <= set(names):
        raise UnreadableFile(_("Without a column “id”, the columns “name” and “category” are needed."))
    return names, unknown


def _row(number: int, line: list[str], columns: list[str]) -> Row:
    """Raises UnreadableFile where there is text beyond the columns."""
    if any(cell.strip() for cell in line[len(columns) :]):
        sentence = _("Row %(number)d has more cells than the first row. A price such as 9,50 needs quotation marks,"
                     " or semicolons between the columns.")  # fmt: skip
        raise UnreadableFile(sentence % {"number": number})
    cells = dict.fromkeys(filter(None, columns), "")
    cells |= {column: as_written(cell.strip()) for column, cell in zip(columns, line, strict=False) if column}
    return Row(number, cells)
