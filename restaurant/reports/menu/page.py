"""The page of the menu's performance."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from restaurant.reports import ORDERS_NOTE
from restaurant.reports.menu import ItemSales, MenuPerformance, margins
from restaurant.reports.menu.classes import ON_PAGE, PERFORMANCE, class_on_page, table_of_classes, table_of_page
from restaurant.reports.menu.selection import Selection, by_category
from restaurant.reports.queries.sold import NONE, Sold
from web.choices import label_before, phrase_before
from web.reporting import BARS, Column, PageData, Table, Tile, change, clauses, compared, with_count, zone_words
from web.templatetags.reports import shown

NO_ITEMS = gettext_lazy("No menu items yet. Add them in the admin.")


CHIPS = {
    "star": "star",
    "good": "good",
    "average": "plain",
    "low": "plain",
    "underperforming": "warn",
    "not_selling": "bad",
}


def page(
    report: MenuPerformance, before: Mapping[UUID, Sold], parameters: QueryDict, *, with_admin: bool = False
) -> PageData:
    """`before`: of the period before, by item: those that were sold.

    `parameters`: of the list's `category`, `class` and `group`, which the links of the other choices keep, and `by`:
    whether its items are classed by sales, or by margin where food costs are known.

    `with_admin`: whether its items lead to the admin's pages of them.
    """
    items, margin_of = report.items, margins.read(report.items)
    links = _links(items) if with_admin else {}
    by_revenue, by_quantity = _by_revenue(items, links), _by_quantity(items, links)
    by_margin = margins.table_of_groups(margin_of)
    everything = margins.with_margins(_items(items, before), items, margin_of)
    classes = table_of_classes(items, [sales.performance for sales in items], PERFORMANCE)
    is_by_margin = by_margin is not None and parameters.get("by") == "margin"
    selection = Selection(parameters, is_by_margin)
    selected = [sales for sales in items if selection.has(sales, margin_of.get(sales.item.pk))]
    categories, selected = by_category(selected, parameters)
    empty = _("No item here is called “%(name)s”.") % {"name": selection.text} if selection.text else str(NO_ITEMS)
    return {
        "heading": _("Menu performance"),
        "sentence": _sentence(report, before),
        "tiles": _tiles(report, before),
        "tables": [by_revenue, by_quantity, classes, everything, *([by_margin] if by_margin else [])],
        "by_revenue": by_revenue,
        "by_quantity": by_quantity,
        "classes": table_of_page(items, parameters),
        "by_margin": by_margin and is_by_margin and margins.with_links(by_margin, parameters),
        "ways": selection.ways() if by_margin else [],
        "everything": everything,
        "categories": categories,
        "chosen": selection.choices(),
        "sought": selection.text,
        "has_search": bool(selection.text) or len(items) > BARS,
        "kept_parameters": [(name, parameters[name]) for name in parameters if name not in {"q", "page"}],
        "listed": margins.listed(selected, margin_of, links, empty)
        if is_by_margin
        else _listed(selected, before, links, empty),
        "notes": [
            ORDERS_NOTE,
            _("Days start at midnight %(zone)s.") % {"zone": zone_words()},
            _("The average is the sales per menu item, including items that nobody ordered."),
            _("Sales are at the price at the time of the order; the price column shows today's."),
            _("A change is that of sales, on %(period)s; what did not sell then is new.")
            % {"period": phrase_before(report.period)},
            *margins.notes(margin_of),
        ],
    }


def _sentence(report: MenuPerformance, before: Mapping[UUID, Sold]) -> str:
    items = report.items
    if not items:
        return _("No menu items yet.")
    if not report.revenue:
        return _("No sales in this period.")
    best = _best([sales for sales in items if sales.revenue == items[0].revenue])
    weak = sum(sales.is_behind for sales in items)
    behind = ngettext(
        "%(count)s item sells less than half of what its category does on average",
        "%(count)s items sell less than half of what their category does on average",
        weak,
    )
    change = compared(report.revenue, _total(before).revenue, phrase_before(report.period))
    all_revenue = _("sales are %(change)s") % {"change": change} if change else ""
    return clauses(best, with_count(behind, weak) if weak else "", all_revenue)


def _total(before: Mapping[UUID, Sold]) -> Sold:
    return sum(before.values(), NONE)


def _best(items: list[ItemSales]) -> str:
    """Name the items that earn most in one sentence, unless they are more than two."""
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


def _tiles(report: MenuPerformance, before: Mapping[UUID, Sold]) -> list[Tile]:
    items, period, total_before = report.items, label_before(report.period), _total(before)
    ordered = sum(sales.times_ordered > 0 for sales in items)
    of_all = with_count(ngettext("Out of %(count)s item", "Out of %(count)s items", len(items)), len(items))
    return [
        Tile(_("Sales"), report.revenue, "money", before=total_before.revenue, period=period),
        Tile(_("Items sold"), sum(sales.portions for sales in items), before=total_before.portions, period=period),
        Tile(_("Menu items ordered"), ordered, before=len(before), period=period),
        Tile(_("Menu items not ordered"), len(items) - ordered, note=of_all),
    ]


# --- tables ---------------------------------------------------------------------------------------------


def _by_revenue(items: list[ItemSales], links: Mapping[UUID, str]) -> Table:
    earning = [sales for sales in items if sales.revenue]
    figures = [Column(_("Sales"), "money"), Column(_("Share"), "percent")]
    rows = [[sales.revenue, sales.share] for sales in earning[:BARS]]
    note, empty = _("Top %(count)s of %(all)s items with sales."), _("No sales in this period.")
    return _top(_("Top items by sales"), earning, figures, rows, links=links, note=note, empty=empty)


def _by_quantity(items: list[ItemSales], links: Mapping[UUID, str]) -> Table:
    ordered = sorted((sales for sales in items if sales.portions), key=lambda sales: -sales.portions)
    figures = [Column(_("Sold"), "number"), Column(_("Sales"), "money")]
    rows = [[sales.portions, sales.revenue] for sales in ordered[:BARS]]
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
    """Return the first BARS of them. `rows`: their figures."""
    return Table(
        title,
        [Column(_("Item")), Column(_("Class")), *figures],
        [
            [sales.item.name, str(PERFORMANCE[sales.performance]), *row]
            for sales, row in zip(ranked, rows, strict=False)
        ],
        links=[links.get(sales.item.pk, "") for sales in ranked[:BARS]],
        note=note % {"count": BARS, "all": shown(len(ranked), "number")} if len(ranked) > BARS else "",
        empty=empty,
    )


def _items(items: list[ItemSales], before: Mapping[UUID, Sold]) -> Table:
    columns = [
        Column(_("Item")), Column(_("Class")), Column(_("Category")), Column(_("Sold out")),
        Column(_("Sales"), "money"), Column(_("Share"), "percent"), Column(_("Sold"), "number"),
        Column(_("Times ordered"), "number"), Column(_("Per order"), "decimal"), Column(_("Price"), "money"),
        Column(_("Sales before"), "money"), Column(_("Sold before"), "number"),
    ]  # fmt: skip
    rows = [
        [
            sales.item.name, str(PERFORMANCE[sales.performance]), sales.item.category,
            "" if sales.item.available else _("yes"), sales.revenue, sales.share, sales.portions,
            sales.times_ordered, sales.portions_per_order, sales.item.price,
            before.get(sales.item.pk, NONE).revenue, before.get(sales.item.pk, NONE).portions,
        ]
        for sales in items
    ]  # fmt: skip
    return Table(_("All items"), columns, rows, empty=str(NO_ITEMS))


def _listed(items: list[ItemSales], before: Mapping[UUID, Sold], links: Mapping[UUID, str], empty: str) -> Table:
    """Return the page's list: what is sold out is marked beside its name, and the columns sort."""
    columns = [
        Column(_("Item"), sort="item"),
        Column(_("Class")),
        Column(_("Category"), sort="category"),
        Column(_("Sales"), "money", sort="revenue", is_lead=True),
        Column(pgettext("from one time to another", "Change"), "change", sort="change"),
        Column(_("Share"), "percent"),
        Column(_("Sold"), "number", sort="sold"),
        Column(_("Price"), "money", sort="price"),
    ]
    rows = [
        [
            sales.item.name, str(ON_PAGE[class_on_page(sales)]), sales.item.category, sales.revenue,
            change(sales.revenue, before.get(sales.item.pk, NONE).revenue if before else None), sales.share,
            sales.portions, sales.item.price,
        ]
        for sales in items
    ]  # fmt: skip
    return Table(
        _("All items"),
        columns,
        rows,
        chips=[CHIPS[class_on_page(sales)] for sales in items],
        asides=["" if sales.item.available else _("Sold out") for sales in items],
        links=[links.get(sales.item.pk, "") for sales in items],
        sort="-revenue",
        anchor="all-title",
        empty=empty,
    )


def _links(items: list[ItemSales]) -> dict[UUID, str]:
    """Return the addresses of their pages in the admin."""
    return {sales.item.pk: reverse("admin:restaurant_menuitem_change", args=[sales.item.pk]) for sales in items}
