"""What each of the staff has done today, for the list of them."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from loyalty.reports.today import guests_by_staff
from restaurant.reports.today import by_staff
from web.reporting import days, local_zone
from web.templatetags.money import money

BETWEEN = "\N{NO-BREAK SPACE}· "  # no line begins with the dot


def done_today(now: datetime) -> dict[str, str]:
    """By user name, of those who did something: "12 orders · €340.00 taken · points for 5 guests"."""
    began = days(now, local_zone()).began
    served, guests = by_staff(began, now), guests_by_staff(began, now)
    nothing = (0, Decimal(0))
    return {name: BETWEEN.join(_parts(*served.get(name, nothing), guests.get(name, 0))) for name in {*served, *guests}}


def _parts(orders: int, taken: Decimal, guests: int) -> Iterator[str]:
    if orders:
        yield ngettext("%(orders)s order", "%(orders)s orders", orders) % {"orders": orders}
    if taken:
        yield _("%(amount)s taken") % {"amount": money(taken)}
    if guests:
        yield ngettext("points for %(guests)s guest", "points for %(guests)s guests", guests) % {"guests": guests}
