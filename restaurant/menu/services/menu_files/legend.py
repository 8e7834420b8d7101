"""Letters and numbers that stand for allergens, and the legend that says which."""

import re

from restaurant.menu.services.menu_files.words import ALLERGENS
from web.imports.reading import key

_ENTRY = re.compile(r"\(?([A-Za-z][0-9]?|[A-Z]{2}|[0-9]{1,2})\)?(?:\s*[=:.)–-]\s*|\s+)(.+)", re.DOTALL)
_SIGN = "(?:[A-Za-z][0-9]?|[0-9]{1,2})"
_SIGNS = re.compile(rf"\(?{_SIGN}(?:[\s,;/.+]+{_SIGN})*[\s.,;]*\)?")
_LETTERS = re.compile("[A-Z]{2,14}")
_MAX = 4000  # characters of a text with a legend


def entries_of(text: str) -> dict[str, str] | None:
    """Return what the signs stand for: an allergen, or the word of what is none. None where it is no legend."""
    pieces = [piece.strip() for piece in re.split(r"[,;|\n]", text[:_MAX]) if piece.strip()]
    entries = [match.groups() for piece in pieces if (match := _ENTRY.fullmatch(piece))]
    if len(entries) < len(pieces):
        return None
    return {sign.upper(): ALLERGENS.get(key(word), word.strip()) for sign, word in entries}


def legend_of(text: str) -> dict[str, str]:
    """Return the legend that a text of the file is: it names an allergen at least. Empty where it is none."""
    legend = entries_of(text) or {}
    return {} if set(legend.values()).isdisjoint(ALLERGENS.values()) else legend


def legend_of_heading(cell: str) -> dict[str, str]:
    """Return that of `Allergens (A = gluten, C = eggs)`."""
    match = re.search(r"\((.+)\)", cell[:_MAX], re.DOTALL)
    return legend_of(match[1]) if match else {}


def signs_of(cell: str) -> list[str]:
    """Return the letters or numbers of a cell that has nothing else, such as `A, C` or `ACG`."""
    if key(cell) in ALLERGENS:
        return []
    if _SIGNS.fullmatch(cell):
        return [sign.upper() for sign in re.findall(_SIGN, cell)]
    return list(cell) if _LETTERS.fullmatch(cell) else []
