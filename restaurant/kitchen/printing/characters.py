"""Text as a printer can print it.

Printers know a page of 128 characters at a time. What none of the usual pages has becomes something that can be read:
an accent is left out, a symbol gets its name, and writing that has no Latin equivalent here becomes a hint.
"""

import contextlib
import unicodedata
from itertools import groupby

from django.utils.translation import gettext as _

# The pages that practically every ESC/POS printer has under these numbers, by Python's names for them.
PAGES = {"CP437": 0, "CP850": 2, "CP737": 14, "CP1252": 16, "CP866": 17, "CP852": 18, "CP858": 19}
ASCII = frozenset(map(chr, range(32, 127)))
# Letters of Ukrainian and Serbian and the like that no page has and that are no letter with a mark on it.
SIMILAR = {
    "І": "I", "і": "i", "Ј": "J", "ј": "j", "Ѕ": "S", "ѕ": "s", "Ђ": "Dj", "ђ": "dj", "Ћ": "C", "ћ": "c",
    "Љ": "Lj", "љ": "lj", "Њ": "Nj", "њ": "nj", "Џ": "Dz", "џ": "dz", "Ґ": "Г", "ґ": "г", "Ә": "А", "ә": "а",
    "Ө": "О", "ө": "о", "Ү": "У", "ү": "у", "ẞ": "SS", "ı": "i", "−": "-", "‐": "-", "‑": "-", "―": "-", "′": "'",
    "″": '"', "⁄": "/", "₴": "UAH", "₽": "RUB", "₹": "INR", "₺": "TRY", "₩": "KRW",
}  # fmt: skip
_MARKS = {"Mn", "Me"}
_CONTROLS = {"Cc", "Cf", "Cs", "Co", "Cn"}
_SYMBOLS = {"So", "Sm", "Sc"}


def _characters(page: str) -> set[str]:
    text = bytes(range(128, 256)).decode(page, errors="ignore")
    return {character for character in text if unicodedata.category(character) not in _CONTROLS | {"Zs"}}


PRINTABLE = ASCII.union(*map(_characters, PAGES))


def printable(text: str) -> str:
    """The text in one line, of PRINTABLE characters alone: nothing in it can be a command to the printer."""
    hint = _("[see display]")
    characters = (_printable(character) for character in unicodedata.normalize("NFC", text))
    groups = groupby(characters, key=lambda character: character is None)
    line = "".join(hint if is_unreadable else "".join(filter(None, group)) for is_unreadable, group in groups)
    return " ".join(line.split())


def _printable(character: str) -> str | None:
    """The character, or its equivalent; None for a letter that has none."""
    if character in PRINTABLE:
        return character
    category = unicodedata.category(character)
    if category in {"Zs", "Zl", "Zp"} or character in "\t\n\v\f\r":
        return " "
    if category in _MARKS | _CONTROLS or category == "Sk":
        return ""
    return _similar(character) or (f"({unicodedata.name(character).lower()})" if category in _SYMBOLS else None)


def _similar(character: str) -> str:
    """The character without its marks, or in other letters; empty where there is no equivalent."""
    if character in SIMILAR:
        return SIMILAR[character]
    name = unicodedata.name(character, "")
    candidates = [unicodedata.normalize(form, character) for form in ("NFKC", "NFKD")]
    if " WITH " in name:
        with contextlib.suppress(KeyError):
            candidates.append(unicodedata.lookup(name.partition(" WITH ")[0]))
    for candidate in candidates:
        known = "".join(
            SIMILAR.get(letter, letter) for letter in candidate if unicodedata.category(letter) not in _MARKS
        )
        if known and PRINTABLE.issuperset(known):
            return known
    return ""
