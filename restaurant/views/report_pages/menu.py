"""The page of the menu's performance."""

from collections import Counter
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from restaurant.reports.menu import CLASSES, NOT_SELLING, thresholds
from restaurant.views.report_pages import BARS, Page, Table, days_before, every_order, table_of, tile, window

PERFORMANCE = {
    "star": gettext_lazy("Star"),
    "good": gettext_lazy("Good"),
    "average": gettext_lazy("Average"),
    "underperforming": gettext_lazy("Underperforming"),
    "not_selling": gettext_lazy("Not selling"),
}


def page(data: dict[str, Any], before: dict[str, Any], now: datetime) -> Page:
    items = data["items"]
    by_revenue, by_quantity = _by_revenue(items), _by_quantity(items)
    classes, everything = _classes(items), _items(items)
    return window(data["days"], now) | {
        "heading": _("Menu performance"),
        "tiles": _tiles_of_menu(items, before, data["days"]),
        "tables": [by_revenue, by_quantity, classes, everything],
        "by_revenue": by_revenue,
        "by_quantity": by_quantity,
        "classes": classes,
        "everything": everything,
        "notes": [
            every_order(),
            _("The mean is that of the revenue of all items, also of those that were not ordered."),
            _("Revenue is what the items cost when they were ordered; the price is today's."),
        ],
    }


def _tiles_of_menu(items: list[dict[str, Any]], before: dict[str, Any], days: int) -> list[dict[str, Any]]:
    period = days_before(days)
    revenue = sum((item["total_revenue"] for item in items), Decimal("0.00"))
    ordered = sum(item["times_ordered"] > 0 for item in items)
    of_all = ngettext("Of %(count)s item", "Of %(count)s items", len(items)) % {"count": len(items)}
    return [
        tile(_("Revenue"), revenue, "money", before=before["revenue"], period=period),
        tile(_("Portions"), sum(item["total_quantity"] for item in items), before=before["quantity"], period=period),
        tile(_("Items that were ordered"), ordered, before=before["items"], period=period),
        tile(_("Items that were not ordered"), len(items) - ordered, note=of_all),
    ]


def _most(
    title: str, items: list[dict[str, Any]], column: tuple[str, str], name: str, *, cut: str, empty: str
) -> Table:
    """The first of `items` with anything under `name`, how they are classed, and what it is.

    `cut` says that there are more, `empty` that there are none.
    """
    sold = [item for item in items if item[name]]
    rows = [[item["name"], str(PERFORMANCE[item["performance"]]), item[name]] for item in sold[:BARS]]
    note = cut % {"count": BARS, "all": len(sold)} if len(sold) > BARS else ""
    columns = [(_("Item"), "text"), (_("Class"), "text"), column]
    return table_of(title, columns, rows, note=note, empty=empty)


def _by_revenue(items: list[dict[str, Any]]) -> Table:
    cut = _("The first %(count)s of %(all)s items that brought in money.")
    empty = _("Nothing brought in money in this time.")
    return _most(_("Most revenue"), items, (_("Revenue"), "money"), "total_revenue", cut=cut, empty=empty)


def _by_quantity(items: list[dict[str, Any]]) -> Table:
    ordered = sorted(items, key=lambda item: -item["total_quantity"])
    cut = _("The first %(count)s of %(all)s items that were ordered.")
    empty = _("Nothing was ordered in this time.")
    return _most(_("Most portions"), ordered, (_("Portions"), "number"), "total_quantity", cut=cut, empty=empty)


def _classes(items: list[dict[str, Any]]) -> Table:
    columns = [
        (_("Class"), "text"), (_("Which is"), "text"), (_("Revenue above"), "money"), (_("Items"), "number"),
        (_("Their revenue"), "money"),
    ]  # fmt: skip
    least = thresholds(items)
    counts: Counter[str] = Counter()
    revenue = dict.fromkeys(PERFORMANCE, Decimal("0.00"))
    for item in items:
        counts[item["performance"]] += 1
        revenue[item["performance"]] += item["total_revenue"]
    rows = [[str(PERFORMANCE[name]), _meaning(name), least.get(name), counts[name], revenue[name]] for name in revenue]
    return table_of(_("Classes"), columns, rows)


def _meaning(name: str) -> str:
    if name == NOT_SELLING:
        return _("Brought in nothing")
    times = dict(CLASSES)[name]
    if not times:
        return _("Brought in anything")
    return _("Above the mean") if times == 1 else _("Above %(times)s times the mean") % {"times": number_format(times)}


def _items(items: list[dict[str, Any]]) -> Table:
    columns = [
        (_("Item"), "text"), (_("Class"), "text"), (_("Category"), "text"), (_("Available"), "text"),
        (_("Revenue"), "money"), (_("Share"), "percent"), (_("Portions"), "number"), (_("Times ordered"), "number"),
        (_("Per order"), "decimal"), (_("Price"), "money"),
    ]  # fmt: skip
    rows = [
        [
            item["name"], str(PERFORMANCE[item["performance"]]), item["category"],
            _("yes") if item["available"] else _("no"), item["total_revenue"],
            Decimal(item["revenueShare"].rstrip("%")), item["total_quantity"], item["times_ordered"],
            item["avg_quantity_per_order"], item["price"],
        ]
        for item in items
    ]  # fmt: skip
    return table_of(_("All items"), columns, rows, empty=_("The menu has no items yet: they are made in the admin."))
