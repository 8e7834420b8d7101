"""The rows of a file: which column is which, and what is no item."""

import re
import unicodedata
import uuid
from collections.abc import Iterable
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from restaurant.menu.services.menu_files import amounts, local_words
from restaurant.menu.services.menu_files.columns import COLUMNS, label_of
from restaurant.menu.services.menu_files.legend import entries_of, legend_of, legend_of_heading, signs_of
from restaurant.menu.services.menu_files.reading import (
    HEADINGS_WITHIN,
    MAX_COLUMNS,
    MAX_ROWS,
    Choice,
    Line,
    Reading,
    Unanswered,
    UnreadableFile,
    heading_key,
    known,
)
from restaurant.menu.services.menu_files.words import ALLERGENS, CURRENCIES, HEADINGS, key
from web import languages
from web.spreadsheets import as_written


class Row(NamedTuple):
    number: int  # as a spreadsheet counts
    cells: dict[str, str]  # by column

    @property
    def name(self) -> str:
        return self.cells.get("name", "")


# Where two digits beside a whole price are its cents.
_TEXTS = {"name", "description", "category", "image_url", "diet", "station", "options"}


def rows_of(found: Iterable[Line], reading: Reading) -> tuple[list[Row], list[str]]:
    """Return the rows, and the columns that are left out. Raises UnreadableFile, Unanswered."""
    lines = [(number, line) for number, line in found]
    if not lines:
        raise UnreadableFile(_("This file is empty."))
    head = next((n for n, (_number, line) in enumerate(lines[:HEADINGS_WITHIN]) if known(line) > 1), 0)
    heading = _cells(lines[head][1])
    if len(heading) > MAX_COLUMNS:
        raise UnreadableFile(_("The first row has too many columns: at most %(most)d.") % {"most": MAX_COLUMNS})
    below = [(number, _cells(line)) for number, line in lines[head + 1 :]]
    if not below:
        no_headings = _("The first row has to name the columns: %(known)s.") % {"known": ", ".join(COLUMNS)}
        raise UnreadableFile(_("There are no rows below the first one.") if known(heading) else no_headings)
    if len(below) > MAX_ROWS:
        raise UnreadableFile(_("This file has too many rows: a menu has at most %(most)d.") % {"most": MAX_ROWS})
    table = _Table(heading, below, reading)
    for number, line in lines[:head]:
        table.leave_out(number, _cells(line))
    return table.rows(), table.unknown


def _cells(line: list[str]) -> list[str]:
    return [unicodedata.normalize("NFC", cell).strip().strip("\ufeff\u200b") for cell in line]


class _Table:
    def __init__(self, heading: list[str], lines: list[Line], reading: Reading) -> None:
        self.heading, self.lines, self.reading = heading, lines, reading
        self.unknown: list[str] = []
        self.local = [local_words.column_of(cell) for cell in heading]
        self.plain = {column for column in self.local if ":" not in column}
        for cell, local in zip(heading, self.local, strict=True):
            self.plain.update(() if local else HEADINGS.get(heading_key(cell), ()))
        self.columns = [self._column(index, cell) for index, cell in enumerate(heading)]
        self.legend: dict[str, str] = {}
        for cell in heading:
            self.legend |= legend_of_heading(cell)

    def _column(self, index: int, cell: str) -> str:
        """Return the column of a heading, "" for one that is left out."""
        texts = [line[index] for _number, line in self.lines if index < len(line) and line[index]]
        if not cell and not texts:
            return ""
        known_columns = [*COLUMNS, *local_words.columns()]
        meanings = HEADINGS.get(heading_key(cell), ())
        # `Name (DE)` is another language's beside a name, or else what it says.
        beside = "name" if (own := self.local[index]) in known_columns else own.partition(":")[0]
        if own and (":" in cell or beside in self.plain):
            meanings = (own,)
        if meanings == ("id",) and texts and not any(map(_is_id, texts)):
            meanings = ()  # the numbers of another program
        guess = meanings[0] if len(meanings) == 1 else ""
        name = f"column_{index}"
        answer = self.reading.answers.get(name)
        chosen = answer if answer in known_columns or answer == "" else guess
        is_foreign = ":" in chosen and chosen not in known_columns
        if is_foreign:
            self.reading.languages[languages.NAMES[chosen.partition(":")[2]]] = None
            chosen = ""
        is_asked = len(meanings) > 1 and answer is None
        shown = cell[:40] or _("Column %(number)d, without a heading") % {"number": index + 1}
        options = {"": _("left out"), **{column: label_of(column) for column in known_columns}}
        label = f"{shown} ({', '.join(text[:20] for text in texts[:2])})" if texts else shown
        self.reading.choices.append(Choice(name, label, options, None if is_asked else chosen, is_asked))
        if is_asked:
            meant = " / ".join(map(label_of, meanings))
            self.reading.questions.append(
                _("What is in the column “%(name)s”: %(meant)s?") % {"name": shown, "meant": meant}
            )
        elif not chosen and not is_foreign:
            self.unknown.append(shown)
        return chosen

    def _check_columns(self, sections: list[int]) -> None:
        """Raises Unanswered."""
        questions, names = self.reading.questions, self.columns
        if not any(names):
            known_names = ", ".join(COLUMNS)
            questions.append(_("The first row has to name the columns: %(known)s.") % {"known": known_names})
        twice = next((name for name in names if name and names.count(name) > 1), None)
        if twice:
            shown = next(cell for cell, name in zip(self.heading, names, strict=True) if name == twice)
            questions.append(_("There are two columns named “%(name)s”.") % {"name": shown or twice})
        if (
            any(names)
            and "id" not in names
            and not {"name", "category"} <= {*names, *(["category"] if sections else [])}
        ):
            questions.append(_("Without a column “id”, the columns “name” and “category” are needed."))
        if questions:
            raise Unanswered

    def leave_out(self, number: int, line: list[str]) -> None:
        """Say so of a row that is no item, and read the legend that it may be."""
        texts = [cell for cell in line if cell]
        legend = _legend_of_line(texts)
        self.legend |= legend
        sentence = (
            _("Row %(number)d is the legend of the allergens: %(text)s")
            if legend
            else _("Row %(number)d is left out: %(text)s")
        )
        self.reading.notes.append(sentence % {"number": number, "text": " · ".join(texts)[:200]})

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
        self._check_columns(sections)
        rows = [self._row(number, line) for number, line in items]
        rows = self._in_sections(rows, set(sections)) if sections else self._below_categories(rows)
        self._read_prices(rows)
        self._read_allergens(rows)
        if self.reading.questions:
            raise Unanswered
        return rows

    def _filled(self, line: list[str]) -> list[str]:
        return [column for column, cell in zip(self.columns, line, strict=False) if cell]

    def _row(self, number: int, line: list[str]) -> Row:
        """Raises UnreadableFile where there is text beyond the columns, or a formula without a result."""
        columns = self.columns
        pairs = zip(columns, line, columns[1:], line[1:], strict=False)
        is_split = any(
            column == "price" and after in _TEXTS and re.fullmatch("[0-9]+", cell) and re.fullmatch("[0-9]{2}", cents)
            for column, cell, after, cents in pairs
        )
        if any(line[len(columns) :]) or is_split:
            sentence = _("Row %(number)d has more cells than the first row. A price such as 9,50 needs quotation marks,"
                         " or semicolons between the columns.")  # fmt: skip
            raise UnreadableFile(sentence % {"number": number})
        cells = dict.fromkeys(filter(None, columns), "")
        for index, (column, cell) in enumerate(zip(columns, line, strict=False)):
            if column and (number, index) in self.reading.uncomputed:
                sentence = _(
                    "Row %(number)d: the formula %(text)s has no result. Please save the file in a spreadsheet."
                )
                raise UnreadableFile(sentence % {"number": number, "text": cell[:40]})
            if column:
                cells[column] = as_written(cell)
        return Row(number, cells)

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
