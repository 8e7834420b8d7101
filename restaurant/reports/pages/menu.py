"""The page of the menu's performance."""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from restaurant.reports.menu import CLASSES, NOT_SELLING, Before, ItemSales, MenuPerformance, thresholds
from restaurant.reports.pages import EVERY_ORDER
from web.choices import Choice, label_before, phrase_before
from web.reporting import (
    BARS,
    PageData,
    Table,
    Tile,
    change,
    clauses,
    compared,
    grouped,
    money_text,
    percent_text,
    table_of,
    tile,
    zone_words,
)
from web.templatetags.reports import shown

PERFORMANCE = {
    "star": gettext_lazy("Star"),
    "good": gettext_lazy("Good"),
    "average": gettext_lazy("Average"),
    "underperforming": gettext_lazy("Underperforming"),
    "not_selling": gettext_lazy("Not selling"),
}

ON_PAGE = {"average": gettext_lazy("Fair")}  # beside "above half the average"; the CSV has the name of the JSON

NO_ITEMS = gettext_lazy("No menu items yet. Add them in the admin.")

CHIPS = {
    "star": "star",
    "good": "good",
    "average": "plain",
    "underperforming": "warn",
    "not_selling": "bad",
}


def page(report: MenuPerformance, before: Before, parameters: QueryDict) -> PageData:
    """`parameters`: of the list's `category`, which the links of the other choices keep."""
    items = report.items
    by_revenue, by_quantity = _by_revenue(items), _by_quantity(items)
    classes, everything = _classes(items), _items(items, before)
    categories = _categories(items, parameters)
    return {
        "heading": _("Menu performance"),
        "sentence": _sentence(report, before),
        "tiles": _tiles(items, before, label_before(report.period)),
        "tables": [by_revenue, by_quantity, classes, everything],
        "by_revenue": _renamed(by_revenue),
        "by_quantity": _renamed(by_quantity),
        "classes": _renamed(_with_gaps(classes), column=0),
        "everything": everything,
        "categories": categories,
        "listed": _listed(items, before, next((each.name for each in categories if each.is_chosen), "")),
        "notes": [
            EVERY_ORDER,
            _("Days start at midnight %(zone)s.") % {"zone": zone_words()},
            _("The average is the revenue per menu item, including items that nobody ordered."),
            _("Revenue uses the price at the time of the order; the price column shows today's."),
            _("A change is on %(period)s; what did not sell then is new.") % {"period": phrase_before(report.period)},
        ],
    }


def _sentence(report: MenuPerformance, before: Before) -> str:
    items = report.items
    if not items:
        return _("No menu items yet.")
    revenue = sum((item.revenue for item in items), Decimal("0.00"))
    if not revenue:
        return _("No revenue in this period.")
    best = _best([item for item in items if item.revenue == items[0].revenue])
    weak = sum(item.performance in ("underperforming", NOT_SELLING) for item in items)
    sentence = ngettext(
        "%(count)s item sells less than half the average", "%(count)s items sell less than half the average", weak
    )
    change = compared(revenue, before.revenue, phrase_before(report.period))
    all_revenue = _("revenue is %(change)s") % {"change": change} if change else ""
    return clauses(best, sentence % {"count": grouped(weak)} if weak else "", all_revenue)


def _best(items: list[ItemSales]) -> str:
    """Those that earn the same have one sentence; more than two are not named."""
    first, revenue = items[0], money_text(items[0].revenue)
    if len(items) == 1:
        return _("%(item)s earns most, %(share)s of revenue") % {
            "item": first.item.name, "share": percent_text(first.share),
        }  # fmt: skip
    if len(items) == 2:
        return _("%(item)s and %(other)s earn most, %(revenue)s each") % {
            "item": first.item.name, "other": items[1].item.name, "revenue": revenue,
        }  # fmt: skip
    return _("%(count)s items earn most, %(revenue)s each") % {"count": grouped(len(items)), "revenue": revenue}


def _tiles(items: list[ItemSales], before: Before, period: str) -> list[Tile]:
    revenue = sum((item.revenue for item in items), Decimal("0.00"))
    portions = sum(item.portions for item in items)
    ordered = sum(item.times_ordered > 0 for item in items)
    of_all = ngettext("Out of %(count)s item", "Out of %(count)s items", len(items)) % {"count": grouped(len(items))}
    return [
        tile(_("Revenue"), revenue, "money", before=before.revenue, period=period),
        tile(_("Items sold"), portions, before=before.portions, period=period),
        tile(_("Menu items ordered"), ordered, before=len(before.sales), period=period),
        tile(_("Menu items not ordered"), len(items) - ordered, note=of_all),
    ]


def _by_revenue(items: list[ItemSales]) -> Table:
    earning = [item for item in items if item.revenue]
    rows = [[item.item.name, str(PERFORMANCE[item.performance]), item.revenue, item.share] for item in earning[:BARS]]
    columns = [(_("Item"), "text"), (_("Class"), "text"), (_("Revenue"), "money"), (_("Share"), "percent")]
    note = _("Top %(count)s of %(all)s items with revenue.") % {"count": BARS, "all": grouped(len(earning))}
    return table_of(
        _("Top items by revenue"),
        columns,
        rows,
        note=note if len(earning) > BARS else "",
        empty=_("No revenue in this period."),
    )


def _by_quantity(items: list[ItemSales]) -> Table:
    ordered = sorted((item for item in items if item.portions), key=lambda item: -item.portions)
    best = ordered[:BARS]
    rows = [[item.item.name, str(PERFORMANCE[item.performance]), item.portions, item.revenue] for item in best]
    columns = [(_("Item"), "text"), (_("Class"), "text"), (_("Sold"), "number"), (_("Revenue"), "money")]
    note = _("Top %(count)s of %(all)s items that were ordered.") % {"count": BARS, "all": grouped(len(ordered))}
    return table_of(
        _("Top items by quantity"),
        columns,
        rows,
        note=note if len(ordered) > BARS else "",
        empty=_("No orders in this period."),
    )


def _classes(items: list[ItemSales]) -> Table:
    columns = [
        (_("Class"), "text"), (_("Definition"), "text"), (_("Revenue above"), "money"), (_("Items"), "number"),
        (_("Revenue"), "money"),
    ]  # fmt: skip
    least = thresholds(items)
    counts = Counter(item.performance for item in items)
    revenue = dict.fromkeys(PERFORMANCE, Decimal("0.00"))
    for item in items:
        revenue[item.performance] += item.revenue
    rows = [[str(PERFORMANCE[name]), _meaning(name), least.get(name), counts[name], revenue[name]] for name in revenue]
    return table_of(_("Performance classes"), columns, rows, lead=4)


def _meaning(name: str) -> str:
    if name == NOT_SELLING:
        return _("No revenue")
    times = CLASSES[name]
    if not times:
        return _("Any revenue")
    return _("Above average") if times == 1 else _("Above %(times)s × average") % {"times": shown(times, "decimal")}


def _items(items: list[ItemSales], before: Before) -> Table:
    columns = [
        (_("Item"), "text"), (_("Class"), "text"), (_("Category"), "text"), (_("Sold out"), "text"),
        (_("Revenue"), "money"), (_("Share"), "percent"), (_("Sold"), "number"), (_("Times ordered"), "number"),
        (_("Per order"), "decimal"), (_("Price"), "money"), (_("Revenue before"), "money"),
        (_("Sold before"), "number"),
    ]  # fmt: skip
    rows = [
        [
            each.item.name, str(PERFORMANCE[each.performance]), each.item.category,
            "" if each.item.available else _("yes"), each.revenue, each.share, each.portions,
            each.times_ordered, each.portions_per_order, each.item.price,
            before.of(each.item).revenue, before.of(each.item).portions,
        ]
        for each in items
    ]  # fmt: skip
    return table_of(_("All items"), columns, rows, empty=NO_ITEMS)


SORTS = ["item", "", "category", "revenue", "change", "", "sold", "sold_change", "times", "each", "price"]


def _listed(items: list[ItemSales], before: Before, category: str) -> Table:
    """As the page shows it: what is sold out is marked beside its name, and the columns sort."""
    items = [each for each in items if not category or each.item.category_name == category]
    columns = [
        (_("Item"), "text"), (_("Class"), "text"), (_("Category"), "text"), (_("Revenue"), "money"),
        (_("Change"), "change"), (_("Share"), "percent"), (_("Sold"), "number"), (_("Change"), "change"),
        (_("Times ordered"), "number"), (_("Per order"), "decimal"), (_("Price"), "money"),
    ]  # fmt: skip
    rows = [
        [
            each.item.name, _class(each), each.item.category, each.revenue,
            change(each.revenue, before.of(each.item).revenue if before.sales else None), each.share, each.portions,
            change(each.portions, before.of(each.item).portions if before.sales else None), each.times_ordered,
            each.portions_per_order, each.item.price,
        ]
        for each in items
    ]  # fmt: skip
    return table_of(
        _("All items"),
        columns,
        rows,
        chips=[CHIPS[each.performance] for each in items],
        asides=["" if each.item.available else _("Sold out") for each in items],
        sorts=SORTS,
        sort="-revenue",
        anchor="all-title",
        lead=SORTS.index("revenue"),
        empty=NO_ITEMS,
    )


def _class(item: ItemSales) -> str:
    return str((PERFORMANCE | ON_PAGE)[item.performance])


@dataclass(frozen=True, slots=True)
class CategoryChoice(Choice):
    name: str


def _categories(items: list[ItemSales], parameters: QueryDict) -> list[CategoryChoice]:
    """By name, the first all of them. `?category=` that there is none of is all."""
    counts = Counter(each.item.category_name for each in items)
    chosen = parameters.get("category", "")
    chosen = chosen if chosen in counts else ""
    found = [("", _("All"), len(items)), *((name, name, counts[name]) for name in sorted(counts, key=str.casefold))]
    return [
        CategoryChoice(f"{label} {grouped(count)}", _with_category(parameters, name), name == chosen, name)
        for name, label, count in found
    ]


def _with_category(parameters: QueryDict, name: str) -> str:
    other = parameters.copy()
    for each in ("category", "page"):
        other.pop(each, None)
    if name:
        other["category"] = name
    return other.urlencode()


def _renamed(table: Table, column: int = 1) -> Table:
    """With the page's names of the classes."""
    names = {str(PERFORMANCE[name]): str(other) for name, other in ON_PAGE.items()}
    rows = [[names.get(value, value) if place == column else value for place, value in enumerate(row)]
            for row in table["rows"]]  # fmt: skip
    return table | {"rows": rows}


def _with_gaps(table: Table) -> Table:
    """Nothing where a class has no threshold, or 0: on a phone its name is left out, too."""
    return table | {"rows": [[*row[:2], row[2] or "", *row[3:]] for row in table["rows"]]}
