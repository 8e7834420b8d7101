"""What the tiles of the admin's first page draw: a bar for each of the last days, today's the last."""

from datetime import date, datetime
from typing import Any

from django.db.models import Count, QuerySet
from django.db.models.functions import TruncDate

from loyalty.models import Redemption
from restaurant.ordering.queries import counted
from web.reporting import local_zone
from web.windows import Window, latest_days

DAYS = 14
HEIGHT = 24  # of the highest bar, in units of the drawing
_STEP, _WIDTH = 8, 6  # of which index.html has the sum of DAYS


def of_service(now: datetime) -> dict[str, list[dict[str, int]]]:
    """Of orders, and of parties that ordered. One query over some days of an index."""
    window = _window(now)
    rows = counted.orders().filter(window.within("created_at")).order_by()
    by_day = rows.values(day=TruncDate("created_at")).annotate(
        orders=Count("pk"), parties=Count("session", distinct=True)
    )
    return {name: _bars({each["day"]: each[name] for each in by_day}, window) for name in ("orders", "parties")}


def of_rewards(now: datetime) -> list[dict[str, int]]:
    """Of rewards that members chose."""
    window = _window(now)
    rows: QuerySet[Any] = Redemption.objects.filter(window.within("created_at")).order_by()
    by_day = rows.values(day=TruncDate("created_at")).annotate(number=Count("pk"))
    return _bars({each["day"]: each["number"] for each in by_day}, window)


def _window(now: datetime) -> Window:
    return latest_days(DAYS, now, local_zone()).window


def _bars(numbers: dict[date, int], window: Window) -> list[dict[str, int]]:
    """None unless there is a day to compare today with."""
    if not any(numbers.get(day) for day in window.dates[:-1]):
        return []
    most = max(numbers.values())
    heights = [round(HEIGHT * numbers.get(day, 0) / most) for day in window.dates]
    return [
        {"x": place * _STEP, "y": HEIGHT - height, "width": _WIDTH, "height": height}
        for place, height in enumerate(heights)
    ]
