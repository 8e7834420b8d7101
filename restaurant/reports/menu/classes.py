"""The classes of items by their sales: names and definitions."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.reports.menu import CLASSES, NOT_SELLING, NOTHING, ItemSales
from web.choices import with_parameter
from web.money import rounded
from web.reporting import Column, Table
from web.templatetags.reports import shown

PERFORMANCE = {
    "star": gettext_lazy("Star"),
    "good": gettext_lazy("Good"),
    "average": gettext_lazy("Average"),
    "underperforming": gettext_lazy("Underperforming"),
    "not_selling": gettext_lazy("Not selling"),
}

# The CSV has the names of the JSON. "Fair" stands beside "above half the average"; of what underperforms, only what
# is behind its own category is called so.
LOW = "low"
ON_PAGE = PERFORMANCE | {"average": gettext_lazy("Fair"), LOW: gettext_lazy("Low")}
IN_ORDER = ("star", "good", "average", LOW, "underperforming", NOT_SELLING)


def class_on_page(sales: ItemSales) -> str:
    """A key of ON_PAGE."""
    return LOW if sales.performance == "underperforming" and not sales.is_behind else sales.performance


def table_of_page(items: list[ItemSales], parameters: QueryDict) -> Table:
    """Leave the threshold empty where it is 0: a phone then leaves out its name, too. Each class leads to its items."""
    table = table_of_classes(
        items, [class_on_page(sales) for sales in items], {name: ON_PAGE[name] for name in IN_ORDER}
    )
    links = [
        f"?{with_parameter(parameters, 'class', name)}#all-title" if row[3] else ""
        for name, row in zip(IN_ORDER, table.rows, strict=True)
    ]
    return replace(table, rows=[[*row[:2], row[2] or "", *row[3:]] for row in table.rows], links=links)


def table_of_classes(items: list[ItemSales], classes: list[str], names: Mapping[str, Any]) -> Table:
    """`classes`: that of each item."""
    columns = [
        Column(_("Class")), Column(_("Definition")), Column(_("Sales above"), "money"),
        Column(_("Items"), "number", one=_("Item")), Column(_("Sales"), "money", is_lead=True),
    ]  # fmt: skip
    least, counts, revenue = _thresholds(items), Counter(classes), dict.fromkeys(names, NOTHING)
    for name, sales in zip(classes, items, strict=True):
        revenue[name] += sales.revenue
    rows = [
        [str(label), _definition(name, has_low=LOW in names), least.get(name), counts[name], revenue[name]]
        for name, label in names.items()
    ]
    return Table(_("Performance classes"), columns, rows)


def _thresholds(items: list[ItemSales]) -> dict[str, Decimal]:
    """The revenue above which an item is of each class, rounded to two decimals for people to read."""
    mean = sum((sales.revenue for sales in items), Decimal(0)) / max(len(items), 1)
    return {name: rounded(times * mean) for name, times in CLASSES.items()}


def _definition(name: str, *, has_low: bool) -> str:
    if name == NOT_SELLING:
        return _("No sales")
    if has_low and name in {LOW, "underperforming"}:
        up_to = _("Up to %(times)s × average") % {"times": shown(CLASSES["average"], "decimal")}
        return up_to if name == LOW else _("%(up_to)s, and below half its category's") % {"up_to": up_to}
    times = CLASSES[name]
    if not times:
        return _("Any sales")
    return _("Above average") if times == 1 else _("Above %(times)s × average") % {"times": shown(times, "decimal")}
