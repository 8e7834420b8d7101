"""The rows of a file: which column is which, and what is no item."""

import re
import uuid
from collections.abc import Iterable
from functools import cached_property

from django.conf import settings
from django.utils.translation import gettext as _

from restaurant.menu.services.menu_files import amounts, local_words
from restaurant.menu.services.menu_files.columns import COLUMNS, label_of
from restaurant.menu.services.menu_files.legend import entries_of, legend_of, legend_of_heading, signs_of
from restaurant.menu.services.menu_files.words import ALLERGENS, CURRENCIES, HEADINGS
from web import languages
from web.imports.reading import Line, Reading, Unanswered, heading_key, key
from web.imports.table import Row, Table

# Where two digits beside a whole price are its cents.
_TEXTS = {"name", "description", "category", "image_url", "diet", "station", "options"}


class MenuTable(Table):
    def __init__(self, found: Iterable[Line], reading: Reading) -> None:
        self.legend: dict[str, str] = {}
        columns = [*COLUMNS, *local_words.columns()]
        super().__init__(found, reading, {column: label_of(column) for column in columns})
        for cell in self.heading:
            self.legend |= legend_of_heading(cell)

    @cached_property
    def own_columns(self) -> set[str]:
        """The columns that the headings name, without those in another language."""
        found = [(local_words.column_of(cell), HEADINGS.get(heading_key(cell), ())) for cell in self.heading]
        named = {column for local, meanings in found for column in ([local] if local else meanings)}
        return {column for column in named if ":" not in column}

    def meanings(self, cell: str, texts: list[str]) -> tuple[str, ...]:
        """Take an id that is none for the number of another program."""
        meanings, own = super().meanings(cell, texts), local_words.column_of(cell)
        # `Name (DE)` is another language's beside a name, or else what it says.
        beside = "name" if own in self.labels else own.partition(":")[0]
        if own and (":" in cell or beside in self.own_columns):
            meanings = (own,)
        return () if meanings == ("id",) and texts and not any(map(_is_id, texts)) else meanings

    def leave_out_column(self, shown: str, meant: str) -> None:
        if meant and meant not in self.labels:
            self.reading.languages[languages.NAMES[meant.partition(":")[2]]] = None
        else:
            super().leave_out_column(shown, meant)

    def leave_out(self, number: int, line: list[str]) -> None:
        """Say so of a row that is no item, and read the legend that it may be."""
        legend = _legend_of_line([cell for cell in line if cell])
        if not legend:
            super().leave_out(number, line)
            return
        self.legend |= legend
        self.note_row(_("Row %(number)d is the legend of the allergens: %(text)s"), number, line)

    def is_split(self, line: list[str]) -> bool:
        pairs = zip(self.columns, line, self.columns[1:], line[1:], strict=False)
        return super().is_split(line) or any(
            column == "price" and after in _TEXTS and re.fullmatch("[0-9]+", cell) and re.fullmatch("[0-9]{2}", cents)
            for column, cell, after, cents in pairs
        )

    def rows(self) -> list[Row]:
        """Raises UnreadableFile, Unanswered."""
        items = []
        for number, line in self.lines:
            texts = [cell for cell in line if cell]
            if line == self.heading or _legend_of_line(texts):
                self.leave_out(number, line)
            else:
                items.append((number, line))
        sections = []
        if "category" not in self.columns:
            sections = [number for number, line in items if self._filled(line) == ["name"]]
        self.check_columns(
            is_enough="id" in self.columns
            or {"name", "category"} <= {*self.columns, *(["category"] if sections else [])},
            needed=_("Without a column “id”, the columns “name” and “category” are needed."),
        )
        rows = [self.row(number, line) for number, line in items]
        rows = self._in_sections(rows, set(sections)) if sections else self._below_categories(rows)
        self._read_prices(rows)
        self._read_allergens(rows)
        if self.reading.questions:
            raise Unanswered
        return rows

    def _filled(self, line: list[str]) -> list[str]:
        return [column for column, cell in zip(self.columns, line, strict=False) if cell]

    # --- categories -------------------------------------------------------------------------------

    def _in_sections(self, rows: list[Row], sections: set[int]) -> list[Row]:
        """Return the items, with the heading above them as category."""
        items, category = [], ""
        for row in rows:
            if row.number in sections:
                category = row.name
                self._note_category(row.number, category)
            else:
                items.append(Row(row.number, {**row.cells, "category": category}))
        return items

    def _below_categories(self, rows: list[Row]) -> list[Row]:
        """Return the items; those without a category have the one above, as merged cells have."""
        if "id" in self.columns or "category" not in self.columns:
            return rows
        items, category, gaps = [], "", []
        for row in rows:
            if [column for column, cell in row.cells.items() if cell] == ["category"]:
                category = row.cells["category"]
                self._note_category(row.number, category)
                continue
            if category and not row.cells["category"]:
                gaps.append(row.number)
            category = row.cells["category"] or category
            items.append(Row(row.number, {**row.cells, "category": category}))
        if gaps:
            options = {"above": _("that of the row above"), "none": _("none")}
            label = _("Where the category is empty (rows %(rows)s), it is") % {"rows": ", ".join(map(str, gaps[:10]))}
            if self.reading.choose("gaps", label + ("…" if len(gaps) > 10 else ""), options, "above") == "none":
                items = [Row(row.number, {**row.cells, "category": ""}) if row.number in gaps else row for row in items]
        return items

    def _note_category(self, number: int, category: str) -> None:
        sentence = _("Row %(number)d begins the category “%(name)s”.")
        self.reading.notes.append(sentence % {"number": number, "name": category[:60]})

    # --- cells ------------------------------------------------------------------------------------

    def _read_prices(self, rows: list[Row]) -> None:
        """Replace unclear amounts, and ask for what is unclear in all of them."""
        columns = [column for column in ("price", "cost") if column in self.columns]
        prices = [(row, column, *amounts.plain(row.cells[column])) for row in rows for column in columns]
        texts = [text for _row, _column, text, _sign in prices]
        signs = {sign for *_price, sign in prices if CURRENCIES.get(sign, "") not in {"", settings.CURRENCY}}
        if signs:
            sentence = _("Prices with %(signs)s are taken for %(currency)s as they stand.")
            self.reading.notes.append(sentence % {"signs": ", ".join(sorted(signs)), "currency": settings.CURRENCY})
        unclear = [price for price in prices if amounts.is_unclear(price[2])]
        if unclear:
            found = amounts.decimal_signs(texts)
            text = unclear[0][2]
            options = {sign: amounts.with_sign(text, sign).replace(",", ".") for sign in ".,"}
            question = _("Row %(number)d: what does “%(text)s” mean?") % {"number": unclear[0][0].number, "text": text}
            label = _("An amount such as “%(text)s” is") % {"text": text}
            sign = self._choose("decimal", label, options, found.pop() if len(found) == 1 else None, question)
            for row, column, text, _sign in unclear:
                row.cells[column] = amounts.with_sign(text, sign) if sign else text
        whole = [text for row, column, text, _sign in prices if column == "price" and text]
        if amounts.may_be_cents(whole):
            options = {"whole": _("as they stand"), "cents": _("hundredths, such as cents")}
            question = _("All prices are whole numbers of 100 and more: are they cents?")
            if self._choose("amounts", _("Whole prices are"), options, None, question) == "cents":
                for row, column, text, _sign in prices:
                    row.cells[column] = re.sub("(..)$", r".\1", text)

    def _choose(self, *choice: object) -> str:
        try:
            return self.reading.choose(*choice)  # type: ignore[arg-type]
        except Unanswered:
            return ""

    def _read_allergens(self, rows: list[Row]) -> None:
        """Replace letters and numbers by words, and ask for those without a meaning."""
        if "allergens" not in self.columns:
            return
        reading, signs = self.reading, {row.number: signs_of(row.cells["allergens"]) for row in rows}
        for line in reading.answers.get("legend", "").splitlines():
            self.legend |= entries_of(line) or {}
        used = dict.fromkeys(sign for of_row in signs.values() for sign in of_row)
        reading.missing = [sign for sign in used if sign not in self.legend]
        if reading.missing:
            question = _("Which allergens are %(signs)s? Please write the legend.")
            reading.questions.append(question % {"signs": ", ".join(reading.missing)})
        others = [
            f"{sign} = {self.legend[sign]}" for sign in used if self.legend.get(sign, "milk") not in ALLERGENS.values()
        ]
        if others:
            question = _("The legend has what is none of the 14 allergens: %(words)s. Is it left out?")
            label = _("No allergens: %(words)s") % {"words": ", ".join(others)}
            options = {"leave": _("left out")}
            self._choose("others", label, options, None, question % {"words": ", ".join(others)})
        for row in rows:
            if row.cells["allergens"] in {"-", "–", "—"}:
                row.cells["allergens"] = ""
            if signs[row.number]:
                words = [word for sign in signs[row.number] if (word := self.legend.get(sign)) in ALLERGENS.values()]
                row.cells["allergens"] = f"contains {', '.join(map(str, dict.fromkeys(words)))}" if words else ""


def _legend_of_line(texts: list[str]) -> dict[str, str]:
    if len(texts) == 2 and key(texts[1]) in ALLERGENS:
        texts = [" = ".join(texts)]
    return legend_of(texts[0]) if len(texts) == 1 else {}


def _is_id(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True
