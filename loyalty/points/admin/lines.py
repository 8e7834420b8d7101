"""Transactions as lists show them. What is stored, and exported, stays as it was written."""

import re
from collections.abc import Iterable

from django.contrib.auth import get_user_model
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from loyalty.points.models import PointTransaction
from web import venue
from web.templatetags.money import format_money
from web.templatetags.reports import signed


def text(line: PointTransaction) -> str:
    """Return the location alone for a purchase: nearly every line would begin with the same words.

    Other texts get their location if they don't name it, and a line without a text says of which type it is.
    """
    location = line.location.name if line.location else ""
    description = line.local_description
    if location not in description:
        description = " · ".join(filter(None, [description, location]))
    if line.order_total is not None:
        description = re.sub(_usual_beginning(), "", description)
    return description or capfirst(str(PointTransaction.Type(line.type).label))


def _usual_beginning() -> str:
    """Return a pattern, such as of "Purchase at Fig & Fennel " in "Purchase at Fig & Fennel Orchard Row"."""
    purchase = re.escape(_("Purchase at %(location)s") % {"location": ""})
    return rf"{purchase}(?:{re.escape(venue.name())}\s*[,·–:-]?\s+)?"


def points(line: PointTransaction) -> str:
    return _with_minus(signed(line.points))


def bill(line: PointTransaction) -> str:
    """Return an empty text for a line without one."""
    return "" if line.order_total is None else _with_minus(format_money(line.order_total))


def _with_minus(number: str) -> str:
    """Replace the hyphen by a minus, which is as wide as a plus."""
    return number.replace("-", "−")


def name_staff(lines: Iterable[PointTransaction]) -> None:
    """Set `staff` on each line: who gave the points, and who entered that, if it was somebody else.

    Users are named by their full names where they have one, with one query.
    """
    lines = list(lines)
    logins = {login for line in lines for login in (line.staff_id, line.recorded_by) if login}
    users = get_user_model().objects.filter(username__in=logins) if logins else []
    names = {user.get_username(): user.get_full_name() for user in users}
    for line in lines:
        line.staff = _staff(line, names)  # type: ignore[attr-defined]


def _staff(line: PointTransaction, names: dict[str, str]) -> str:
    giver, writer = (login and (names.get(login) or login) for login in (line.staff_id, line.recorded_by))
    if giver and writer and line.staff_id != line.recorded_by:
        return _("%(giver)s, entered by %(writer)s") % {"giver": giver, "writer": writer}
    return giver or writer or ""
