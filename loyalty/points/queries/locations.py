"""Locations, and checking in at one."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from loyalty.errors import LocationUnknown
from loyalty.members.models import Member
from loyalty.members.queries import is_today, local_text_today
from loyalty.points.models import Location, PointTransaction
from web.fields import is_uuid

CHECKIN_WINDOW = timedelta(hours=1)


def location_by_id(location_id: str) -> Location:
    """Raises LocationUnknown, also for a malformed id."""
    location = Location.objects.filter(pk=location_id).first() if is_uuid(location_id) else None
    if location is None:
        raise LocationUnknown
    return location


@dataclass(frozen=True, slots=True)
class Arrival:
    """A member at a location. `last_at` is when they last got or spent points there within the hour, else None."""

    member: Member
    location: Location
    now: datetime
    last_at: datetime | None

    @property
    def next_at(self) -> datetime | None:
        return self.last_at + CHECKIN_WINDOW if self.last_at else None

    @property
    def last_visit(self) -> str:
        """A sentence for a member who got or spent points here."""
        last_at = self.last_at or self.now
        values = {"time": local_text_today(last_at, now=self.now)}
        if is_today(last_at, now=self.now):
            return _("Your last visit here was at %(time)s.") % values
        return _("Your last visit here was on %(time)s.") % values


def arrival(member: Member, location: Location, *, now: datetime) -> Arrival:
    """See "Check-in" in docs/behaviour/loyalty.md. It awards nothing."""
    recent = PointTransaction.objects.filter(customer=member, location=location, created_at__gt=now - CHECKIN_WINDOW)
    latest = recent.order_by("-created_at").values_list("created_at", flat=True).first()
    return Arrival(member, location, now, latest)
