"""The columns with the menu's words in other languages, such as `name:de`: how their cells are written and read.

A draft that nobody has read yet is marked, so that an exported file changes nothing. Without the mark it is read.
"""

import re
from collections.abc import Mapping
from typing import Any

from restaurant.menu.models import DRAFTS, PARTS, Words, composed, menu_languages
from restaurant.menu.services.menu_files.words import HEADINGS
from web import languages
from web.imports.reading import key

ITEM_PARTS = {"name": "name", "description": "description"}  # by column
CATEGORY_PARTS = {"category": "name"}
_COLUMNS = (*ITEM_PARTS, *CATEGORY_PARTS, "options")
_MARKED = re.compile(r"(\[draft\]\s*)?(.*)", re.IGNORECASE | re.DOTALL)
# `name:de`, `name_de`, `Name (DE)`
_HEADING = re.compile(rf"(.+?)\s*[:_(\[]\s*({'|'.join(languages.NAMES)}|zh)\s*[)\]]?", re.IGNORECASE)


def columns() -> list[str]:
    return [f"{column}:{code}" for code in menu_languages() for column in _COLUMNS]


def column_of(heading: str) -> str:
    """Return such as `name:de`, without the language where it is the venue's; empty for headings that name none."""
    match = _HEADING.fullmatch(heading[:100])
    column = next((each for each in HEADINGS.get(key(match[1]), ()) if each in _COLUMNS), "") if match else ""
    code = languages.base(match[2].lower()) if match else ""
    return f"{column}:{code}" if column and code != languages.own() else column


def cells_of(words: Words, parts: Mapping[str, str]) -> dict[str, str]:
    """Return the cells of the parts, which are given by column."""
    codes = menu_languages()
    return {f"{column}:{code}": written(words, code, part) for code in codes for column, part in parts.items()}


def written(words: Words, code: str, part: str = "name") -> str:
    own = words.get(code, {})
    return "[draft] " * (part in own.get(DRAFTS, ())) + str(own.get(part, ""))


def changed(words: Words, code: str, part: str, cell: str) -> dict[str, Any]:
    """Return the words with what the cell has in place of this part; an empty one takes it away."""
    cells = {each: written(words, code, each) for each in PARTS} | {part: cell}
    read = {each: _MARKED.fullmatch(text).groups() for each, text in cells.items()}  # type: ignore[union-attr]
    own = composed({each: text for each, (_mark, text) in read.items()}, [each for each in read if read[each][0]])
    return {other: of_other for other, of_other in words.items() if other != code} | ({code: own} if own else {})
