"""Django asks for English formats, because words are English; these are LANGUAGE_CODE's, as in `web.formats`."""

import re
from collections.abc import Callable
from typing import Any

from django.conf import global_settings, settings
from django.utils.formats import iter_format_modules

from web.formats import locale

# Django's letter for each field of Unicode's patterns that the formats below have.
_LETTERS = {
    "d": "j", "dd": "d", "M": "n", "MM": "m", "MMM": "M", "LLL": "M", "MMMM": "F", "LLLL": "F", "y": "Y", "yy": "y",
    "H": "G", "HH": "H", "h": "g", "hh": "h", "mm": "i", "a": "A",
}  # fmt: skip
# Typed formats, and those that Unicode lacks for a language without a country.
_OF_DJANGO = (
    "DATE_INPUT_FORMATS",
    "TIME_INPUT_FORMATS",
    "DATETIME_INPUT_FORMATS",
    "FIRST_DAY_OF_WEEK",
    "NUMBER_GROUPING",
)


def _translated(pattern: Any) -> str:
    return re.sub(r"([A-Za-z])\1*", lambda field: _LETTERS[field[0]], pattern.pattern.replace("'", ""))


def _date(width: str = "medium") -> str:
    return _translated(locale().date_formats[width])


def _time() -> str:
    return _translated(locale().time_formats["short"])


_FORMATS: dict[str, Callable[[], str]] = {
    "DATE_FORMAT": _date,
    "TIME_FORMAT": _time,
    "DATETIME_FORMAT": lambda: f"{_date()}, {_time()}",
    "SHORT_DATE_FORMAT": lambda: _date("short"),
    "SHORT_DATETIME_FORMAT": lambda: f"{_date('short')} {_time()}",
    "YEAR_MONTH_FORMAT": lambda: _translated(locale().datetime_skeletons["yMMMM"]),
    "MONTH_DAY_FORMAT": lambda: _translated(locale().datetime_skeletons["MMMMd"]),
    "DECIMAL_SEPARATOR": lambda: locale().number_symbols["latn"]["decimal"],
    "THOUSAND_SEPARATOR": lambda: locale().number_symbols["latn"]["group"],
}


def __getattr__(name: str) -> Any:
    """Read a format lazily, as any setting; Django caches it."""
    if name in _FORMATS:
        return _FORMATS[name]()
    if name in _OF_DJANGO:
        known = [getattr(module, name, None) for module in iter_format_modules(settings.FORMAT_LANGUAGE, "")]
        return next((value for value in known if value is not None), getattr(global_settings, name))
    raise AttributeError(name)
