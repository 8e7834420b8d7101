"""The menu as a CSV file."""

import csv
import io
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.menu.models import Category, MenuItem, OptionGroup
from restaurant.menu.services import menu_cells, menu_option_cells
from web.spreadsheets import as_written, harmless

ITEM_COLUMNS = (
    "id", "name", "description", "price", "category", "image_url", "available", "sold_out_until", "portions",
    "position", "vat_rate", "diet", "allergens", "cost",
)  # fmt: skip
# Of the item's category: the same in each of its rows.
CATEGORY_COLUMNS = (
    "category_position", "category_weekdays", "category_hours", "category_station", "category_vat_rate",
)  # fmt: skip
COLUMNS = (*ITEM_COLUMNS, "options", *CATEGORY_COLUMNS)
MAX_BYTES = 1024 * 1024
TOO_LARGE = gettext_lazy("This file is too large: a menu has at most 1 MB.")
MAX_ROWS = 2000
MAX_COLUMNS = 100  # also of those without a name, which are left out

_BOM = "\ufeff"  # without it, spreadsheets read Latin-1


class UnreadableFile(ValueError):
    """The message is for the person who chose the file."""


class Row(NamedTuple):
    number: int  # as a spreadsheet counts
    cells: dict[str, str]


class File(NamedTuple):
    rows: list[Row]
    unknown: list[str]  # columns that a menu does not have, which are left out


# --- writing --------------------------------------------------------------------------------------


def cells(item: MenuItem) -> dict[str, str]:
    """The item's own columns as text."""
    return {column: str(getattr(item, column)) for column in ITEM_COLUMNS} | {
        "price": "" if item.price is None else f"{item.price:.2f}",
        "available": menu_cells.write_yes_or_no(item.available),
        "sold_out_until": menu_cells.write_moment(item.sold_out_until),
        "portions": menu_cells.write_number(item.portions),
        "position": menu_cells.write_number(item.position),
        "vat_rate": menu_cells.write_rate(item.vat_rate),
        "allergens": menu_cells.write_declaration(item.allergens),
        "cost": "" if item.cost is None else f"{item.cost:.2f}",
    }


def category_cells(category: Category) -> dict[str, str]:
    return {
        "category_position": menu_cells.write_number(category.position),
        "category_weekdays": menu_cells.write_days(category.weekdays),
        "category_hours": menu_cells.write_hours(category.opens, category.closes),
        "category_station": str(category.station or ""),
        "category_vat_rate": menu_cells.write_rate(category.vat_rate),
    }


def write(items: QuerySet[MenuItem]) -> bytes:
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    groups = menu_option_cells.numbered(list(OptionGroup.objects.prefetch_related("choices")))
    categories = {each.name: category_cells(each) for each in Category.objects.select_related("station")}
    written: set[str] = set()
    for item in items.prefetch_related("item_groups"):
        options = menu_option_cells.write([groups[each.group_id] for each in item.item_groups.all()], written)
        of_category = categories.get(item.category_name) or category_cells(Category())
        row = [*cells(item).values(), options, *of_category.values()]
        writer.writerow([harmless(cell) for cell in row])
    return (_BOM + file.getvalue()).encode()


# --- reading ------------------------------------------------------------------------------------------


def read(data: bytes) -> File:
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
    return File(rows, unknown)


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise UnreadableFile(_("This is not a CSV file in UTF-8. A spreadsheet saves one as “CSV UTF-8”."))
    return text


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Numbered from 1; empty lines count, and are left out."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        for number, line in enumerate(reader, 1):
            if any(cell.strip() for cell in line):
                yield number, line
    except csv.Error as error:
        sentence = _("This file can't be read near line %(line)d: perhaps a quotation mark is missing there.")
        raise UnreadableFile(sentence % {"line": reader.line_num}) from error


def _delimiter(text: str) -> str:
    """The one that splits the first line into the most known column names."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t", key=lambda mark: sum(_column(cell) in COLUMNS for cell in first.split(mark, MAX_COLUMNS)))


def _column(cell: str) -> str:
    return "_".join(cell.strip().strip('"').lower().split())


def _columns(heading: list[str]) -> tuple[list[str], list[str]]:
    """The column names of the first row, "" for one that is left out; and those that are not known.

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
    named = dict.fromkeys(filter(None, columns), "")
    for place, cell in enumerate(line):
        name = columns[place] if place < len(columns) else ""
        if name:
            named[name] = as_written(cell.strip())
        elif cell.strip() and place >= len(columns):
            sentence = _("Row %(number)d has more cells than the first row. A price such as 9,50 needs quotation marks,"
                         " or semicolons between the columns.")  # fmt: skip
            raise UnreadableFile(sentence % {"number": number})
    return Row(number, named)
