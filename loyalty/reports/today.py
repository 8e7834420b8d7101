"""What the programme has done today, and yesterday until the same time of day."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from loyalty.models import Member, PointTransaction
from loyalty.reports import points
from loyalty.reports.points import Points
from web.reporting import days


@dataclass(frozen=True, slots=True)
class Figures:
    new_members: int
    points: Points


@dataclass(frozen=True, slots=True)
class Today:
    today: Figures
    before: Figures


def read(*, now: datetime, zone: ZoneInfo) -> Today:
    bounds = days(now, zone)
    return Today(today=_figures(bounds.began, now), before=_figures(bounds.yesterday, bounds.until))


def _figures(since: datetime, until: datetime) -> Figures:
    """Both ends are included."""
    return Figures(
        new_members=Member.objects.filter(created_at__range=(since, until)).count(),
        points=points.total(PointTransaction.objects.filter(created_at__range=(since, until))),
    )
