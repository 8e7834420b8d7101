"""What the pages of the reports show, and their CSV: tiles, tables and notes from the figures. One module a report.

Each `page` takes the JSON body, the report's details and the time as of which it holds.
"""

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

Table = dict[str, Any]
Page = dict[str, Any]


def table_of(title: str, columns: list[tuple[str, str]], rows: list[list[Any]], **more: Any) -> Table:
    """`columns`: label and kind. `links`, where given, are the addresses behind the first column, row by row."""
    described = [{"label": label, "kind": kind} for label, kind in columns]
    return {"title": title, "columns": described, "rows": rows, **more}


def tile(label: str, value: Any, kind: str = "number", **more: Any) -> dict[str, Any]:
    return {"label": label, "value": value, "kind": kind, **more}


def share(part: int, whole: int) -> Decimal:
    """Percent, to one decimal, half up."""
    return (Decimal(100 * part) / max(whole, 1)).quantize(Decimal("0.1"), ROUND_HALF_UP)


def percent_text(percent: Decimal) -> str:
    """`percent` as the language writes it, for a sentence."""
    return number_format(percent, decimal_pos=1)


def grouped(number: int) -> str:
    """As the language writes thousands, for a sentence."""
    return number_format(number, force_grouping=True)


def tier_name(name: str) -> str:
    return capfirst(_(name)) if name else ""


def report_links(members: list[dict[str, Any]]) -> list[str]:
    return [reverse("member_report", args=[each["id"]]) for each in members]
