"""The start page of staff: today's figures beside those of the same weekday a week ago, the floor's now, and what needs
attention."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config import queries, setup
from loyalty.reports.queries import compared_figures, members_served
from restaurant.billing.queries import still_to_pay
from restaurant.floor.queries import start as floor_queries
from restaurant.menu.queries import menu_state, sold_out_items
from restaurant.ordering.models import TableCall, TableSession
from restaurant.ordering.queries import counted
from restaurant.ordering.queries.sessions import open_calls
from restaurant.reports.by_time import sales_by_time, table_by_time
from restaurant.reports.queries.sales import BestSeller, StaffWork, best_sellers, compared_sales, work_by_staff
from restaurant.staff import CLOSE_SESSION, TAKE_PAYMENT, WORK_KITCHEN
from restaurant.tables.models import Table
from restaurant.tables.queries import count_tables
from web import shell
from web.formats import listed
from web.reporting import Table as ReportTable
from web.reporting import Tile, local_zone
from web.shell import AttentionItem, NavItem
from web.templatetags import moments
from web.templatetags.money import clock, money
from web.windows import Period, today

NOON, EVENING = 12, 17
CALLS_SHOWN = 5
READY_SHOWN = 3
LEFT_OPEN_SHOWN = 3
BEST_SHOWN = 5
SHOWN_SINGLY = {*TableCall.Kind.values, "ready", "left_open"}  # kinds of what needs attention


@dataclass(frozen=True, slots=True)
class Today:
    """`has_week_ago` is False where there was nothing by then to compare with.

    For who sees sales, `hours`: the sales by hour, None before the first of them; and the best sellers.
    """

    tiles: list[Tile]
    has_week_ago: bool
    weekday: str
    time: str
    hours: ReportTable | None
    best_sellers: list[BestSeller]


def todays_figures(user: Any, now: datetime) -> Today | None:
    """Return None for users who may read no reports, and until something is sold."""
    period = today(now, local_zone())
    tiles = _tiles(user, period)
    if not tiles or not (any(tile.value for tile in tiles) or counted.orders().exists()):
        return None
    sees_sales = user.has_perm("restaurant.view_reports")
    return Today(
        tiles=tiles,
        has_week_ago=any(tile.before for tile in tiles),
        weekday=moments.weekday(period.before.first),
        time=clock(now),
        hours=_hours(period) if sees_sales else None,
        best_sellers=best_sellers(period.window, most=BEST_SHOWN) if sees_sales else [],
    )


def _hours(period: Period) -> ReportTable | None:
    hours = sales_by_time(period)
    return table_by_time(hours, period) if any(hour.now.orders for hour in hours) else None


def _tiles(user: Any, period: Period) -> list[Tile]:
    sees_sales, sees_loyalty = user.has_perm("restaurant.view_reports"), user.has_perm("loyalty.view_reports")
    tiles = []
    if sees_sales:
        now, before = compared_sales(period)
        tiles += [Tile(_("Sales"), now.revenue, "money", before=before.revenue)]
        tiles += [Tile(_("Orders"), now.orders, before=before.orders)]
        if not sees_loyalty:
            tiles += [Tile(_("Table sessions"), now.sessions, before=before.sessions)]
    if sees_loyalty:
        tiles += [Tile(_("Members served"), members_served(period.window), before=members_served(period.before))]
        tiles += [] if sees_sales else _programme_tiles(period)
    return tiles


def _programme_tiles(period: Period) -> list[Tile]:
    now, before = compared_figures(period)
    return [
        Tile(_("New members"), now.new_members, before=before.new_members),
        Tile(_("Points earned"), now.points.earned, before=before.points.earned),
    ]


@dataclass(frozen=True, slots=True)
class FloorFigure:
    """`of`: out of how many; empty where that says nothing."""

    label: str
    value: int | str
    of: str
    about: str
    url: str


def on_floor(user: Any) -> list[FloorFigure]:
    """Return the figures for who works on the floor or in the kitchen; none until there are tables."""
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
    """Return the sum of the open bills, for who sees sales; nothing where all is paid."""
    bills, left = still_to_pay() if user.has_perm("restaurant.view_reports") else (0, 0)
    about = ngettext("%(count)s bill", "%(count)s bills", bills) % {"count": bills}
    return [FloorFigure(_("Still to pay"), money(left), "", about, reverse("floor"))] if bills else []


def _free(floor: floor_queries.FloorInFigures) -> str:
    count, left = floor.tables - floor.busy - floor.left_open, floor.left_open
    free = ngettext("%(count)s free", "%(count)s free", count) % {"count": count}
    left_open = ngettext("%(count)s left open", "%(count)s left open", left) % {"count": left} if left else ""
    return " · ".join(filter(None, (free, left_open)))


@dataclass(frozen=True, slots=True)
class Yours:
    """The tables of a waiter, and what they did today."""

    tables: list[int]
    done: StaffWork


def yours(user: Any, now: datetime) -> Yours | None:
    """Return None for who may read reports or does not serve, and while there is nothing yet."""
    works = user.has_perm(CLOSE_SESSION) or user.has_perm(TAKE_PAYMENT)
    if not works or user.has_perm("restaurant.view_reports"):
        return None
    name = user.get_username()
    done = work_by_staff(today(now, local_zone()).window).get(name)
    own_tables = floor_queries.tables_of_waiter(name)
    return Yours(own_tables, done or StaffWork()) if own_tables or done else None


@dataclass(frozen=True, slots=True)
class Waiting:
    """The calls, orders to carry and bills that need attention one by one, the rest as the header counts it.

    `more_calls`: how many are not shown. `ready`: what there is to carry, `more_ready` not shown; `may_serve`: whether
    the user may say that it is served. `bills`: those left open. `is_known` is False where it could not be counted.
    """

    calls: list[TableCall]
    more_calls: int
    needs: list[AttentionItem]
    ready: list[floor_queries.ReadyOrder]
    more_ready: int
    may_serve: bool
    bills: list[TableSession]
    has_more_bills: bool
    is_known: bool

    @property
    def is_calm(self) -> bool:
        return self.is_known and not (self.calls or self.needs or self.ready or self.bills)


def waiting(user: Any) -> Waiting | None:
    """Return None for users whose work never needs attention."""
    attention = shell.attention(user)
    if attention is None:
        return None
    kinds = {item.kind for item in attention.needs}
    others = [item for item in attention.needs if item.kind not in SHOWN_SINGLY]
    calls = open_calls() if kinds.intersection(TableCall.Kind.values) else []
    ready = floor_queries.ready_to_carry() if "ready" in kinds else []
    bills = floor_queries.bills_left_open(LEFT_OPEN_SHOWN + 1) if "left_open" in kinds else []
    return Waiting(
        calls=calls[:CALLS_SHOWN],
        more_calls=len(calls[CALLS_SHOWN:]),
        needs=_with_sections(others),
        ready=ready[:READY_SHOWN],
        more_ready=len(ready[READY_SHOWN:]),
        may_serve=user.has_perm(WORK_KITCHEN),
        bills=bills[:LEFT_OPEN_SHOWN],
        has_more_bills=len(bills) > LEFT_OPEN_SHOWN,
        is_known=attention.is_known,
    )


def _with_sections(items: list[AttentionItem]) -> list[AttentionItem]:
    """Return the items, with the section of the table where a single one waits."""
    numbers = [item.tables for item in items if item.tables.isdecimal()]
    tables = Table.objects.filter(table_number__in=numbers)
    sections = {str(table.table_number): table.section for table in tables}
    return [replace(item, section=sections.get(item.tables, "")) for item in items]


def greeting(now: datetime) -> str:
    hour = timezone.localtime(now).hour
    if hour < NOON:
        return _("Good morning")
    return _("Good afternoon") if hour < EVENING else _("Good evening")


# --- tiles -------------------------------------------------------------------------------------------------


MOST_NAMED = 3  # dishes


@dataclass(frozen=True, slots=True)
class StartTile:
    """`state` is a word or a number, or empty."""

    item: NavItem
    about: str
    state: str = ""


def start_tiles(user: Any, left: list[setup.Step]) -> list[StartTile]:
    """Leave out the header's pages without a state, unless that leaves none. `left`: the setup's steps for `user`."""
    tiles = [_tile(item, left) for item in shell.nav_items(user)]
    return [tile for tile in tiles if tile.state or not tile.item.is_main] or tiles


def _tile(item: NavItem, left: list[setup.Step]) -> StartTile:
    if item.name == "sold_out":
        return _sold_out(item)
    if item.name == "table_cards":
        return _table_cards(item)
    if item.name == "setup" and left:
        state = ngettext("%(count)d step left", "%(count)d steps left", len(left))
        return StartTile(item, item.about, state % {"count": len(left)})
    return StartTile(item, item.about)


def _sold_out(item: NavItem) -> StartTile:
    names = [item.name for item in sold_out_items(menu_state(), timezone.now())]
    if not names:
        return StartTile(item, _("Everything is available"))
    more = " …" if len(names) > MOST_NAMED else ""
    return StartTile(item, listed(names[:MOST_NAMED]) + more, str(len(names)))


def _table_cards(item: NavItem) -> StartTile:
    printed_at = queries.setup().cards_printed_at
    newer = count_tables(since=printed_at).newer if printed_at else 0
    if not newer:
        return StartTile(item, item.about)
    return StartTile(item, _("Tables added since the cards were printed"), _("%(count)s new") % {"count": newer})
