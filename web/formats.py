"""Formats of dates, numbers and money: those of LANGUAGE_CODE, with English words. See "Currency and language" in
docs/behaviour/common.md.
"""

import re
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any

from babel import dates, numbers
from babel.core import Locale, UnknownLocaleError
from django.conf import settings
from django.utils.translation import to_locale

_WORDS, _PATTERNS = Locale("en"), Locale("en", "GB")
_DIRECTIONS = re.compile("[\u061c\u200e\u200f]")  # pages run from left to right
_QUOTED = re.compile("'[^']*'")


class EnglishWords(Locale):
    """The patterns and signs of a locale with English words; English patterns in place of those that contain words."""

    @property
    def months(self) -> Any:
        return _WORDS.months

    @property
    def days(self) -> Any:
        return _WORDS.days

    @property
    def day_periods(self) -> Any:
        return _WORDS.day_periods

    @cached_property
    def date_formats(self) -> Any:
        return _patterns(super().date_formats, _PATTERNS.date_formats)

    @cached_property
    def time_formats(self) -> Any:
        return _patterns(super().time_formats, _PATTERNS.time_formats)

    @cached_property
    def datetime_skeletons(self) -> Any:
        return _patterns(super().datetime_skeletons, _PATTERNS.datetime_skeletons)

    @cached_property
    def interval_formats(self) -> Any:
        own, english = super().interval_formats, _PATTERNS.interval_formats
        return {name: own[name] if _is_plain(own[name]) else english[name] for name in own if name in english}

    @cached_property
    def currency_formats(self) -> Any:
        own = super().currency_formats
        return {name: numbers.parse_pattern(_DIRECTIONS.sub("", own[name].pattern)) for name in own}


def _patterns(own: Mapping[str, Any], english: Mapping[str, Any]) -> dict[str, Any]:
    names = [name for name in own if name in english]
    patterns = {name: dates.parse_pattern(_DIRECTIONS.sub("", own[name].pattern)) for name in names}
    return {name: parsed if is_wordless(parsed.pattern) else english[name] for name, parsed in patterns.items()}


def _is_plain(interval: Any) -> bool:
    """Return whether none of the interval's patterns contains words."""
    return isinstance(interval, str) or all(is_wordless(part) for parts in interval.values() for part in parts)


def is_wordless(pattern: str) -> bool:
    """Return whether a pattern of dates consists of fields alone, without words such as `de` or `年`."""
    quoted, fields = "".join(_QUOTED.findall(pattern)), _QUOTED.sub("", pattern)
    is_plain = all(sign.isascii() or sign.isspace() or sign == "–" for sign in fields)
    return is_plain and not any(sign.isalpha() for sign in quoted) and "B" not in fields  # B: `in the morning`


def locale() -> EnglishWords:
    """Return the locale of LANGUAGE_CODE; British English if Babel does not know it."""
    return _locale(settings.FORMAT_LANGUAGE)


@cache
def _locale(language: str) -> EnglishWords:
    try:
        return EnglishWords.parse(to_locale(language))  # type: ignore[return-value]
    except (UnknownLocaleError, ValueError):  # a language of Django's that Babel does not know
        return EnglishWords("en", "GB")


def browser_tag() -> str:
    """Return the locale's tag for scripts, with Latin digits."""
    return f"{settings.FORMAT_LANGUAGE}-u-nu-latn"
