"""How long orders take, from placed to ready, at one hour of the day."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from math import ceil, floor
from operator import or_
from statistics import quantiles

from django.core.cache import cache
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from restaurant.ordering.models import Order

DAYS = 14
AROUND = timedelta(hours=1)
ENOUGH = 10  # orders; of fewer nothing is said
AT_MOST = 500  # orders, the latest: more don't change the figures
REMEMBERED = 600  # seconds
STEP = 15  # minutes: orders placed within them share what is remembered


@dataclass(frozen=True, slots=True)
class UsualWait:
    """In minutes: a quarter of the orders took less than `low`, a quarter more than `high`."""

    low: int
    high: int

    def ready_by(self, begun: datetime) -> datetime:
        return begun + timedelta(minutes=self.high)


def begun_at(order: Order) -> datetime:
    """When the kitchen got it: an order that waited for approval, when it was approved."""
    return order.approved_at or order.created_at


def usual_wait(order: Order) -> UsualWait | None:
    """Of the orders of the last days that were placed within an hour of this one's time of day; None of too few."""
    here = timezone.localtime(begun_at(order)).replace(second=0, microsecond=0)
    centre = here.replace(minute=here.minute - here.minute % STEP)
    key = f"usual-wait:{centre.isoformat()}"
    remembered: tuple[UsualWait | None] | None = cache.get(key)  # a tuple: too few orders are remembered too
    if remembered is None:
        remembered = (_read(centre),)
        cache.set(key, remembered, REMEMBERED)
    return remembered[0]


def _read(centre: datetime) -> UsualWait | None:
    """`centre` is in the venue's time zone: the same time by its clock of each day before."""
    middles = [centre - timedelta(days=day) for day in range(1, DAYS + 1)]
    near = reduce(or_, (Q(created_at__range=(each - AROUND, each + AROUND)) for each in middles))
    ready = Order.objects.filter(near, ready_at__isnull=False).exclude(status=Order.Status.CANCELLED)
    begun = ready.annotate(begun_at=Coalesce("approved_at", "created_at")).order_by("-created_at")
    times = [end - start for start, end in begun.values_list("begun_at", "ready_at")[:AT_MOST]]
    minutes = [each.total_seconds() / 60 for each in times if each > timedelta(0)]
    if len(minutes) < ENOUGH:
        return None
    low, _median, high = quantiles(minutes, n=4, method="inclusive")
    return UsualWait(max(1, floor(low)), max(1, ceil(high)))
