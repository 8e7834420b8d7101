"""What was understood of a file, what is asked about it, and where its lines come from."""

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

MAX_ROWS = 2000
MAX_COLUMNS = 100  # also of those without a name, which are left out
HEADINGS_WITHIN = 10  # lines: titles may be above them
Line = tuple[int, list[str]]  # with its number, as a spreadsheet counts
_ALIKE = str.maketrans({"ı": "i", "œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "_": " "})


class UnreadableFile(ValueError):
    """The message is for the person who chose the file."""


class Unanswered(Exception):
    """Nothing more can be read before a question is answered."""


class PlanHasChanged(Exception):
    """The file would not change what was confirmed."""


class Choice(NamedTuple):
    """What can be chosen of how the file is read."""

    name: str
    label: str
    options: dict[str, str]  # by value
    chosen: str | None
    is_asked: bool


@dataclass
class Reading:
    """`headings` are the columns that a heading may mean, by its `key`."""

    headings: Mapping[str, tuple[str, ...]]
    answers: Mapping[str, str]
    choices: list[Choice] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    languages: dict[str, None] = field(default_factory=dict)  # of columns, which the menu does not have
    missing: list[str] = field(default_factory=list)  # signs of allergens that the legend does not have
    uncomputed: set[tuple[int, int]] = field(default_factory=set)  # cells of a workbook, by row and index
    digest: str = ""  # of the file

    def choose(self, name: str, label: str, options: dict[str, str], guess: str | None, question: str = "") -> str:
        """Return the answer, or what is guessed. Raises Unanswered where there is neither."""
        answer = self.answers.get(name)
        chosen = answer if answer in options else guess
        self.choices.append(Choice(name, label, options, chosen, is_asked=chosen is None))
        if chosen is None:
            self.questions.append(question)
            raise Unanswered
        return chosen

    def known(self, cells: list[str]) -> int:
        """Return how many columns these headings name."""
        words = map(heading_key, cells[:MAX_COLUMNS])
        return len({self.headings[word] for word in words if word in self.headings})


def key(text: str) -> str:
    """Return what is equal in spellings of a word: without accents, capitals and signs."""
    bare = re.sub("[\u0300-\u036f\u064b-\u0655]", "", unicodedata.normalize("NFKD", text.casefold()))
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFC", bare.translate(_ALIKE))))


def meanings(words: Mapping[str, str]) -> dict[str, str]:
    """Return the meaning of each word, of lists of words by their meaning."""
    return {key(word) or word: meaning for meaning, text in words.items() for word in text.split(", ")}


def headings(words: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the columns that a heading may mean: one, or of the lists in `several` one that is asked for."""
    names = {column: column for column in words["columns"]}
    return {word: (column,) for word, column in (meanings(names) | meanings(words["columns"])).items()} | {
        key(word): tuple(columns) for several, columns in words["several"].items() for word in several.split(", ")
    }


def heading_key(cell: str) -> str:
    """Return the key of a heading without what is in parentheses and the currency: `Preis (€)`."""
    bare = re.sub(r"\([^()]*\)|\[[^\[\]]*\]|\b(in )?(EUR|Euro|USD|GBP|CHF)\b\.?$|\b(in|en) [€£$]", "", cell[:300])
    return key(bare) or key(cell[:300])


# --- letters --------------------------------------------------------------------------------------

_LETTERS = {
    "cp1252": gettext_lazy("Western European"),
    "cp1250": gettext_lazy("Central European"),
    "cp1254": gettext_lazy("Turkish"),
    "cp1251": gettext_lazy("Cyrillic"),
    "cp1256": gettext_lazy("Arabic"),
    "mac_roman": gettext_lazy("Western European (Macintosh)"),
    "cp932": gettext_lazy("Japanese"),
    "gb18030": gettext_lazy("Chinese"),
}
_BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
# In other alphabets these are other letters, so that a text without them may be Western European.
_UNLIKELY = re.compile(
    r"[^\x00-\x7f\xa0À-ÏÑ-ÖØ-ÜßâàäáãåæçèéêëìíîïñòóôöõøùúûüÿœŒ€£«»“”„‘’‚–—…•·°½¼¾´º®©™¡¿]|[À-ÿœŒ]{3}|¿(?=[a-z])|[a-z][¡¿´ŒÀ-Ý]"
)


# UTF-8 that was taken for something else, and stored.
_BROKEN = re.compile(r"\w{0,20}(?:Ã[\x80-\xbfŒœŠšŸŽžƒ€‚„…†‡ˆ‰‹›]|â€|\ufffd)\w{0,20}")


def decoded(data: bytes, reading: Reading) -> str:
    """Raises UnreadableFile, Unanswered."""
    encoding = next((name for bom, name in _BOMS.items() if data.startswith(bom)), None) or _utf_16(data) or "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode(_chosen_letters(data, reading), errors="replace")
    if "\0" in text:
        raise UnreadableFile(_("This is neither a table as text (CSV) nor a workbook (.xlsx)."))
    if broken := _BROKEN.search(text):
        sentence = _(
            "The letters of this file are broken, such as in “%(text)s”. Please save it anew where it comes from."
        )
        raise UnreadableFile(sentence % {"text": broken[0]})
    return text


def _utf_16(data: bytes) -> str | None:
    """Return which UTF-16 it is, where every second byte of most letters is 0."""
    even, odd = data[:2000:2].count(0), data[1:2000:2].count(0)
    size = len(data[:2000]) / 2
    return "utf-16-le" if odd > size * 0.6 > even * 4 else "utf-16-be" if even > size * 0.6 > odd * 4 else None


def _chosen_letters(data: bytes, reading: Reading) -> str:
    words = re.findall(rb"[^\s,;\"]*[\x80-\xff][^\s,;\"]*", data[:100_000])
    options = {}
    for encoding, label in _LETTERS.items():
        try:
            data.decode(encoding)
            shown = ", ".join(dict.fromkeys(word.decode(encoding, "replace")[:30] for word in words[:40][:4]))
            options[encoding] = f"{label}: {shown}"
        except UnicodeDecodeError:
            continue
    if not options or b"\0" in data:
        raise UnreadableFile(_("This is neither a table as text (CSV) nor a workbook (.xlsx)."))
    is_western = "cp1252" in options and not _UNLIKELY.search(data.decode("cp1252"))
    question = _("The file does not say how its letters are written. In which line are the words right?")
    return reading.choose("letters", _("Letters"), options, "cp1252" if is_western else None, question)


# --- lines ----------------------------------------------------------------------------------------


def lines_of_text(text: str, reading: Reading) -> Iterator[Line]:
    """Yield the lines that are not empty, numbered from 1 with those that are. Raises UnreadableFile, Unanswered."""
    told = re.match(r"\s*\"?sep=(.)\"?[,;\t]*\r?\n", text, re.IGNORECASE)
    text = text[told.end() :] if told else text
    delimiter = told[1] if told else _delimiter(text, reading)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for number, line in enumerate(reader, 1):
            if any(cell.strip() for cell in line):
                yield number, line
    except csv.Error as error:
        sentence = _("This file can't be read near line %(line)d: perhaps a quotation mark is missing there.")
        raise UnreadableFile(sentence % {"line": reader.line_num}) from error


def _delimiter(text: str, reading: Reading) -> str:
    """Return the one that splits a line into the most known headings, or the only one there is."""
    marks = {";": _("semicolons"), ",": _("commas"), "\t": _("tabs")}
    lines = [line for line in text[:20_000].splitlines() if line.strip()][:HEADINGS_WITHIN]
    counts = {mark: max((reading.known(line.split(mark, MAX_COLUMNS)) for line in lines), default=0) for mark in marks}
    best = [mark for mark in marks if counts[mark] == max(counts.values())]
    there = [mark for mark in best if lines and mark in lines[0]]
    guess = best[0] if len(best) == 1 else None if len(there) > 1 else (there or [","])[0]
    if guess and "separator" not in reading.answers:
        return guess
    return reading.choose("separator", _("Between the columns are"), marks, guess, _("What is between the columns?"))
