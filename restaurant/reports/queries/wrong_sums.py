"""Days whose sums are not what their orders say. See "Sums of days" in docs/behaviour/common.md."""

from dataclasses import astuple
from datetime import date
from typing import Any

from django.db.models import QuerySet

from restaurant.menu.models import SalesDay, SalesOfItem, SalesOfQuarter
from restaurant.reports.queries import placed, sold, summed
from web.quarter_hours import Epoch
from web.sums_of_days import Comparison, by_quarter, compared, window_of, wrong_days


def days_of_sales() -> dict[date, Comparison]:
    return wrong_days(SalesDay.objects.all(), summed.changed_days, lambda day: _of_quarters(day) + _of_items(day))


def _of_quarters(day: date) -> Comparison:
    rows: QuerySet[Any, Any] = SalesOfQuarter.objects.filter(day=day)
    stored = by_quarter(rows.values_list(Epoch("quarter"), "orders", "revenue"))
    return compared(("orders", "revenue"), stored, by_quarter(placed.of_orders(window_of(day).within("created_at"))))


def _of_items(day: date) -> Comparison:
    rows: QuerySet[Any, Any] = SalesOfItem.objects.filter(day=day)
    stored = {item: tuple(sums) for item, *sums in rows.values_list("menu_item_id", "lines", "portions", "revenue")}
    lines = sold.of_lines(window_of(day).within("order__created_at"))
    counted = {item: astuple(sums) for item, sums in lines.items()}
    return compared(("lines", "portions", "revenue of the lines"), stored, counted)
