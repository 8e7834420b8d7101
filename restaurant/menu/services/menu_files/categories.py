"""The categories, and their stations, that an import adds and changes."""

import itertools
from collections import defaultdict

from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext as _

from restaurant.menu.models import RESERVED_SLUGS, Category, Station, menu_languages
from restaurant.menu.services.menu_files import local_words
from restaurant.menu.services.menu_files.columns import CATEGORY_COLUMNS, LOCAL_WORDS, category_cells
from restaurant.menu.services.menu_files.plans import CategoryChange, changed_cells
from web.imports.table import Row


class Categories:
    """The categories of the menu, and those that the rows of a file describe.

    An empty cell leaves its column to the other rows of the category. Empty in all of them, it is cleared.
    """

    def __init__(self) -> None:
        self.on_menu = {category.name: category for category in Category.objects.select_related("station")}
        self.stations = {station.name: station for station in Station.objects.all()}
        self.new_stations: list[Station] = []
        self.columns = CATEGORY_COLUMNS | dict.fromkeys((f"category:{code}" for code in menu_languages()), LOCAL_WORDS)
        self.first_rows: dict[str, Row] = {}
        # By category and column: the text as it would be exported, and the row that has it.
        self.cells: defaultdict[str, dict[str, tuple[str, int]]] = defaultdict(dict)

    def read(self, row: Row, category: str) -> None:
        """Raises ValidationError."""
        errors = {}
        for column in self.columns:
            if column in row.cells:
                self.first_rows.setdefault(category, row)
                try:
                    self._read_cell(row.number, category, column, row.cells[column])
                except ValidationError as error:
                    errors[column] = error
        if errors:
            raise ValidationError(errors)

    def _read_cell(self, row: int, category: str, column: str, cell: str) -> None:
        kind = self.columns[column]
        text = kind.write(kind.read(cell))
        first, first_row = self.cells[category].setdefault(column, (text, row))
        if cell and text != first:
            if first:
                sentence = _("Row %(number)d says something else of the category “%(name)s”.")
                raise ValidationError(sentence % {"number": first_row, "name": category})
            self.cells[category][column] = text, row

    def changes(self) -> list[CategoryChange]:
        changes = []
        for name, cells in self.cells.items():
            category = self.on_menu.get(name) or Category(name=name)
            is_new, before = category._state.adding, category_cells(category)
            after = before | {column: text for column, (text, _row) in cells.items()}
            # What the file leaves as it was exported keeps what no cell shows, such as seconds.
            for column in [column for column, text in after.items() if text != before[column]]:
                self._set(category, column, after[column])
            cell_changes = changed_cells(None if is_new else before, after)
            if cell_changes:
                changes.append(CategoryChange(self.first_rows[name], category, is_new, cell_changes))
        return changes

    def _set(self, category: Category, column: str, text: str) -> None:
        value = self.columns[column].read(text)
        if ":" in column:
            category.words = local_words.changed(category.words, column.partition(":")[2], "name", value)
        elif column == "category_hours":
            category.opens, category.closes = value
        elif column == "category_station":
            category.station = self.station(value)
        else:
            setattr(category, column.removeprefix("category_"), value)

    def station(self, name: str) -> Station | None:
        if not name:
            return None
        if name not in self.stations:
            self.stations[name] = Station(name=name, slug=self._free_slug(name))
            self.new_stations.append(self.stations[name])
        return self.stations[name]

    def _free_slug(self, name: str) -> str:
        taken = RESERVED_SLUGS | {station.slug for station in self.stations.values()}
        slug = slugify(name)[:40] or "station"
        numbered = (f"{slug}-{number}" for number in itertools.count(2))
        return next(free for free in itertools.chain([slug], numbered) if free not in taken)
