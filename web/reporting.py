"""What report pages are made of: tiles, tables, windows of days. `?format=csv` gives the same tiles and tables.

A tile is `{label, value, kind, before?, period?, note?}`; a table `{title, columns: [{label, kind}], rows: [[value]],
links?, note?, empty?}`. Kinds: text, number, decimal, money, percent (of 100), time, date.
"""

from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import ngettext

Table = dict[str, Any]
Tile = dict[str, Any]
PageData = dict[str, Any]

DAY_CHOICES = [7, 30, 90, 365]
BARS = 10  # of a chart; a longer list is a table


def table_of(title: str, columns: list[tuple[str, str]], rows: list[list[Any]], **more: Any) -> Table:
    """`columns`: label and kind. `links`: the addresses of the first column, row by row."""
    described = [{"label": label, "kind": kind} for label, kind in columns]
    return {"title": title, "columns": described, "rows": rows, **more}


def tile(label: str, value: Any, kind: str = "number", **more: Any) -> Tile:
    return {"label": label, "value": value, "kind": kind, **more}


def share(part: int, whole: int) -> Decimal:
    """Percent, to one decimal, half up; 0 of nothing."""
    return (Decimal(100 * part) / max(whole, 1)).quantize(Decimal("0.1"), ROUND_HALF_UP)


def window(days: int, now: datetime) -> PageData:
    """The context of a report on the latest `days`."""
    return {"since": now - timedelta(days=days), "until": now, "days": days, "day_choices": DAY_CHOICES}


def days_before(days: int) -> str:
    """The period that a window is compared with."""
    return ngettext("The day before", "The %(days)s days before", days) % {"days": days}


def clock(hour: int) -> str:
    return f"{hour:02}:00"


def zone_name() -> str:
    return str(timezone.get_current_timezone())


# --- numbers in sentences -----------------------------------------------------------------------------


def percent_text(percent: Decimal) -> str:
    return number_format(percent, decimal_pos=1)


def grouped(number: int) -> str:
    """With the language's thousands separator."""
    return number_format(number, force_grouping=True)
