"""Formats of dates, numbers and money: those of the page's language, in the country that LANGUAGE_CODE names."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from babel.core import Locale
from babel.dates import get_datetime_format
from django.conf import settings
from django.utils.translation import get_language, to_locale

_ENGLISH = Locale("en")


class PageLocale(Locale):
    """A locale whose English months are shortened as Django does it, not `Sept` in one country and `Sep` in another.

    A currency that it writes as a code has its English sign, which a menu has in any language: € also in Ukrainian.
    """

    @property
    def months(self) -> Any:
        return _ENGLISH.months if self.language == "en" else super().months

    @property
    def currency_symbols(self) -> Any:
        signs = {code: sign for code, sign in super().currency_symbols.items() if sign != code}
        return {**_ENGLISH.currency_symbols, **signs}


def locale() -> Locale:
    """Return the locale of the page."""
    return _locale(get_language() or settings.LANGUAGE_CODE)


@cache
def _locale(language: str) -> Locale:
    return PageLocale.parse("pt_PT" if language == "pt" else to_locale(language))  # Babel's own is Brazil's


def comma() -> str:
    """Return what stands between the words of a list."""
    return {"ar": "\N{ARABIC COMMA} ", "ja": "、", "zh": "、"}.get(locale().language, ", ")


def listed(words: Iterable[object]) -> str:
    """Return a text such as `milk, nuts`."""
    return comma().join(map(str, words))


def together(day: str, time: str) -> str:
    """Return a day and a time of day as one, such as `2 Mar, 14:49`."""
    return str(get_datetime_format("medium", locale=locale())).replace("{1}", day).replace("{0}", time)


def capfirst(text: object) -> str:
    """Return a text with a large first letter, which in Turkish keeps the dot of its i."""
    written = str(text)
    is_dotted = written.startswith("i") and (get_language() or "").startswith("tr")
    return f"\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}{written[1:]}" if is_dotted else written[:1].upper() + written[1:]


def browser_tag() -> str:
    """Return the locale's tag for scripts, with Latin digits."""
    return f"{get_language() or settings.LANGUAGE_CODE}-u-nu-latn"
