"""What each item of the menu sells. See "Menu performance" in docs/behaviour.md."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db.models import Count, QuerySet

from restaurant.models import MenuItem, OrderItem
from restaurant.reports import counted
from web.reporting import average
from web.windows import Period, Window

# Best first: the class of an item whose revenue is above so many times the mean of all items.
CLASSES = {
    "star": Decimal("1.5"),
    "good": Decimal(1),
    "average": Decimal("0.5"),
    "underperforming": Decimal(0),
}
NOT_SELLING = "not_selling"
NOTHING = Decimal("0.00")


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
class Totals:
    """`items`: the number of different items that were ordered."""

    revenue: Decimal
    portions: int
    items: int


def read(*, period: Period) -> MenuPerformance:
    lines: QuerySet[Any, Any] = _lines(period.window).order_by().values("menu_item_id")
    sales = {row.pop("menu_item_id"): row for row in lines.annotate(times_ordered=Count("*"), **_SUMS)}
    revenue = sum((row["revenue"] for row in sales.values()), NOTHING)
    none = {"times_ordered": 0, "portions": 0, "revenue": NOTHING}
    menu = list(MenuItem.objects.select_related("picture").order_by("name", "pk"))
    items = [_item_sales(item, revenue, len(menu), **sales.get(item.pk, none)) for item in menu]
    return MenuPerformance(period=period, items=sorted(items, key=lambda each: -each.revenue))


def totals_before(report: MenuPerformance) -> Totals:
    """Of the period before. Only page and CSV show it."""
    return Totals(**_lines(report.period.before).aggregate(**_SUMS, items=Count("menu_item", distinct=True)))


_SUMS = {"portions": counted.PORTIONS, "revenue": counted.REVENUE}


def _lines(window: Window) -> QuerySet[OrderItem]:
    return counted.lines().filter(window.within("order__created_at"))


def _item_sales(item: MenuItem, total: Decimal, count: int, **sales: Any) -> ItemSales:
    """`total`: the revenue of all `count` items."""
    revenue = sales["revenue"]
    share = (100 * revenue / total if total else NOTHING).quantize(Decimal("0.1"), ROUND_HALF_UP)
    # Compared without dividing: an item can be exactly 1.5 times a mean that has no last decimal.
    classes = (name for name, times in CLASSES.items() if revenue * count > times * total)
    return ItemSales(item=item, share=share, performance=next(classes, NOT_SELLING), **sales)


def thresholds(items: list[ItemSales]) -> dict[str, Decimal]:
    """The revenue above which an item is of each class, rounded to two decimals for people to read."""
    mean = sum((each.revenue for each in items), Decimal(0)) / max(len(items), 1)
    return {name: (times * mean).quantize(Decimal("0.01"), ROUND_HALF_UP) for name, times in CLASSES.items()}
