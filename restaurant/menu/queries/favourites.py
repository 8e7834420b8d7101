"""What guests order most. See "Suggested dishes" in docs/behaviour/restaurant.md."""

from datetime import UTC, timedelta
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Expression, F, Func, IntegerField, QuerySet, Sum
from django.utils import timezone

from restaurant.menu.models import SalesOfItem

DAYS = timedelta(days=28)
LEAST = 10  # portions: with fewer nobody knows what guests like


def rank() -> Expression:
    """Of an item, for the statement that reads the menu: 1 is what was ordered most lately. NULL: too little for one.

    The days that are summed up are ranked once in that statement, and it is read once for each version of the menu.
    """
    since = (timezone.now() - DAYS).astimezone(UTC).date()
    sums: QuerySet[Any, Any] = SalesOfItem.objects.filter(day__gte=since).values("menu_item_id")
    ranked = sums.annotate(sold=Sum("portions")).filter(sold__gte=LEAST).order_by("-sold", "menu_item_id")
    ids = ArraySubquery(ranked.values("menu_item_id"))
    return Func(ids, F("pk"), function="array_position", output_field=IntegerField())
