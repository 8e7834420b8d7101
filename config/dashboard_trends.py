"""What the tiles of the admin's first page draw: a bar for each of the last days, today's the last."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Count, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from loyalty.models import Redemption
from restaurant.queries import counted

DAYS = 14  # which index.html says
HEIGHT = 24  # of the highest bar, in units of the drawing
_STEP, _WIDTH = 8, 6


def of_service(now: datetime) -> dict[str, list[dict[str, int]]]:
    """Of orders, and of parties that ordered. One query over some days of an index."""
    rows = counted.orders().filter(created_at__range=(_began(now), now)).order_by()
    by_day = rows.values(day=TruncDate("created_at")).annotate(
        orders=Count("pk"), parties=Count("session", distinct=True)
    )
    return {name: _bars({each["day"]: each[name] for each in by_day}, now) for name in ("orders", "parties")}


def of_rewards(now: datetime) -> list[dict[str, int]]:
    """Of rewards that members chose."""
    rows: QuerySet[Any] = Redemption.objects.filter(created_at__range=(_began(now), now)).order_by()
    by_day = rows.values(day=TruncDate("created_at")).annotate(number=Count("pk"))
    return _bars({each["day"]: each["number"] for each in by_day}, now)


def _began(now: datetime) -> datetime:
    first = timezone.localdate(now) - timedelta(days=DAYS - 1)
    return timezone.make_aware(datetime.combine(first, time.min))


def _bars(numbers: dict[date, int], now: datetime) -> list[dict[str, int]]:
    """None unless there is a day to compare today with."""
    today = timezone.localdate(now)
    days = [today - timedelta(days=back) for back in reversed(range(DAYS))]
    if not any(numbers.get(day) for day in days[:-1]):
        return []
    most = max(numbers.values())
    heights = [round(HEIGHT * numbers.get(day, 0) / most) for day in days]
    return [
        {"x": place * _STEP, "y": HEIGHT - height, "width": _WIDTH, "height": height}
        for place, height in enumerate(heights)
    ]
