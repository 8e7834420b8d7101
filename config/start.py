"""The start page of staff: today's figures, beside those of the same weekday a week ago, or the floor's now; and what
needs attention."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config import hours
from config.hours import Hours
from loyalty.reports import today as loyalty
from restaurant.billing import queries as billing_queries
from restaurant.floor.queries import start as floor_queries
from restaurant.ordering import models as ordering_models
from restaurant.ordering.queries import counted
from restaurant.ordering.queries.sessions import open_calls
from restaurant.reports import today as restaurant
from restaurant.staff import CLOSE_SESSION, TAKE_PAYMENT, WORK_KITCHEN
from restaurant.tables.models import Table
from web import shell
from web.reporting import Tile, days, local_zone, same_day_last_week
from web.shell import AttentionItem
from web.templatetags.money import clock, money

NOON, EVENING = 12, 17
CALLS_SHOWN = 5
READY_SHOWN = 3
LEFT_OPEN_SHOWN = 3
BEST_SHOWN = 5
EACH_BY_ITSELF = {*ordering_models.TableCall.Kind.values, "ready", "left_open"}  # kinds of needs
Span = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Today:
    """`has_week_ago` is False where there was nothing by then to compare with."""

    tiles: list[Tile]
    has_week_ago: bool
    weekday: str
    time: str
    hours: Hours | None  # of the sales, for who sees them
    best: list[restaurant.BestSeller]  # likewise


def today(user: Any, now: datetime) -> Today | None:
    """None for who may read no reports, and until something is sold."""
    zone = local_zone()
    now_span, before = (days(now, zone).began, now), same_day_last_week(now, zone)
    tiles = _tiles(user, now_span, before)
    if not tiles or not (any(each.value for each in tiles) or counted.orders().exists()):
        return None
    has_week_ago = any(each.before for each in tiles)
    weekday = date_format(timezone.localtime(before[0]), "l")
    sees_sales = user.has_perm("restaurant.view_reports")
    by_hour = hours.read(now, zone) if sees_sales else None
    best = restaurant.best_sellers(*now_span, most=BEST_SHOWN) if sees_sales else []
    return Today(tiles, has_week_ago, weekday, clock(now), by_hour, best)


def _tiles(user: Any, now: Span, before: Span) -> list[Tile]:
    of_restaurant, of_loyalty = (user.has_perm(f"{app}.view_reports") for app in ("restaurant", "loyalty"))
    tiles = []
    if of_restaurant:
        sold, sold_before = restaurant.figures(*now), restaurant.figures(*before)
        tiles += [
            Tile(_("Sales"), sold.revenue, "money", before=sold_before.revenue),
            Tile(_("Orders"), sold.orders, before=sold_before.orders),
        ]
    if of_restaurant and not of_loyalty:
        tiles.append(Tile(_("Table sessions"), sold.sessions, before=sold_before.sessions))
    if of_loyalty:
        tiles.append(Tile(_("Members served"), loyalty.served(*now), before=loyalty.served(*before)))
    if of_loyalty and not of_restaurant:
        joined, joined_before = loyalty.figures(*now), loyalty.figures(*before)
        tiles += [
            Tile(_("New members"), joined.new_members, before=joined_before.new_members),
            Tile(_("Points earned"), joined.points.earned, before=joined_before.points.earned),
        ]
    return tiles


@dataclass(frozen=True, slots=True)
class FloorFigure:
    """`of`: out of how many; empty where that says nothing."""

    label: str
    value: int | str
    of: str
    about: str
    url: str


def on_floor(user: Any) -> list[FloorFigure]:
    """For who works on the floor or in the kitchen; empty until there are tables. `waiting` says what is to carry."""
    serves, cooks = user.has_perm(CLOSE_SESSION), user.has_perm(WORK_KITCHEN)
    if not (serves or cooks):
        return []
    floor = floor_queries.floor_in_figures()
    if not floor.tables:
        return []
    waits = _("the first since %(time)s") % {"time": clock(floor.cooking_since)} if floor.cooking_since else ""
    of_all = _("of %(count)s") % {"count": floor.tables}
    seated = FloorFigure(_("Tables with guests"), floor.busy, of_all, _free(floor), reverse("floor"))
    cooking = FloorFigure(_("In the kitchen"), len(floor.cooking), "", waits, reverse("kitchen" if cooks else "floor"))
    return [seated, cooking, *_to_pay(user)] if serves else [cooking]


def _to_pay(user: Any) -> list[FloorFigure]:
    """What the open bills come to, for who sees sales; empty where all is paid."""
    bills, left = billing_queries.still_to_pay() if user.has_perm("restaurant.view_reports") else (0, 0)
    about = ngettext("%(count)s bill", "%(count)s bills", bills) % {"count": bills}
    return [FloorFigure(_("Still to pay"), money(left), "", about, reverse("floor"))] if bills else []


def _free(floor: floor_queries.FloorInFigures) -> str:
    free = _("%(count)s free") % {"count": floor.tables - floor.busy - floor.left_open}
    left_open = _("%(count)s left open") % {"count": floor.left_open} if floor.left_open else ""
    return " · ".join(filter(None, (free, left_open)))


@dataclass(frozen=True, slots=True)
class Yours:
    """What the user has to do with today."""

    tables: list[int]
    done: restaurant.Own


def yours(user: Any, now: datetime) -> Yours | None:
    """For who serves or takes payments and may read no reports; None while there is nothing yet."""
    works = user.has_perm(CLOSE_SESSION) or user.has_perm(TAKE_PAYMENT)
    if not works or user.has_perm("restaurant.view_reports"):
        return None
    found = Yours(
        floor_queries.tables_of_waiter(user.get_username()), restaurant.own(user, days(now, local_zone()).began, now)
    )
    return found if found.tables or found.done.orders or found.done.payments else None


@dataclass(frozen=True, slots=True)
class Waiting:
    """What needs attention: calls, what is to carry and bills each by itself, the rest as the header counts it.

    `more_calls`: how many are not shown. `ready`: what there is to carry, `more_ready` not shown; `may_serve`: whether
    the user may say that it is served. `bills`: those left open. `is_known` is False where it could not be counted.
    """

    calls: list[ordering_models.TableCall]
    more_calls: int
    needs: list[AttentionItem]
    ready: list[floor_queries.ReadyOrder]
    more_ready: int
    may_serve: bool
    bills: list[ordering_models.TableSession]
    has_more_bills: bool
    is_known: bool

    @property
    def is_calm(self) -> bool:
        return self.is_known and not (self.calls or self.needs or self.ready or self.bills)


def waiting(user: Any) -> Waiting | None:
    """None for whom nothing can need."""
    found = shell.attention(user)
    if found is None:
        return None
    kinds = {need.kind for need in found.needs}
    needs = [need for need in found.needs if need.kind not in EACH_BY_ITSELF]
    calls = open_calls() if kinds.intersection(ordering_models.TableCall.Kind.values) else []
    ready = floor_queries.ready_to_carry() if "ready" in kinds else []
    bills = floor_queries.bills_left_open(LEFT_OPEN_SHOWN + 1) if "left_open" in kinds else []
    return Waiting(
        calls=calls[:CALLS_SHOWN],
        more_calls=len(calls[CALLS_SHOWN:]),
        needs=_with_sections(needs),
        ready=ready[:READY_SHOWN],
        more_ready=len(ready[READY_SHOWN:]),
        may_serve=user.has_perm(WORK_KITCHEN),
        bills=bills[:LEFT_OPEN_SHOWN],
        has_more_bills=len(bills) > LEFT_OPEN_SHOWN,
        is_known=found.is_known,
    )


def _with_sections(needs: list[AttentionItem]) -> list[AttentionItem]:
    """Of what waits at a single table, where that stands."""
    single = [need.tables for need in needs if need.tables.isdecimal()]
    found = Table.objects.filter(table_number__in=single).values_list("table_number", "section") if single else ()
    sections = {str(number): section for number, section in found}
    return [replace(need, section=sections.get(need.tables, "")) for need in needs]


def greeting(now: datetime) -> str:
    hour = timezone.localtime(now).hour
    if hour < NOON:
        return _("Good morning")
    return _("Good afternoon") if hour < EVENING else _("Good evening")
