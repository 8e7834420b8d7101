"""The page of the menu's performance."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from unicodedata import combining, normalize
from uuid import UUID

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from restaurant.reports import EVERY_ORDER
from restaurant.reports.menu import (
    CLASSES,
    NOT_SELLING,
    NOTHING,
    Before,
    ItemSales,
    MenuPerformance,
    margins,
    thresholds,
)
from web.choices import Choice, label_before, phrase_before, with_parameter
from web.reporting import BARS, Column, PageData, Table, Tile, change, clauses, compared, with_count, zone_words
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

NO_ITEMS = gettext_lazy("No menu items yet. Add them in the admin.")


CHIPS = {
    "star": "star",
    "good": "good",
    "average": "plain",
    LOW: "plain",
    "underperforming": "warn",
    "not_selling": "bad",
}


def page(report: MenuPerformance, before: Before, parameters: QueryDict, *, with_admin: bool = False) -> PageData:
    """`parameters`: of the list's `category`, `class` and `group`, which the links of the other choices keep, and `by`:
    whether its items are classed by sales, or by margin where food costs are known.

    `with_admin`: whether its items lead to the admin's pages of them.
    """
    items, of_items = report.items, margins.read(report.items)
    links = _links(items) if with_admin else {}
    by_revenue, by_quantity = _by_revenue(items, links), _by_quantity(items, links)
    by_margin = margins.table_of_groups(of_items)
    everything = margins.with_margins(_items(items, before), items, of_items)
    classes = _classes(items, [each.performance for each in items], PERFORMANCE)
    is_by_margin = by_margin is not None and parameters.get("by") == "margin"
    chosen = _chosen(parameters, is_by_margin=is_by_margin)
    listed = [each for each in items if _is_chosen(each, chosen, of_items, is_by_margin=is_by_margin)]
    categories = _categories(listed, parameters)
    category = next((each.name for each in categories if each.is_chosen), "")
    listed = [each for each in listed if not category or each.item.category_name == category]
    sought = chosen.get("q", "")
    empty = _("No item here is called “%(name)s”.") % {"name": sought} if sought else str(NO_ITEMS)
    return {
        "heading": _("Menu performance"),
        "sentence": _sentence(report, before),
        "tiles": _tiles(report, before, label_before(report.period)),
        "tables": [by_revenue, by_quantity, classes, everything, *([by_margin] if by_margin else [])],
        "by_revenue": by_revenue,
        "by_quantity": by_quantity,
        "classes": _classes_of_the_page(items, parameters),
        "by_margin": by_margin and is_by_margin and margins.with_links(by_margin, parameters),
        "ways": _ways(parameters, is_by_margin=is_by_margin) if by_margin else [],
        "everything": everything,
        "categories": categories,
        "chosen": [
            Choice(_label(name, value), with_parameter(parameters, name, ""), True) for name, value in chosen.items()
        ],
        "sought": sought,
        "has_search": bool(sought) or len(items) > BARS,
        "kept_parameters": [(name, parameters[name]) for name in parameters if name not in {"q", "page"}],
        "listed": margins.listed(listed, of_items, links, empty)
        if is_by_margin
        else _listed(listed, before, links, empty),
        "notes": [
            EVERY_ORDER,
            _("Days start at midnight %(zone)s.") % {"zone": zone_words()},
            _("The average is the sales per menu item, including items that nobody ordered."),
            _("Sales are at the price at the time of the order; the price column shows today's."),
            _("A change is that of sales, on %(period)s; what did not sell then is new.")
            % {"period": phrase_before(report.period)},
            *margins.notes(of_items),
        ],
    }


# --- what the list is narrowed to -----------------------------------------------------------------------


def _chosen(parameters: QueryDict, *, is_by_margin: bool) -> dict[str, str]:
    """The `class`, or by margin the `group`, and `q`, as far as they are chosen."""
    name, known = ("group", margins.GROUPS.keys()) if is_by_margin else ("class", ON_PAGE.keys())
    found = {name: parameters.get(name, ""), "q": parameters.get("q", "").strip()}
    return {key: value for key, value in found.items() if value and (key == "q" or value in known)}


def _label(name: str, value: str) -> str:
    if name == "q":
        return f"“{value}”"
    return str(margins.GROUPS[value].label if name == "group" else ON_PAGE[value])


def _is_chosen(
    sales: ItemSales, chosen: Mapping[str, str], of_items: Mapping[UUID, margins.Margin], *, is_by_margin: bool
) -> bool:
    margin = of_items.get(sales.item.pk)
    return (
        _plain(chosen.get("q", "")) in _plain(sales.item.name)
        and chosen.get("class", _class(sales)) == _class(sales)
        and (not is_by_margin or (margin is not None and chosen.get("group", margin.group) == margin.group))
    )


def _class(sales: ItemSales) -> str:
    """The page's class of it."""
    return LOW if sales.performance == "underperforming" and not sales.is_behind else sales.performance


def _plain(name: str) -> str:
    """As people type it: "ragu" finds "Ragù"."""
    return "".join(each for each in normalize("NFD", name) if not combining(each)).casefold()


def _ways(parameters: QueryDict, *, is_by_margin: bool) -> list[Choice]:
    """By which figure items are classed. What was chosen of the one is nothing in the other, nor is its order."""
    others = parameters.copy()
    for name in ("class", "group", "sort"):
        others.pop(name, None)
    return [
        Choice(_("By sales"), with_parameter(others, "by", ""), not is_by_margin),
        Choice(_("By margin"), with_parameter(others, "by", "margin"), is_by_margin),
    ]


def _sentence(report: MenuPerformance, before: Before) -> str:
    items = report.items
    if not items:
        return _("No menu items yet.")
    if not report.revenue:
        return _("No sales in this period.")
    best = _best([item for item in items if item.revenue == items[0].revenue])
    weak = sum(each.is_behind for each in items)
    sentence = ngettext(
        "%(count)s item sells less than half of what its category does on average",
        "%(count)s items sell less than half of what their category does on average",
        weak,
    )
    change = compared(report.revenue, before.revenue, phrase_before(report.period))
    all_revenue = _("sales are %(change)s") % {"change": change} if change else ""
    return clauses(best, with_count(sentence, weak) if weak else "", all_revenue)


def _best(items: list[ItemSales]) -> str:
    """Those that earn the same have one sentence; more than two are not named."""
    first, revenue = items[0], shown(items[0].revenue, "money")
    if len(items) == 1:
        return _("%(item)s earns most, %(share)s of sales") % {
            "item": first.item.name, "share": shown(first.share, "percent"),
        }  # fmt: skip
    if len(items) == 2:
        return _("%(item)s and %(other)s earn most, %(revenue)s each") % {
            "item": first.item.name, "other": items[1].item.name, "revenue": revenue,
        }  # fmt: skip
    return _("%(count)s items earn most, %(revenue)s each") % {"count": shown(len(items), "number"), "revenue": revenue}


def _tiles(report: MenuPerformance, before: Before, period: str) -> list[Tile]:
    items = report.items
    ordered = sum(item.times_ordered > 0 for item in items)
    of_all = with_count(ngettext("Out of %(count)s item", "Out of %(count)s items", len(items)), len(items))
    return [
        Tile(_("Sales"), report.revenue, "money", before=before.revenue, period=period),
        Tile(_("Items sold"), sum(item.portions for item in items), before=before.portions, period=period),
        Tile(_("Menu items ordered"), ordered, before=len(before.sales), period=period),
        Tile(_("Menu items not ordered"), len(items) - ordered, note=of_all),
    ]


# --- tables ---------------------------------------------------------------------------------------------


def _by_revenue(items: list[ItemSales], links: Mapping[UUID, str]) -> Table:
    earning = [item for item in items if item.revenue]
    figures = [Column(_("Sales"), "money"), Column(_("Share"), "percent")]
    rows = [[each.revenue, each.share] for each in earning[:BARS]]
    note, empty = _("Top %(count)s of %(all)s items with sales."), _("No sales in this period.")
    return _top(_("Top items by sales"), earning, figures, rows, links=links, note=note, empty=empty)


def _by_quantity(items: list[ItemSales], links: Mapping[UUID, str]) -> Table:
    ordered = sorted((item for item in items if item.portions), key=lambda item: -item.portions)
    figures = [Column(_("Sold"), "number"), Column(_("Sales"), "money")]
    rows = [[each.portions, each.revenue] for each in ordered[:BARS]]
    note, empty = _("Top %(count)s of %(all)s items that were ordered."), _("No orders in this period.")
    return _top(_("Top items by quantity"), ordered, figures, rows, links=links, note=note, empty=empty)


def _top(
    title: str,
    ranked: list[ItemSales],
    figures: list[Column],
    rows: list[list[Any]],
    *,
    links: Mapping[UUID, str],
    note: str,
    empty: str,
) -> Table:
    """The first BARS of them with their figures: `rows`."""
    return Table(
        title,
        [Column(_("Item")), Column(_("Class")), *figures],
        [[each.item.name, str(PERFORMANCE[each.performance]), *row] for each, row in zip(ranked, rows, strict=False)],
        links=[links.get(each.item.pk, "") for each in ranked[:BARS]],
        note=note % {"count": BARS, "all": shown(len(ranked), "number")} if len(ranked) > BARS else "",
        empty=empty,
    )


def _classes_of_the_page(items: list[ItemSales], parameters: QueryDict) -> Table:
    """Nothing where a class has no threshold, or 0: on a phone its name is left out, too. Each leads to its items."""
    table = _classes(items, [_class(each) for each in items], {name: ON_PAGE[name] for name in IN_ORDER})
    links = [
        f"?{with_parameter(parameters, 'class', name)}#all-title" if row[3] else ""
        for name, row in zip(IN_ORDER, table.rows, strict=True)
    ]
    return replace(table, rows=[[*row[:2], row[2] or "", *row[3:]] for row in table.rows], links=links)


def _classes(items: list[ItemSales], classes: list[str], names: Mapping[str, Any]) -> Table:
    """`classes`: that of each item."""
    columns = [
        Column(_("Class")), Column(_("Definition")), Column(_("Sales above"), "money"),
        Column(_("Items"), "number", one=_("Item")), Column(_("Sales"), "money", is_lead=True),
    ]  # fmt: skip
    least, counts, revenue = thresholds(items), Counter(classes), dict.fromkeys(names, NOTHING)
    for name, each in zip(classes, items, strict=True):
        revenue[name] += each.revenue
    rows = [
        [str(label), _meaning(name, has_low=LOW in names), least.get(name), counts[name], revenue[name]]
        for name, label in names.items()
    ]
    return Table(_("Performance classes"), columns, rows)


def _meaning(name: str, *, has_low: bool) -> str:
    if name == NOT_SELLING:
        return _("No sales")
    if has_low and name in {LOW, "underperforming"}:
        up_to = _("Up to %(times)s × average") % {"times": shown(CLASSES["average"], "decimal")}
        return up_to if name == LOW else _("%(up_to)s, and below half its category's") % {"up_to": up_to}
    times = CLASSES[name]
    if not times:
        return _("Any sales")
    return _("Above average") if times == 1 else _("Above %(times)s × average") % {"times": shown(times, "decimal")}


def _items(items: list[ItemSales], before: Before) -> Table:
    columns = [
        Column(_("Item")), Column(_("Class")), Column(_("Category")), Column(_("Sold out")),
        Column(_("Sales"), "money"), Column(_("Share"), "percent"), Column(_("Sold"), "number"),
        Column(_("Times ordered"), "number"), Column(_("Per order"), "decimal"), Column(_("Price"), "money"),
        Column(_("Sales before"), "money"), Column(_("Sold before"), "number"),
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
    return Table(_("All items"), columns, rows, empty=str(NO_ITEMS))


def _listed(items: list[ItemSales], before: Before, links: Mapping[UUID, str], empty: str) -> Table:
    """As the page shows it: what is sold out is marked beside its name, and the columns sort."""
    columns = [
        Column(_("Item"), sort="item"),
        Column(_("Class")),
        Column(_("Category"), sort="category"),
        Column(_("Sales"), "money", sort="revenue", is_lead=True),
        Column(_("Change"), "change", sort="change"),
        Column(_("Share"), "percent"),
        Column(_("Sold"), "number", sort="sold"),
        Column(_("Price"), "money", sort="price"),
    ]
    rows = [
        [
            each.item.name, str(ON_PAGE[_class(each)]), each.item.category, each.revenue,
            change(each.revenue, before.of(each.item).revenue if before.sales else None), each.share, each.portions,
            each.item.price,
        ]
        for each in items
    ]  # fmt: skip
    return Table(
        _("All items"),
        columns,
        rows,
        chips=[CHIPS[_class(each)] for each in items],
        asides=["" if each.item.available else _("Sold out") for each in items],
        links=[links.get(each.item.pk, "") for each in items],
        sort="-revenue",
        anchor="all-title",
        empty=empty,
    )


def _links(items: list[ItemSales]) -> dict[UUID, str]:
    """The admin's pages of them."""
    return {each.item.pk: reverse("admin:restaurant_menuitem_change", args=[each.item.pk]) for each in items}


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
        CategoryChoice(
            f"{label} {shown(count, 'number')}", with_parameter(parameters, "category", name), name == chosen, name
        )
        for name, label, count in found
    ]
