"""What the page of the menu's performance, and its CSV, have where food costs are known."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple
from uuid import UUID

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.reports.menu import POPULAR, ItemSales, Margin
from web.choices import with_parameter
from web.reporting import Column, Table, percent_text

OF_MARGINS = gettext_lazy(
    "Food cost is in percent of today's price, profit is sales less the food cost of what was sold: both without VAT."
)


class Group(NamedTuple):
    label: Promise
    meaning: Promise
    next_step: Promise


# By popularity and margin: the stars, plough horses, puzzles and dogs of menu engineering. "Star" is a class already.
GROUPS = {
    "winner": Group(
        gettext_lazy("Winner"),
        gettext_lazy("Sells well, high margin"),
        gettext_lazy("Keep it as it is, where everybody sees it."),
    ),
    "workhorse": Group(
        gettext_lazy("Workhorse"),
        gettext_lazy("Sells well, low margin"),
        gettext_lazy("Raise its price a little, or make the plate cheaper."),
    ),
    "puzzle": Group(
        gettext_lazy("Puzzle"),
        gettext_lazy("Sells little, high margin"),
        gettext_lazy("Recommend it, and move it up the menu."),
    ),
    "dog": Group(
        gettext_lazy("Dog"),
        gettext_lazy("Sells little, low margin"),
        gettext_lazy("Change it, or take it off the menu."),
    ),
}


def with_margins(table: Table, items: list[ItemSales], of_items: dict[UUID, Margin]) -> Table:
    """With three columns more, if the food cost of any item is known. The file has them."""
    if not of_items:
        return table
    columns = [Column(_("Food cost"), "percent"), Column(_("Profit"), "money"), Column(_("By margin"))]
    rows = []
    for row, each in zip(table.rows, items, strict=True):
        margin = of_items.get(each.item.pk)
        figures = [margin.cost_share, margin.profit, _label(margin.group)] if margin else [None, None, None]
        rows.append([*row, *figures])
    return replace(table, columns=[*table.columns, *columns], rows=rows)


CHIPS = {"winner": "good", "workhorse": "plain", "puzzle": "plain", "dog": "warn", "": ""}


def listed(items: list[ItemSales], of_items: dict[UUID, Margin], links: Mapping[UUID, str], empty: str) -> Table:
    """As the page shows them by margin: each with the two figures that its group follows from, and their measures."""
    columns = [
        Column(_("Item"), sort="item"),
        Column(_("Group"), sort="group"),
        Column(_("Category"), sort="category"),
        Column(_("Sold"), "number", sort="sold"),
        Column(_("Sells well from"), "number"),
        Column(_("Profit a portion"), "money", sort="left"),
        Column(_("Category average"), "money"),
        Column(_("Food cost"), "percent", sort="cost"),
        Column(_("Profit"), "money", sort="profit", is_lead=True),
    ]
    known = [(each, of_items[each.item.pk]) for each in items if each.item.pk in of_items]
    known.sort(key=lambda each: -each[1].profit)
    rows = [
        [
            each.item.name, _label(margin.group) or "", each.item.category, each.portions, margin.popular_from,
            _cents(margin.of_one), _cents(margin.of_one_there), margin.cost_share, margin.profit,
        ]
        for each, margin in known
    ]  # fmt: skip
    return Table(
        _("All items"),
        columns,
        rows,
        chips=[CHIPS[margin.group] for _each, margin in known],
        asides=["" if each.item.available else _("Sold out") for each, _margin in known],
        links=[links.get(each.item.pk, "") for each, _margin in known],
        sort="-profit",
        anchor="all-title",
        empty=empty,
        note=_("A margin is high from the category's average on. Profits are without VAT."),
    )


def _cents(amount: Decimal | None) -> Decimal | None:
    return None if amount is None else amount.quantize(Decimal("0.01"), ROUND_HALF_UP)


def _label(group: str) -> str | None:
    return str(GROUPS[group].label) if group else None


def table_of_groups(of_items: dict[UUID, Margin]) -> Table | None:
    """What to do with what sells well or little, and leaves much or little. None where nothing can be compared."""
    if not has_groups(of_items):
        return None
    columns = [
        Column(_("Group")), Column(_("Definition")), Column(_("Next step")),
        Column(_("Items"), "number", one=_("Item")), Column(_("Profit, ex VAT"), "money", is_lead=True),
    ]  # fmt: skip
    rows = []
    for name, group in GROUPS.items():
        profits = [each.profit for each in of_items.values() if each.group == name]
        words = [str(each) for each in group]
        rows.append([*words, len(profits), sum(profits, Decimal("0.00"))])
    return Table(_("Popularity and margin"), columns, rows)


def has_groups(of_items: dict[UUID, Margin]) -> bool:
    return any(each.group for each in of_items.values())


def with_links(table: Table, parameters: QueryDict) -> Table:
    """Each group leads to its items."""
    links = [
        f"?{with_parameter(parameters, 'group', name)}#all-title" if row[3] else ""
        for name, row in zip(GROUPS, table.rows, strict=True)
    ]
    return replace(table, links=links)


def notes(of_items: dict[UUID, Margin]) -> list[str]:
    of_groups = _(
        "By margin, items are compared with those of their category whose food cost is known: what sells at least "
        "%(share)s of their average sells well, and a margin is high if a portion leaves at least what they leave on "
        "average."
    ) % {"share": percent_text((100 * POPULAR).quantize(Decimal(1)))}
    return [*([str(OF_MARGINS)] if of_items else []), *([of_groups] if has_groups(of_items) else [])]
