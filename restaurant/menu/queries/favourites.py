"""The dishes that guests order most. See "Suggested dishes" in docs/behaviour/restaurant.md."""

from datetime import UTC, timedelta
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Expression, F, Func, IntegerField, QuerySet, Sum
from django.utils import timezone

from restaurant.menu.models import SalesOfItem

DAYS = timedelta(days=28)
FEWEST_PORTIONS = 10  # fewer say nothing of what guests like


def rank() -> Expression:
    """Return an item's rank by the portions of the last `DAYS`: 1 is the most ordered, NULL one with too few for one.

    The subquery runs once in the statement that reads the menu.
    """
    since = (timezone.now() - DAYS).astimezone(UTC).date()
    sums: QuerySet[Any, Any] = SalesOfItem.objects.filter(day__gte=since).values("menu_item_id")
    ranked = sums.annotate(sold=Sum("portions")).filter(sold__gte=FEWEST_PORTIONS).order_by("-sold", "menu_item_id")
    ids = ArraySubquery(ranked.values("menu_item_id"))
    return Func(ids, F("pk"), function="array_position", output_field=IntegerField())
