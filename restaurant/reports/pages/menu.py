"""The page of the menu's performance."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from unicodedata import combining, normalize
from uuid import UUID

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from restaurant.reports.menu import (
    CLASSES,
    NOT_SELLING,
    Before,
    ItemSales,
    MenuPerformance,
    behind_their_category,
    margins,
    thresholds,
)
from restaurant.reports.pages import EVERY_ORDER, menu_margins
from web.choices import Choice, label_before, phrase_before, with_parameter
from web.reporting import (
    BARS,
    Column,
    PageData,
    Table,
    Tile,
    change,
    clauses,
    compared,
    grouped,
    money_text,
    percent_text,
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
    items = report.items
    links = _links(items) if with_admin else {}
    by_revenue, by_quantity = _by_revenue(items, links), _by_quantity(items, links)
    of_items = margins(items)
    by_margin = menu_margins.table_of_groups(of_items)
    classes, everything = _classes(items), menu_margins.with_margins(_items(items, before), items, of_items)
    named = _named(items)
    chosen, group = parameters.get("class", ""), parameters.get("group", "")
    is_by_margin = by_margin is not None and parameters.get("by") == "margin"
    chosen = chosen if chosen in ON_PAGE and not is_by_margin else ""
    group = group if group in menu_margins.GROUPS and is_by_margin else ""
    of_group = {pk for pk, margin in of_items.items() if margin.group == group}
    sought = parameters.get("q", "").strip()
    of_class = [
        (name, each)
        for name, each in named
        if _plain(sought) in _plain(each.item.name)
        and (not chosen or name == chosen)
        and (not group or each.item.pk in of_group)
        and (not is_by_margin or each.item.pk in of_items)
    ]
    categories = _categories([each for _name, each in of_class], parameters)
    category = next((each.name for each in categories if each.is_chosen), "")
    listed = [(name, each) for name, each in of_class if not category or each.item.category_name == category]
    empty = _("No item here is called “%(name)s”.") % {"name": sought} if sought else ""
    return {
        "heading": _("Menu performance"),
        "sentence": _sentence(report, before),
        "tiles": _tiles(items, before, label_before(report.period)),
        "tables": [by_revenue, by_quantity, classes, everything, *([by_margin] if by_margin else [])],
        "by_revenue": by_revenue,
        "by_quantity": by_quantity,
        "classes": _classes_of_the_page(items, named, parameters),
        "by_margin": by_margin and is_by_margin and menu_margins.with_links(by_margin, parameters),
        "ways": _ways(parameters, is_by_margin=is_by_margin) if by_margin else [],
        "everything": everything,
        "categories": categories,
        "chosen": [
            Choice(str(label), with_parameter(parameters, name, ""), True)
            for name, value, label in (
                ("class", chosen, ON_PAGE.get(chosen)),
                ("group", group, menu_margins.GROUPS[group].label if group else ""),
                ("q", sought, f"“{sought}”"),
            )
            if value
        ],
        "sought": sought,
        "has_search": bool(sought) or len(items) > BARS,
        "kept_parameters": [(name, parameters[name]) for name in parameters if name not in {"q", "page"}],
        "listed": menu_margins.listed([each for _name, each in listed], of_items, links, empty)
        if is_by_margin
        else _listed(listed, before, links, empty),
        "notes": [
            EVERY_ORDER,
            _("Days start at midnight %(zone)s.") % {"zone": zone_words()},
            _("The average is the sales per menu item, including items that nobody ordered."),
            _("Sales are at the price at the time of the order; the price column shows today's."),
            _("A change is that of sales, on %(period)s; what did not sell then is new.")
            % {"period": phrase_before(report.period)},
            *menu_margins.notes(of_items),
        ],
    }


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
    revenue = sum((item.revenue for item in items), Decimal("0.00"))
    if not revenue:
        return _("No sales in this period.")
    best = _best([item for item in items if item.revenue == items[0].revenue])
    weak = len(behind_their_category(items))
    sentence = ngettext(
        "%(count)s item sells less than half of what its category does on average",
        "%(count)s items sell less than half of what their category does on average",
        weak,
    )
    change = compared(revenue, before.revenue, phrase_before(report.period))
    all_revenue = _("sales are %(change)s") % {"change": change} if change else ""
    return clauses(best, sentence % {"count": grouped(weak)} if weak else "", all_revenue)


def _best(items: list[ItemSales]) -> str:
    """Those that earn the same have one sentence; more than two are not named."""
    first, revenue = items[0], money_text(items[0].revenue)
    if len(items) == 1:
        return _("%(item)s earns most, %(share)s of sales") % {
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
        Tile(_("Sales"), revenue, "money", before=before.revenue, period=period),
        Tile(_("Items sold"), portions, before=before.portions, period=period),
        Tile(_("Menu items ordered"), ordered, before=len(before.sales), period=period),
        Tile(_("Menu items not ordered"), len(items) - ordered, note=of_all),
    ]


def _by_revenue(items: list[ItemSales], links: Mapping[UUID, str]) -> Table:
    earning = [item for item in items if item.revenue]
    rows = [[item.item.name, str(PERFORMANCE[item.performance]), item.revenue, item.share] for item in earning[:BARS]]
    columns = [Column(_("Item")), Column(_("Class")), Column(_("Sales"), "money"), Column(_("Share"), "percent")]
    note = _("Top %(count)s of %(all)s items with sales.") % {"count": BARS, "all": grouped(len(earning))}
    return Table(
        _("Top items by sales"),
        columns,
        rows,
        note=note if len(earning) > BARS else "",
        links=[links.get(each.item.pk, "") for each in earning[:BARS]],
        empty=_("No sales in this period."),
    )


def _by_quantity(items: list[ItemSales], links: Mapping[UUID, str]) -> Table:
    ordered = sorted((item for item in items if item.portions), key=lambda item: -item.portions)
    best = ordered[:BARS]
    rows = [[item.item.name, str(PERFORMANCE[item.performance]), item.portions, item.revenue] for item in best]
    columns = [Column(_("Item")), Column(_("Class")), Column(_("Sold"), "number"), Column(_("Sales"), "money")]
    note = _("Top %(count)s of %(all)s items that were ordered.") % {"count": BARS, "all": grouped(len(ordered))}
    return Table(
        _("Top items by quantity"),
        columns,
        rows,
        note=note if len(ordered) > BARS else "",
        links=[links.get(each.item.pk, "") for each in best],
        empty=_("No orders in this period."),
    )


def _classes(items: list[ItemSales]) -> Table:
    return _counted(items, [(each.performance, each.revenue) for each in items], PERFORMANCE, PERFORMANCE)


def _classes_of_the_page(items: list[ItemSales], named: list[tuple[str, ItemSales]], parameters: QueryDict) -> Table:
    """Nothing where a class has no threshold, or 0: on a phone its name is left out, too. Each leads to its items."""
    table = _counted(items, [(name, each.revenue) for name, each in named], IN_ORDER, ON_PAGE)
    links = [
        f"?{with_parameter(parameters, 'class', name)}#all-title" if row[3] else ""
        for name, row in zip(IN_ORDER, table.rows, strict=True)
    ]
    rows = [[*row[:2], row[2] or "", *row[3:]] for row in table.rows]
    return replace(table, rows=rows, links=links)


def _counted(
    items: list[ItemSales], sales: list[tuple[str, Decimal]], order: Iterable[str], names: Mapping[str, Any]
) -> Table:
    columns = [
        Column(_("Class")), Column(_("Definition")), Column(_("Sales above"), "money"),
        Column(_("Items"), "number", one=_("Item")), Column(_("Sales"), "money", is_lead=True),
    ]  # fmt: skip
    least, counts = thresholds(items), Counter(name for name, _revenue in sales)
    has_low = LOW in names
    rows = [
        [
            str(names[name]), _meaning(name, has_low=has_low), None if name == LOW else least.get(name), counts[name],
            sum((revenue for each, revenue in sales if each == name), Decimal("0.00")),
        ]
        for name in order
    ]  # fmt: skip
    return Table(_("Performance classes"), columns, rows)


def _named(items: list[ItemSales]) -> list[tuple[str, ItemSales]]:
    """With the page's class of each."""
    behind = behind_their_category(items)
    return [
        (LOW if each.performance == "underperforming" and each.item.pk not in behind else each.performance, each)
        for each in items
    ]


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


def _listed(named: list[tuple[str, ItemSales]], before: Before, links: Mapping[UUID, str], empty: str) -> Table:
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
            each.item.name, str(ON_PAGE[name]), each.item.category, each.revenue,
            change(each.revenue, before.of(each.item).revenue if before.sales else None), each.share, each.portions,
            each.item.price,
        ]
        for name, each in named
    ]  # fmt: skip
    return Table(
        _("All items"),
        columns,
        rows,
        chips=[CHIPS[name] for name, _each in named],
        asides=["" if each.item.available else _("Sold out") for _name, each in named],
        links=[links.get(each.item.pk, "") for _name, each in named],
        sort="-revenue",
        anchor="all-title",
        empty=empty or str(NO_ITEMS),
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
        CategoryChoice(f"{label} {grouped(count)}", with_parameter(parameters, "category", name), name == chosen, name)
        for name, label, count in found
    ]
