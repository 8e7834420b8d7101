"""The rows of a file: which column is which, and what is no row."""

import unicodedata
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from web.imports.reading import (
    HEADINGS_WITHIN,
    MAX_COLUMNS,
    MAX_ROWS,
    Choice,
    Line,
    Reading,
    Unanswered,
    UnreadableFile,
    decoded,
    heading_key,
    lines_of_text,
)
from web.imports.workbook import lines_of_workbook
from web.spreadsheets import as_written

MAX_BYTES = 1024 * 1024
TOO_LARGE = gettext_lazy("This file is too large: at most 1 MB can be imported.")


class Row(NamedTuple):
    number: int  # as a spreadsheet counts
    cells: dict[str, str]  # by column

    @property
    def name(self) -> str:
        return self.cells.get("name", "")


def lines_of(data: bytes, reading: Reading) -> Iterable[Line]:
    """Return the lines of a file that are not empty. Raises UnreadableFile, Unanswered."""
    if len(data) > MAX_BYTES:
        raise UnreadableFile(str(TOO_LARGE))
    if data.startswith(b"PK\x03\x04"):
        return lines_of_workbook(data, reading)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise UnreadableFile(_("This is a workbook of an old kind (.xls). A spreadsheet saves it as .xlsx."))
    return lines_of_text(decoded(data, reading), reading)


class Contents(NamedTuple):
    rows: list[Row]  # none while something is asked
    unknown: list[str]  # columns that are left out
    reading: Reading


def cells_of(line: list[str]) -> list[str]:
    return [unicodedata.normalize("NFC", cell).strip().strip("\ufeff\u200b") for cell in line]


class Table:
    """The lines below the headings. `labels` are the names of the columns that there can be."""

    def __init__(self, found: Iterable[Line], reading: Reading, labels: dict[str, str]) -> None:
        """Raises UnreadableFile, Unanswered."""
        self.reading, self.labels = reading, labels
        lines = [(number, line) for number, line in found]
        if not lines:
            raise UnreadableFile(_("This file is empty."))
        head = next((n for n, (_number, line) in enumerate(lines[:HEADINGS_WITHIN]) if reading.known(line) > 1), 0)
        self.heading = cells_of(lines[head][1])
        if len(self.heading) > MAX_COLUMNS:
            raise UnreadableFile(_("The first row has too many columns: at most %(most)d.") % {"most": MAX_COLUMNS})
        self.lines = [(number, cells_of(line)) for number, line in lines[head + 1 :]]
        if not self.lines:
            is_known = reading.known(self.heading)
            raise UnreadableFile(_("There are no rows below the first one.") if is_known else self._no_headings())
        if len(self.lines) > MAX_ROWS:
            sentence = _("This file has too many rows: at most %(most)d can be imported at once.")
            raise UnreadableFile(sentence % {"most": MAX_ROWS})
        self.unknown: list[str] = []
        self.columns = [self._column(index, cell) for index, cell in enumerate(self.heading)]
        for number, line in lines[:head]:
            self.leave_out(number, cells_of(line))

    def _no_headings(self) -> str:
        return _("The first row has to name the columns: %(known)s.") % {"known": ", ".join(self.labels)}

    def meanings(self, cell: str, texts: list[str]) -> tuple[str, ...]:
        """Return the columns that a heading above these texts may mean."""
        return self.reading.headings.get(heading_key(cell), ())

    def leave_out_column(self, shown: str, meant: str) -> None:
        """Say so of a column; `meant` is what its heading says, where that can't be chosen."""
        self.unknown.append(shown)

    def _column(self, index: int, cell: str) -> str:
        """Return the column of a heading, "" for one that is left out."""
        texts = [line[index] for _number, line in self.lines if index < len(line) and line[index]]
        if not cell and not texts:
            return ""
        meanings = self.meanings(cell, texts)
        guess = meanings[0] if len(meanings) == 1 else ""
        name = f"column_{index}"
        answer = self.reading.answers.get(name)
        chosen = next((each for each in (answer, guess) if each == "" or each in self.labels), "")
        is_asked = len(meanings) > 1 and answer is None
        shown = cell[:40] or _("Column %(number)d, without a heading") % {"number": index + 1}
        options = {"": _("left out"), **self.labels}
        label = f"{shown} ({', '.join(text[:20] for text in texts[:2])})" if texts else shown
        self.reading.choices.append(Choice(name, label, options, None if is_asked else chosen, is_asked))
        if is_asked:
            meant = " / ".join(self.labels[meaning] for meaning in meanings)
            self.reading.questions.append(
                _("What is in the column “%(name)s”: %(meant)s?") % {"name": shown, "meant": meant}
            )
        elif not chosen:
            self.leave_out_column(shown, guess)
        return chosen

    def check_columns(self, *, is_enough: bool, needed: str) -> None:
        """Ask about columns that are there twice, and say what is `needed` where that is missing. Raises Unanswered."""
        questions, names = self.reading.questions, self.columns
        if not any(names):
            questions.append(self._no_headings())
        twice = next((name for name in names if name and names.count(name) > 1), None)
        if twice:
            shown = next(cell for cell, name in zip(self.heading, names, strict=True) if name == twice)
            questions.append(_("There are two columns named “%(name)s”.") % {"name": shown or twice})
        if any(names) and not is_enough:
            questions.append(needed)
        if questions:
            raise Unanswered

    def leave_out(self, number: int, line: list[str]) -> None:
        """Say so of a row."""
        self.note_row(_("Row %(number)d is left out: %(text)s"), number, line)

    def note_row(self, sentence: str, number: int, line: list[str]) -> None:
        text = " · ".join(cell for cell in line if cell)[:200]
        self.reading.notes.append(sentence % {"number": number, "text": text})

    def is_split(self, line: list[str]) -> bool:
        """Whether a comma in a cell has made two of it."""
        return any(line[len(self.columns) :])

    def row(self, number: int, line: list[str]) -> Row:
        """Raises UnreadableFile where there is text beyond the columns, or a formula without a result."""
        if self.is_split(line):
            sentence = _("Row %(number)d has more cells than the first row. What has a comma in it, such as 9,50, needs"
                         " quotation marks, or semicolons between the columns.")  # fmt: skip
            raise UnreadableFile(sentence % {"number": number})
        cells = dict.fromkeys(filter(None, self.columns), "")
        for index, (column, cell) in enumerate(zip(self.columns, line, strict=False)):
            if column and (number, index) in self.reading.uncomputed:
                sentence = _(
                    "Row %(number)d: the formula %(text)s has no result. Please save the file in a spreadsheet."
                )
                raise UnreadableFile(sentence % {"number": number, "text": cell[:40]})
            if column:
                cells[column] = as_written(cell)
        return Row(number, cells)

    def rows(self) -> list[Row]:
        """Raises UnreadableFile, Unanswered."""
        return [self.row(number, line) for number, line in self.lines]


def read_table(data: bytes, reading: Reading, table_of: Callable[[Iterable[Line], Reading], Table]) -> Contents:
    """Return what is understood of a file. Raises UnreadableFile."""
    reading.digest = sha256(data).hexdigest()
    try:
        table = table_of(lines_of(data, reading), reading)
        return Contents(table.rows(), table.unknown, reading)
    except Unanswered:
        return Contents([], [], reading)
