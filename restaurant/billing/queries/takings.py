"""What was taken, cancelled and taken off bills, for the Z, the day's report and the accountant's books."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from django.db.models import Count, Expression, F, QuerySet, Sum, Value

from restaurant.billing.models import Adjustment, Payment
from restaurant.billing.sums import Rate, Tax
from restaurant.ordering.models import OrderChange
from web.money import NOTHING, MoneyField, unit

Figures = dict[str, Any]  # as JSON has them
TAKEN_OFF = {"discount": "discounts", "comp": "comps", "service": "service"}
_ONCE = Value(1)
_METHODS: list[str] = Payment.Method.values


def by_method(payments: QuerySet[Payment], sign: Expression = _ONCE) -> list[Figures]:
    """Return count, amount and tips of these payments for each method in use, in the order of the methods."""
    grouped: QuerySet[Any, Any] = payments.order_by().values("method")
    amount, tips = (Sum(F(name) * sign, output_field=MoneyField()) for name in ("amount", "tip"))
    sums = grouped.annotate(count=Sum(sign), amount=amount, tips=tips)
    return sorted(sums, key=lambda row: _METHODS.index(row["method"]))


def count_and_value(rows: QuerySet[Any]) -> Figures:
    return rows.aggregate(count=Count("pk"), value=Sum("amount", default=NOTHING))


def taxes(by_rate: Mapping[Rate, Decimal]) -> list[Tax]:
    """Return one for each rate, the lowest first."""
    return [Tax.of(rate, by_rate[rate], unit()) for rate in sorted(rate for rate in by_rate if rate is not None)]


def at_rates(by_rate: Mapping[str, str]) -> Iterator[tuple[Rate, Decimal]]:
    """Yield what `Adjustment.by_rate` says."""
    for rate, amount in by_rate.items():
        yield Decimal(rate) if rate else None, Decimal(amount)


def cancelled_at_rates(changes: Iterable[OrderChange]) -> Iterator[tuple[Rate, Decimal]]:
    """Yield what these changes, with the items of their orders, took off."""
    for change in changes:
        items = {item.position: item for item in change.order.items.all()}
        for taken in change.items:
            item = items[taken["position"]]
            yield item.vat_rate, -item.price * taken["quantity"]


def add_change(sums: Figures, adjustment: Adjustment, count: int, value: Decimal) -> None:
    """Add a discount or the like to `discounts`, `comps` or `service`: count, value, and value by reason."""
    empty = {"count": 0, "value": NOTHING, "byReason": {}}
    of_kind = sums.setdefault(TAKEN_OFF[adjustment.kind], empty)
    of_kind["count"] += count
    of_kind["value"] += value
    reasons = of_kind["byReason"]
    reasons[adjustment.reason] = reasons.get(adjustment.reason, NOTHING) + value
