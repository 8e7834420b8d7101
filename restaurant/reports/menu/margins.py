"""What dishes leave where their food costs are known. Only page and CSV of the menu show it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from math import ceil
from typing import NamedTuple
from uuid import UUID

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.menu.models import Category
from restaurant.reports.menu import ItemSales
from restaurant.rules import OrderingRules
from web.choices import with_parameter
from web.money import NOTHING, rounded
from web.reporting import Column, Table
from web.templatetags.reports import shown

MARGIN_NOTE = gettext_lazy(
    "Food cost is in percent of today's price, profit is sales less the food cost of what was sold: both without VAT."
)


# By whether an item is popular, and whether a portion has a high margin.
GROUP_OF = {(True, True): "winner", (True, False): "workhorse", (False, True): "puzzle", (False, False): "dog"}
POPULAR = Decimal("0.7")


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


@dataclass(frozen=True, slots=True)
class Margin:
    """The margin of an item whose food cost is known.

    `cost_share`: in percent of today's price without VAT, if that is not 0. `portion_margin`: what a portion leaves at
    that price. `group`: one of GROUPS, or empty if there is nothing to compare with. Otherwise these are known, too:
    `category_portion_margin`, what a portion of the category leaves on average; `popular_from`, how many sell well.
    """

    cost_share: Decimal | None
    profit: Decimal
    portion_margin: Decimal
    group: str = ""
    category_portion_margin: Decimal | None = None
    popular_from: int | None = None


def read(items: list[ItemSales]) -> dict[UUID, Margin]:
    """Costs are those of today, as VAT rates are."""
    if all(sales.item.cost is None for sales in items):
        return {}
    rules, rates = OrderingRules.current(), dict(Category.objects.values_list("name", "vat_rate"))
    margins = {}
    for sales in items:
        cost = sales.item.cost
        if cost is None:
            continue
        rate = rules.rate_of(sales.item.vat_rate, rates.get(sales.item.category_name)) or NOTHING
        net = Decimal(100) / (100 + rate)
        price = sales.item.price * net
        share = 100 * cost / price if price else None
        margins[sales.item.pk] = Margin(
            share and share.quantize(Decimal("0.1"), ROUND_HALF_UP),
            rounded(sales.revenue * net - cost * sales.portions),
            price - cost,
        )
    return margins | _grouped(items, margins)


def _grouped(items: list[ItemSales], margin_of: dict[UUID, Margin]) -> dict[UUID, Margin]:
    """Compare items whose food cost is known with those of their own category.

    Popular is what sells at least POPULAR times their mean; the margin of a portion is high if it is at least what
    they leave on average, by what was sold. Nothing is compared with itself alone, or where nothing was sold.
    """
    categories: dict[str, list[ItemSales]] = defaultdict(list)
    for sales in items:
        if sales.item.pk in margin_of:
            categories[sales.item.category_name].append(sales)
    return {
        pk: margin
        for category_items in categories.values()
        if len(category_items) > 1
        for pk, margin in _grouped_in_category(category_items, margin_of)
    }


def _grouped_in_category(items: list[ItemSales], margin_of: dict[UUID, Margin]) -> Iterator[tuple[UUID, Margin]]:
    portions = sum(sales.portions for sales in items)
    left = sum((margin_of[sales.item.pk].portion_margin * sales.portions for sales in items), NOTHING)
    for sales in items if portions else ():
        is_popular = sales.portions * len(items) >= POPULAR * portions
        margin = margin_of[sales.item.pk]
        is_high = margin.portion_margin * portions >= left
        yield (
            sales.item.pk,
            replace(
                margin,
                group=GROUP_OF[is_popular, is_high],
                category_portion_margin=left / portions,
                popular_from=ceil(POPULAR * portions / len(items)),
            ),
        )


def with_margins(table: Table, items: list[ItemSales], margin_of: dict[UUID, Margin]) -> Table:
    """Return the file's table with three more columns, if the food cost of any item is known."""
    if not margin_of:
        return table
    columns = [Column(_("Food cost"), "percent"), Column(_("Profit"), "money"), Column(_("By margin"))]
    rows = []
    for row, sales in zip(table.rows, items, strict=True):
        margin = margin_of.get(sales.item.pk)
        figures = [margin.cost_share, margin.profit, _label(margin.group)] if margin else [None, None, None]
        rows.append([*row, *figures])
    return replace(table, columns=[*table.columns, *columns], rows=rows)


CHIPS = {"winner": "good", "workhorse": "plain", "puzzle": "plain", "dog": "warn", "": ""}


def listed(items: list[ItemSales], margin_of: dict[UUID, Margin], links: Mapping[UUID, str], empty: str) -> Table:
    """Return the page's list by margin, with the figures that groups follow from and what they are compared with."""
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
    known = [(sales, margin_of[sales.item.pk]) for sales in items if sales.item.pk in margin_of]
    known.sort(key=lambda pair: -pair[1].profit)
    rows = [
        [
            sales.item.name, _label(margin.group) or "", sales.item.category, sales.portions, margin.popular_from,
            _cents(margin.portion_margin), _cents(margin.category_portion_margin), margin.cost_share, margin.profit,
        ]
        for sales, margin in known
    ]  # fmt: skip
    return Table(
        _("All items"),
        columns,
        rows,
        chips=[CHIPS[margin.group] for _sales, margin in known],
        asides=["" if sales.item.available else _("Sold out") for sales, _margin in known],
        links=[links.get(sales.item.pk, "") for sales, _margin in known],
        sort="-profit",
        anchor="all-title",
        empty=empty,
        note=_("A margin is high from the category's average on. Profits are without VAT."),
    )


def _cents(amount: Decimal | None) -> Decimal | None:
    return None if amount is None else rounded(amount)


def _label(group: str) -> str | None:
    return str(GROUPS[group].label) if group else None


def table_of_groups(margin_of: dict[UUID, Margin]) -> Table | None:
    """Return what to do with each group of items; None where nothing can be compared."""
    if not has_groups(margin_of):
        return None
    columns = [
        Column(_("Group")), Column(_("Definition")), Column(_("Next step")),
        Column(_("Items"), "number", one=_("Item")), Column(_("Profit, ex VAT"), "money", is_lead=True),
    ]  # fmt: skip
    rows = []
    for name, group in GROUPS.items():
        profits = [margin.profit for margin in margin_of.values() if margin.group == name]
        rows.append([*map(str, group), len(profits), sum(profits, NOTHING)])
    return Table(_("Popularity and margin"), columns, rows)


def has_groups(margin_of: dict[UUID, Margin]) -> bool:
    return any(margin.group for margin in margin_of.values())


def with_links(table: Table, parameters: QueryDict) -> Table:
    """Each group leads to its items."""
    links = [
        f"?{with_parameter(parameters, 'group', name)}#all-title" if row[3] else ""
        for name, row in zip(GROUPS, table.rows, strict=True)
    ]
    return replace(table, links=links)


def notes(margin_of: dict[UUID, Margin]) -> list[str]:
    group_note = _(
        "By margin, items are compared with those of their category whose food cost is known: what sells at least "
        "%(share)s of their average sells well, and a margin is high if a portion leaves at least what they leave on "
        "average."
    ) % {"share": shown((100 * POPULAR).quantize(Decimal(1)), "percent")}
    return [*([str(MARGIN_NOTE)] if margin_of else []), *([group_note] if has_groups(margin_of) else [])]
