"""The formats of English in any country, as `web.formats` has them: Django knows but a few."""

import re
from collections.abc import Callable
from typing import Any

from django.conf.locale.en import formats as en
from django.conf.locale.en_GB import formats as en_gb

from web.formats import locale

# Django's letter for each field of Unicode's patterns that the formats below have.
_LETTERS = {
    "d": "j", "dd": "d", "M": "n", "MM": "m", "MMM": "M", "LLL": "M", "MMMM": "F", "LLLL": "F", "y": "Y", "yy": "y",
    "H": "G", "HH": "H", "h": "g", "hh": "h", "mm": "i", "a": "A",
}  # fmt: skip
_OF_DJANGO = ("DATE_INPUT_FORMATS", "TIME_INPUT_FORMATS", "DATETIME_INPUT_FORMATS", "NUMBER_GROUPING")


def _translated(pattern: Any) -> str:
    return re.sub(r"([A-Za-z])\1*", lambda field: _LETTERS[field[0]], pattern.pattern.replace("'", ""))


def _date(width: str = "medium") -> str:
    return _translated(locale().date_formats[width])


def _time() -> str:
    return _translated(locale().time_formats["short"])


_FORMATS: dict[str, Callable[[], Any]] = {
    "DATE_FORMAT": _date,
    "TIME_FORMAT": _time,
    "DATETIME_FORMAT": lambda: f"{_date()}, {_time()}",
    "SHORT_DATE_FORMAT": lambda: _date("short"),
    "SHORT_DATETIME_FORMAT": lambda: f"{_date('short')} {_time()}",
    "YEAR_MONTH_FORMAT": lambda: _translated(locale().datetime_skeletons["yMMMM"]),
    "MONTH_DAY_FORMAT": lambda: _translated(locale().datetime_skeletons["MMMMd"]),
    "FIRST_DAY_OF_WEEK": lambda: (locale().first_week_day + 1) % 7,  # Django begins with Sunday
    "DECIMAL_SEPARATOR": lambda: locale().number_symbols["latn"]["decimal"],
    "THOUSAND_SEPARATOR": lambda: locale().number_symbols["latn"]["group"],
}


def __getattr__(name: str) -> Any:
    """Read a format lazily, as any setting; Django caches it."""
    if name in _FORMATS:
        return _FORMATS[name]()
    if name in _OF_DJANGO:
        of_django = en if locale().date_formats["short"].pattern.startswith("M") else en_gb
        return getattr(of_django, name)
    raise AttributeError(name)
