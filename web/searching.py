"""Searching as people type: without accents, case and apostrophes, and in any order of words.

`plain` here, `plain` in `static/js/words.js` and the database's function `plain_text` make the same of a text. The
extension unaccent is not in the embedded PostgreSQL, and needs other rights than those of the database's owner.
"""

import re
from collections.abc import Iterator
from typing import Any
from unicodedata import combining, normalize

from django.db.models import Lookup
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

# Accents of Latin, Greek and Cyrillic letters, points of Hebrew and Arabic ones. PostgreSQL has no \p{M}.
ACCENTS = r"[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]"
# Letters that have no accent to take off, as others write them. A new one needs a migration: see web/migrations/0006.
LETTERS = {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"} | dict(zip("øđðłıς", "oddliσ", strict=True))
APOSTROPHES = "'’‘ʼ`´"

_WRITTEN = str.maketrans(LETTERS | dict.fromkeys(APOSTROPHES, ""))
_ACCENTS = re.compile(ACCENTS)
_PART = re.compile(r"""(?<!\S)(["'])(.*?)\1(?!\S)|\S+""")
_NUMBER = re.compile(r"(?<!\S)[+\d(][\d ()/.\xa0-]*\d(?!\S)")
# ITU-T E.164: of one digit, of two, and the others of three.
_COUNTRY = re.compile(r"1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3}")


def plain(text: str) -> str:
    """Return what is compared: "weisswurst" for "Weißwurst", "obriens" for "O'Brien's"."""
    return _ACCENTS.sub("", normalize("NFD", text)).lower().translate(_WRITTEN)


def terms_of(text: str) -> list[str]:
    """Return the words, quoted phrases and telephone numbers that somebody searches for, each as it was typed."""
    numbers = {match.start(): match for match in _NUMBER.finditer(text)}
    terms, place = [], 0
    while match := _PART.search(text, place):
        number = numbers.get(match.start())
        terms.append(number[0] if number else match[2] or match[0])
        place = (number or match).end()
    return [term for term in terms if plain(term).strip()]


def has_terms(text: str, terms: list[str]) -> bool:
    return all(plain(term) in plain(text) for term in terms)


def digits_of(term: str) -> list[str]:
    r"""Return what a line of digits may have if it is this telephone number, or a part of it; nothing for a word.

    Of a number with its country's code the others are that number as one calls it there: the whole line, after "\n".
    """
    if not _NUMBER.fullmatch(term):
        return []
    digits = re.sub(r"^00|\(0\)|\D", "", term)
    if not term.startswith(("+", "00")):
        return [digits.removeprefix("0") or digits]
    country = _COUNTRY.match(digits)
    own = digits[country.end() :] if country else ""
    return [digits, *([f"\n0{own}", f"\n{own}"] if len(own) > 2 else [])]


class Typed(Lookup):
    """`name__typed="zoe"`: the column has this in it, as `plain` writes both. For tables that may be read whole."""

    lookup_name = "typed"
    prepare_rhs = False

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        column, params = self.process_lhs(compiler, connection)
        return f"strpos(plain_text({column}), %s) > 0", [*params, plain(str(self.rhs))]


def marked_where(text: str, pattern: str) -> SafeString:
    """Put <mark> around each match of a regular expression without groups, in the text as `plain` writes it."""
    return format_html_join("", "{}", ((piece,) for piece in _pieces(text, pattern)))


def _pieces(text: str, pattern: str) -> Iterator[str]:
    letters = [plain(letter) for letter in text]
    places = [place for place, written in enumerate(letters) for _ in written] + [len(text)]
    done = 0
    for match in re.finditer(pattern, "".join(letters)):
        start, end = places[match.start()], places[match.end() - 1] + 1
        while end < len(text) and combining(text[end]):
            end += 1
        if match[0] and start >= done:
            yield from (text[done:start], format_html("<mark>{}</mark>", text[start:end]))
            done = end
    yield text[done:]
