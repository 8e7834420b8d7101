"""The usual time from placing an order until it is ready, at one hour of the day."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from math import ceil, floor
from operator import or_
from statistics import quantiles

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from restaurant.ordering.models import Order, OrderItem

DAYS = 14
AROUND = timedelta(hours=1)
ENOUGH = 10  # orders; fewer say nothing
AT_MOST = 500  # orders, the latest: more don't change the figures
REMEMBERED = 600  # seconds
STEP = 15  # minutes: orders placed within them share what is remembered


@dataclass(frozen=True, slots=True)
class Wait:
    """The wait for an order that the kitchen has since `begun`, in minutes.

    Of the orders at this hour, a quarter took less than `low`, and a quarter more than `high`.
    """

    begun: datetime
    low: int
    high: int

    @property
    def ready_from(self) -> datetime:
        return self.begun + timedelta(minutes=self.low)

    @property
    def ready_to(self) -> datetime:
        return self.begun + timedelta(minutes=self.high)

    @property
    def seconds_left(self) -> int:
        """The seconds until this order takes longer than usual."""
        return int((self.ready_to - timezone.now()).total_seconds())

    @property
    def is_late(self) -> bool:
        return self.seconds_left <= 0


def usual_wait(order: Order) -> Wait | None:
    """The usual wait, by the orders of the last days that were placed within an hour of this one's time of day.

    None if the kitchen doesn't have the order, or makes it in courses, or has had too few others at this hour.
    """
    if not order.is_cooking or any(item.waits or item.fired_by for item in order.items.all()):
        return None
    begun = order.approved_at or order.created_at
    here = timezone.localtime(begun).replace(second=0, microsecond=0)
    centre = here.replace(minute=here.minute - here.minute % STEP)
    key = f"usual-wait:{centre.isoformat()}"
    minutes: tuple[int, ...] | None = cache.get(key)  # empty for too few orders, which is remembered too
    if minutes is None:
        minutes = _usual_minutes(centre)
        cache.set(key, minutes, REMEMBERED)
    return Wait(begun, *minutes) if minutes else None


def _usual_minutes(centre: datetime) -> tuple[int, ...]:
    """The lower and the upper quartile. `centre` is in the venue's time zone: its clock counts on each day before."""
    days = (centre - timedelta(days=day) for day in range(1, DAYS + 1))
    near = reduce(or_, (Q(created_at__range=(day - AROUND, day + AROUND)) for day in days))
    ready = Order.objects.filter(near, ready_at__isnull=False).exclude(status=Order.Status.CANCELLED)
    in_courses = OrderItem.objects.filter(order=OuterRef("pk")).exclude(fired_by="")
    begun = (
        ready.filter(~Exists(in_courses))
        .annotate(begun_at=Coalesce("approved_at", "created_at"))
        .order_by("-created_at")
    )
    waits = (end - start for start, end in begun.values_list("begun_at", "ready_at")[:AT_MOST])
    minutes = [wait.total_seconds() / 60 for wait in waits if wait > timedelta(0)]
    if len(minutes) < ENOUGH:
        return ()
    low, _median, high = quantiles(minutes, n=4, method="inclusive")
    return max(1, floor(low)), max(1, ceil(high))
