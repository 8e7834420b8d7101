"""What each item of the menu sells. See "Sales reports" in docs/behaviour/restaurant.md."""

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from uuid import UUID

from restaurant.menu.models import MenuItem
from restaurant.reports.queries.sold import NONE, Sold, by_item
from web.money import NOTHING
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


@dataclass(frozen=True, slots=True)
class ItemSales:
    """`share`: percent of the revenue, to one decimal. `performance`: a key of CLASSES, or NOT_SELLING.

    `is_behind`: of the lowest classes, what brings less than half of its category's mean. Only the page tells them
    apart: a side dish is not weak because a main course costs more.
    """

    item: MenuItem
    times_ordered: int
    portions: int
    revenue: Decimal
    share: Decimal
    performance: str
    is_behind: bool = False

    @property
    def portions_per_order(self) -> Decimal:
        return (Decimal(self.portions) / max(self.times_ordered, 1)).quantize(Decimal("0.01"), ROUND_HALF_UP)

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

    @property
    def revenue(self) -> Decimal:
        return sum((item.revenue for item in self.items), NOTHING)


def read(*, period: Period) -> MenuPerformance:
    sales = by_item(period.window)
    revenue = sum((sold.revenue for sold in sales.values()), NOTHING)
    menu = list(MenuItem.objects.select_related("picture").order_by("name", "pk"))
    items = [_item_sales(item, revenue, len(menu), sales.get(item.pk, NONE)) for item in menu]
    behind = _behind_their_category(items)
    marked = [replace(item, is_behind=item.item.pk in behind) for item in items]
    return MenuPerformance(period=period, items=sorted(marked, key=lambda item: -item.revenue))


def _item_sales(item: MenuItem, total: Decimal, count: int, sold: Sold) -> ItemSales:
    """`total`: the revenue of all `count` items."""
    revenue = sold.revenue
    share = (100 * revenue / total if total else NOTHING).quantize(Decimal("0.1"), ROUND_HALF_UP)
    # Compared without dividing: an item can be exactly 1.5 times a mean that has no last decimal.
    classes = (name for name, times in CLASSES.items() if revenue * count > times * total)
    return ItemSales(
        item=item,
        times_ordered=sold.lines,
        portions=sold.portions,
        revenue=revenue,
        share=share,
        performance=next(classes, NOT_SELLING),
    )


def _behind_their_category(items: list[ItemSales]) -> set[UUID]:
    revenue: dict[str, Decimal] = defaultdict(Decimal)
    counts = Counter(sales.item.category_name for sales in items)
    for sales in items:
        revenue[sales.item.category_name] += sales.revenue
    return {
        sales.item.pk
        for sales in items
        if sales.performance in LOWEST
        and 2 * sales.revenue * counts[sales.item.category_name] < revenue[sales.item.category_name]
    }
