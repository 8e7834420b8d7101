"""What each item of the menu sells. See "Sales reports" in docs/behaviour/restaurant.md."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from math import ceil
from uuid import UUID

from restaurant.menu.models import Category, MenuItem
from restaurant.reports.queries import Sold, sold
from restaurant.rules import OrderingRules
from web.reporting import average
from web.windows import Period

# Best first: the class of an item whose revenue is above so many times the mean of all items.
CLASSES = {
    "star": Decimal("1.5"),
    "good": Decimal(1),
    "average": Decimal("0.5"),
    "underperforming": Decimal(0),
}
NOT_SELLING = "not_selling"
LOWEST = ("underperforming", NOT_SELLING)
NOTHING = Decimal("0.00")

# By whether an item is popular, and whether a portion has a high margin.
GROUPS = {(True, True): "winner", (True, False): "workhorse", (False, True): "puzzle", (False, False): "dog"}
POPULAR = Decimal("0.7")


@dataclass(frozen=True, slots=True)
class ItemSales:
    """`share`: percent of the revenue, to one decimal. `performance`: a key of CLASSES, or NOT_SELLING."""

    item: MenuItem
    times_ordered: int
    portions: int
    revenue: Decimal
    share: Decimal
    performance: str

    @property
    def portions_per_order(self) -> Decimal:
        return average(Decimal(self.portions), self.times_ordered)

    @property
    def share_text(self) -> str:
        return f"{self.share}%"


@dataclass(frozen=True, slots=True)
class MenuPerformance:
    """`items`: every item of the menu, the highest revenue first."""

    period: Period
    items: list[ItemSales]

    @property
    def days(self) -> int:
        return self.period.window.days


@dataclass(frozen=True, slots=True)
class Before:
    """Of the period before, by item: those that were sold."""

    sales: dict[UUID, Sold]

    @property
    def revenue(self) -> Decimal:
        return sum((each.revenue for each in self.sales.values()), NOTHING)

    @property
    def portions(self) -> int:
        return sum(each.portions for each in self.sales.values())

    def of(self, item: MenuItem) -> Sold:
        return self.sales.get(item.pk, sold.NONE)


def read(*, period: Period) -> MenuPerformance:
    sales = sold.by_item(period.window)
    revenue = sum((each.revenue for each in sales.values()), NOTHING)
    menu = list(MenuItem.objects.select_related("picture").order_by("name", "pk"))
    items = [_item_sales(item, revenue, len(menu), sales.get(item.pk, sold.NONE)) for item in menu]
    return MenuPerformance(period=period, items=sorted(items, key=lambda each: -each.revenue))


def sold_before(report: MenuPerformance) -> Before:
    """Only page and CSV show it."""
    return Before(sold.by_item(report.period.before))


def _item_sales(item: MenuItem, total: Decimal, count: int, sales: Sold) -> ItemSales:
    """`total`: the revenue of all `count` items."""
    revenue = sales.revenue
    share = (100 * revenue / total if total else NOTHING).quantize(Decimal("0.1"), ROUND_HALF_UP)
    # Compared without dividing: an item can be exactly 1.5 times a mean that has no last decimal.
    classes = (name for name, times in CLASSES.items() if revenue * count > times * total)
    return ItemSales(
        item=item,
        times_ordered=sales.lines,
        portions=sales.portions,
        revenue=revenue,
        share=share,
        performance=next(classes, NOT_SELLING),
    )


@dataclass(frozen=True, slots=True)
class Margin:
    """Of an item whose food cost is known. `cost_share`: in percent of today's price without VAT, if that is not 0.

    `of_one`: what a portion leaves at that price. `group`: one of GROUPS, or empty if there is nothing to compare with;
    else it has what it is compared with: `of_one_there`, what a portion of its category leaves on average, and
    `popular_from`, how many portions sell well.
    """

    cost_share: Decimal | None
    profit: Decimal
    of_one: Decimal
    group: str = ""
    of_one_there: Decimal | None = None
    popular_from: int | None = None


def margins(items: list[ItemSales]) -> dict[UUID, Margin]:
    """Only page and CSV show them. Costs are those of today, as VAT rates are."""
    known = [(each, cost) for each in items if (cost := each.item.cost) is not None]
    if not known:
        return {}
    rules, rates = OrderingRules.current(), dict(Category.objects.values_list("name", "vat_rate"))
    found = {}
    for each, cost in known:
        rate = rules.rate_of(each.item.vat_rate, rates.get(each.item.category_name)) or NOTHING
        net = Decimal(100) / (100 + rate)
        price = each.item.price * net
        share = 100 * cost / price if price else None
        found[each.item.pk] = Margin(
            share and share.quantize(Decimal("0.1"), ROUND_HALF_UP),
            (each.revenue * net - cost * each.portions).quantize(Decimal("0.01"), ROUND_HALF_UP),
            price - cost,
        )
    return found | _grouped(items, found)


def _grouped(items: list[ItemSales], of_items: dict[UUID, Margin]) -> dict[UUID, Margin]:
    """Of the items whose food cost is known, each compared with those of its own category.

    Popular is what sells at least POPULAR times their mean; the margin of a portion is high if it is at least what
    they leave on average, by what was sold. Nothing is compared with itself alone, or where nothing was sold.
    """
    categories: dict[str, list[ItemSales]] = defaultdict(list)
    for each in items:
        if each.item.pk in of_items:
            categories[each.item.category_name].append(each)
    return {
        pk: margin
        for of_category in categories.values()
        if len(of_category) > 1
        for pk, margin in _grouped_in_category(of_category, of_items)
    }


def _grouped_in_category(items: list[ItemSales], of_items: dict[UUID, Margin]) -> Iterator[tuple[UUID, Margin]]:
    portions = sum(each.portions for each in items)
    left = sum((of_items[each.item.pk].of_one * each.portions for each in items), NOTHING)
    for each in items if portions else ():
        is_popular = each.portions * len(items) >= POPULAR * portions
        margin = of_items[each.item.pk]
        is_high = margin.of_one * portions >= left
        yield (
            each.item.pk,
            replace(
                margin,
                group=GROUPS[is_popular, is_high],
                of_one_there=left / portions,
                popular_from=ceil(POPULAR * portions / len(items)),
            ),
        )


def behind_their_category(items: list[ItemSales]) -> set[UUID]:
    """Of the lowest classes, what brings less than half of its category's mean. Only the page tells them apart: a side
    dish is not weak because a main course costs more."""
    revenue: dict[str, Decimal] = defaultdict(Decimal)
    counts = Counter(each.item.category_name for each in items)
    for each in items:
        revenue[each.item.category_name] += each.revenue
    return {
        each.item.pk
        for each in items
        if each.performance in LOWEST
        and 2 * each.revenue * counts[each.item.category_name] < revenue[each.item.category_name]
    }


def thresholds(items: list[ItemSales]) -> dict[str, Decimal]:
    """The revenue above which an item is of each class, rounded to two decimals for people to read."""
    mean = sum((each.revenue for each in items), Decimal(0)) / max(len(items), 1)
    return {name: (times * mean).quantize(Decimal("0.01"), ROUND_HALF_UP) for name, times in CLASSES.items()}
