"""What the pages of the reports show, and their CSV: tiles, tables and notes from the figures. One module a report.

Each `page` takes the JSON body, the report's details, its days where it has them, and the time as of which it holds.
"""

from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

Table = dict[str, Any]
Page = dict[str, Any]

DAY_CHOICES = [7, 30, 90, 365]
BARS = 10  # of a plot: a longer list is read in its table


def table_of(title: str, columns: list[tuple[str, str]], rows: list[list[Any]], **more: Any) -> Table:
    """`columns`: label and kind. `links`, where given, are the addresses behind the first column, row by row."""
    described = [{"label": label, "kind": kind} for label, kind in columns]
    return {"title": title, "columns": described, "rows": rows, **more}


def tile(label: str, value: Any, kind: str = "number", **more: Any) -> dict[str, Any]:
    return {"label": label, "value": value, "kind": kind, **more}


def window(days: int, now: datetime) -> Page:
    return {"since": now - timedelta(days=days), "until": now, "days": days, "day_choices": DAY_CHOICES}


def days_before(days: int) -> str:
    return ngettext("The day before", "The %(days)s days before", days) % {"days": days}


def share(part: int, whole: int) -> Decimal:
    """Percent, to one decimal, half up."""
    return (Decimal(100 * part) / whole).quantize(Decimal("0.1"), ROUND_HALF_UP)


def clock(hour: int) -> str:
    return f"{hour:02}:00"


def every_order() -> str:
    return _("An order counts from the moment it is placed, whatever its status.")


def zone_name() -> str:
    return str(timezone.get_current_timezone())
