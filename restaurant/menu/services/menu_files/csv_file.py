"""Writing a menu file, and reading one as owners have them."""

import csv
import io
import uuid
from collections.abc import Mapping

from django.db.models import QuerySet

from restaurant.menu.models import Category, MenuItem, OptionGroup, menu_languages
from restaurant.menu.services.menu_files import local_words
from restaurant.menu.services.menu_files.columns import COLUMNS, category_cells, item_cells
from restaurant.menu.services.menu_files.options_cell import references_of, write_groups, write_names
from restaurant.menu.services.menu_files.rows import MenuTable
from restaurant.menu.services.menu_files.words import HEADINGS
from web.imports.reading import Reading
from web.imports.table import Contents, read_table
from web.spreadsheets import BOM, harmless


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
        cells |= {f"options:{code}": write_names(of_item, code, described) for code in menu_languages()}
        cells["options"] = write_groups(of_item, references, described)
        writer.writerow(harmless(cells[column]) for column in columns)
    return (BOM + file.getvalue()).encode()


def read(data: bytes, answers: Mapping[str, str] | None = None) -> Contents:
    """Return what was understood of a file, with the answers to what was asked about it. Raises UnreadableFile."""
    return read_table(data, Reading(HEADINGS, answers or {}), MenuTable)
