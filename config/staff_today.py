"""What each of the staff has done today, for the list of them."""

from collections.abc import Iterator
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from loyalty.reports.queries import guests_by_staff
from restaurant.reports.queries.sales import StaffWork, work_by_staff
from web.reporting import local_zone
from web.templatetags.money import money
from web.windows import today

BETWEEN = "\N{NO-BREAK SPACE}· "  # no line begins with the dot


def done_today(now: datetime) -> dict[str, str]:
    """Return by user name, for those who did something: "12 orders · €340.00 taken · points for 5 guests"."""
    window = today(now, local_zone()).window
    work, guests = work_by_staff(window), guests_by_staff(window)
    names = {*work, *guests}
    return {name: BETWEEN.join(_sentences(work.get(name, StaffWork()), guests.get(name, 0))) for name in names}


def _sentences(work: StaffWork, guests: int) -> Iterator[str]:
    if work.orders:
        yield ngettext("%(orders)s order", "%(orders)s orders", work.orders) % {"orders": work.orders}
    if work.paid:
        yield _("%(amount)s taken") % {"amount": money(work.paid)}
    if guests:
        yield ngettext("points for %(guests)s guest", "points for %(guests)s guests", guests) % {"guests": guests}
