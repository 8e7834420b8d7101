"""What members bring: what they spend, of all that the restaurant sold, and what their rewards cost."""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from loyalty.points.models import PointTransaction
from loyalty.reports.programme import point_cost
from web.money import NOTHING
from web.reporting import Gain, Tile, average, share, with_count
from web.templatetags.money import format_money
from web.templatetags.reports import shown
from web.windows import Window

NEWS = 1  # percentage points: a rate that changed by less is as it was
GREAT = 5  # what the report begins with


@dataclass(frozen=True, slots=True)
class Takings:
    """The sum that members spent on bills with points in a period, their visits, and `all` that was sold.

    A member's day is one visit.
    """

    amount: Decimal
    visits: int
    all: Decimal

    @property
    def is_comparable(self) -> bool:
        """Not where nothing was ordered, or where points are given for what was not ordered here."""
        return bool(self.all) and self.amount <= self.all

    @property
    def share(self) -> Decimal | None:
        return share(self.amount, self.all) if self.is_comparable else None

    @property
    def of_visit(self) -> Decimal | None:
        return average(self.amount, self.visits) if self.visits else None


def read(window: Window, zone: ZoneInfo, sold: Decimal, location_id: str | None = None) -> Takings:
    """`sold`: by the restaurant. `location_id`: the restaurant's, where there are several."""
    bought = PointTransaction.objects.standing().purchases().filter(window.within("created_at")).order_by()
    if location_id:
        bought = bought.filter(location_id=UUID(location_id))
    visits: QuerySet[Any, Any] = bought.annotate(day=TruncDate("created_at", tzinfo=zone)).values("customer", "day")
    sums = visits.annotate(spend=Sum("order_total")).aggregate(amount=Sum("spend", default=NOTHING), visits=Count("*"))
    return Takings(**sums, all=sold)


def takings_tiles(takings: list[Takings], spent: int, period: str) -> list[Tile]:
    """Return no tiles where nothing can be said.

    `takings`: of the period and of the one before, which is called `period`; `spent`: points, on rewards.
    """
    if not takings or not takings[0].is_comparable:
        return []
    now, before = takings
    both = {"members": shown(now.amount, "money"), "all": shown(now.all, "money")}
    cost = spent * point_cost()
    return [
        with_rate_before(
            Tile(_("Members' share of sales"), now.share, "percent", note=_("%(members)s of %(all)s") % both),
            before.share,
        ),
        _visit(now, before, period),
        Tile(_("Rewards cost"), cost, "money", note=_cost(now, cost)),
    ]


def takings_news(takings: list[Takings]) -> str:
    """Return the change of the members' share of sales, if it is GREAT; else an empty text."""
    now, before = (period.share for period in takings) if takings else (None, None)
    if now is None or before is None or abs(now - before) < GREAT:
        return ""
    shares = {"now": shown(now, "percent"), "before": shown(before, "percent")}
    if now > before:
        return _("their share of sales is %(now)s, up from %(before)s") % shares
    return _("their share of sales is %(now)s, down from %(before)s") % shares


def _visit(now: Takings, before: Takings, period: str) -> Tile:
    """Not beside other guests' visits: a card has what one guest ordered, a table session what all of a party did."""
    visits = ngettext("%(count)s visit", "%(count)s visits", now.visits)
    label = _("Spend on a member's visit")
    if now.of_visit is None:
        return Tile(label, None, "money", note=_("No visits in this period"))
    note = with_count(visits, now.visits)
    return Tile(label, now.of_visit, "money", before=before.of_visit, period=period, note=note)


def _cost(now: Takings, cost: Decimal) -> str:
    figures = {"amount": format_money(point_cost()), "share": shown(share(cost, now.amount), "percent")}
    if not cost:
        return _("No rewards in this period")
    if not now.amount:
        return _("at %(amount)s a point") % figures
    return _("%(share)s of what members spent, at %(amount)s a point") % figures


def with_rate_before(rate: Tile, before: Decimal | None, *, numerators: tuple[int, int] | None = None) -> Tile:
    """Return the rate with the one before and a `gain` in words: a difference in percent would be misread.

    `numerators`: of the rate, now and before. Where they went the other way, the news is neither good nor bad.
    """
    now = rate.value
    if now is None or before is None:
        return replace(rate, before=before)
    gain = _gain(now, before)
    if numerators and (numerators[0] > numerators[1]) != (now > before):
        gain = replace(gain, tone="same")
    return replace(rate, before=before, gain=gain)


def _gain(now: Decimal, before: Decimal) -> Gain:
    """A change of less than a percentage point has no tone."""
    was = {"before": shown(before, "percent")}
    if abs(now - before) < NEWS:
        return Gain(_("From %(before)s") % was, "same")
    return Gain(_("Up from %(before)s") % was, "up") if now > before else Gain(_("Down from %(before)s") % was, "down")


def takings_notes(takings: list[Takings]) -> list[str]:
    if not takings or not takings[0].all:
        return []
    if not takings[0].is_comparable:
        return [_("Points were given for more than was ordered here: members' share of sales can't be told.")]
    return [
        _("Members' sales are what points were given for. What others at their table had without a card is not in it."),
        _("All that a member has on one day is a visit."),
        _("Rewards cost what their points are worth, not what a dish costs you."),
    ]
