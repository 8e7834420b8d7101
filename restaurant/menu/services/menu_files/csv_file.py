"""Writing a menu file, and reading one as owners have them."""

import csv
import io
import uuid
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.menu.models import Category, MenuItem, OptionGroup, of_menu
from restaurant.menu.services.menu_files import local_words
from restaurant.menu.services.menu_files.columns import COLUMNS, category_cells, item_cells
from restaurant.menu.services.menu_files.options_cell import references_of, write_groups, write_names
from restaurant.menu.services.menu_files.reading import (
    Line,
    Reading,
    Unanswered,
    UnreadableFile,
    decoded,
    lines_of_text,
)
from restaurant.menu.services.menu_files.rows import Row, rows_of
from restaurant.menu.services.menu_files.workbook import lines_of_workbook
from web.spreadsheets import BOM, harmless

MAX_BYTES = 1024 * 1024
TOO_LARGE = gettext_lazy("This file is too large: a menu has at most 1 MB.")


class MenuFile(NamedTuple):
    rows: list[Row]  # none while something is asked
    unknown: list[str]  # columns that are left out
    reading: Reading


# --- writing --------------------------------------------------------------------------------------


def write(items: QuerySet[MenuItem]) -> bytes:
    file = io.StringIO()
    writer = csv.writer(file)
    columns = [*COLUMNS, *local_words.columns()]
    writer.writerow(columns)
    groups = {group.pk: group for group in OptionGroup.objects.prefetch_related("choices")}
    references = references_of(groups.values())
    categories = {category.name: category for category in Category.objects.select_related("station")}
    described: set[uuid.UUID] = set()
    for item in items.select_related("station").prefetch_related("item_groups"):
        of_item = [groups[attached.group_id] for attached in item.item_groups.all()]
        cells = category_cells(categories.get(item.category_name) or Category()) | item_cells(item)
        cells |= {f"options:{code}": write_names(of_item, code, described) for code in of_menu()}
        cells["options"] = write_groups(of_item, references, described)
        writer.writerow(harmless(cells[column]) for column in columns)
    return (BOM + file.getvalue()).encode()


# --- reading ------------------------------------------------------------------------------------------


def read(data: bytes, answers: Mapping[str, str] | None = None) -> MenuFile:
    """Return what was understood of a file, with the answers to what was asked about it. Raises UnreadableFile."""
    if len(data) > MAX_BYTES:
        raise UnreadableFile(str(TOO_LARGE))
    reading = Reading(answers or {})
    try:
        if data.startswith(b"PK\x03\x04"):
            lines: Iterable[Line] = lines_of_workbook(data, reading)
        elif data.startswith(b"\xd0\xcf\x11\xe0"):
            raise UnreadableFile(_("This is a workbook of an old kind (.xls). A spreadsheet saves it as .xlsx."))
        else:
            lines = lines_of_text(decoded(data, reading), reading)
        rows, unknown = rows_of(lines, reading)
    except Unanswered:
        rows, unknown = [], []
    return MenuFile(rows, unknown, reading)
