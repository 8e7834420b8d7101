"""The index of all reports: what both apps have done in a period, and where the reports are."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from loyalty.reports.queries import ProgrammeFigures
from loyalty.reports.re_engagement import count_by_offer
from restaurant.reports import day
from restaurant.reports.by_time import Interval, has_orders, sales_by_time, table_by_time
from restaurant.reports.dashboard.page import how_compared, sales_tiles
from restaurant.reports.queries.sales import NOTHING, Sales, are_first
from web.choices import label_before, phrase_before, query_of
from web.reporting import Tile, clauses, compared, with_count, zone_words
from web.templatetags.reports import shown
from web.windows import Compared, Period


@dataclass(frozen=True, slots=True)
class Entry:
    title: str
    about: str
    url: str


@dataclass(frozen=True, slots=True)
class Index:
    """`restaurant` and `loyalty`: None for whoever may not read these reports."""

    restaurant: Compared[Sales] | None
    loyalty: Compared[ProgrammeFigures] | None
    reports: list[Entry]


def restaurant_reports() -> list[Entry]:
    return [
        Entry(
            _("Sales"),
            _("By hour or day, top items, revenue and scans by table"),
            reverse("report_dashboard"),
        ),
        Entry(
            _("The day"),
            _("Sales, VAT, payments, cancellations and open bills of a day, to print"),
            reverse("report_day"),
        ),
        Entry(
            _("Accounting"),
            _("Sales, VAT and payments by account, for the accountant's program"),
            reverse("report_accounting"),
        ),
        Entry(_("Peak hours"), _("Orders and scans by day and hour"), reverse("report_peak_hours")),
        Entry(_("Menu performance"), _("What sells, what doesn't, and its share of revenue"), reverse("report_menu")),
    ]


def loyalty_reports() -> list[Entry]:
    return [
        Entry(
            _("Loyalty programme"),
            _("Members, points, tiers and popular rewards; a report on each member"),
            reverse("loyalty_report"),
        ),
        Entry(_("Member segments"), _("Champions, regulars and those drifting away"), reverse("segments_report")),
        Entry(_("Win back"), _("Who has stopped coming, and what to offer them"), reverse("re_engagement_report")),
    ]


@dataclass(frozen=True, slots=True)
class Task:
    """Something to do now, and the report that says with whom. `is_urgent`: before the day is over."""

    label: str
    figure: str
    about: str
    url: str
    is_urgent: bool = False


def page(index: Index, period: Period) -> dict[str, Any]:
    before, intervals = label_before(period), sales_by_time(period) if index.restaurant else []
    restaurant_tiles = sales_tiles(index.restaurant, before) if index.restaurant else []
    loyalty_tiles = _loyalty_tiles(index.loyalty, before) if index.loyalty else []
    tiles = {
        "restaurant_tiles": _leading("report_dashboard", restaurant_tiles, period),
        "loyalty_tiles": _leading("loyalty_report", loyalty_tiles, period),
    }
    sales = table_by_time(intervals, period) if index.restaurant else None
    return {
        "heading": _("Reports"),
        "sentence": clauses(*_sentence(index, intervals, period)),
        "tiles": [tile for tiles_of_app in tiles.values() for tile in tiles_of_app],
        **tiles,
        "tables": [sales] if sales else [],
        "sales": sales,
        "is_first": bool(index.restaurant and are_first(index.restaurant)),
        "has_sales": has_orders(intervals),
        "tasks": list(_tasks(index, period)),
        "notes": [_("Days start at midnight %(zone)s.") % {"zone": zone_words()}, *how_compared(period)],
    }


def _leading(report: str, tiles: list[Tile], period: Period) -> list[Tile]:
    """Return the tiles with links to the report that says more of them, in the same period."""
    return [replace(tile, more=f"{reverse(report)}?{query_of(period)}") for tile in tiles]


def _tasks(index: Index, period: Period) -> Iterator[Task]:
    if index.restaurant:
        yield _bills(day.open_bills(day=period.today, zone=period.zone))
    if index.loyalty:
        yield _win_back(period.now)


def _bills(bills: list[Any]) -> Task:
    due = shown(sum((bill.due for bill in bills), NOTHING), "money")
    about = with_count(
        ngettext("on %(count)s of today's bills", "on %(count)s of today's bills", len(bills)), len(bills)
    )
    about = about if bills else _("Every bill of today is paid")
    return Task(_("Still due"), due, about, reverse("report_day"), is_urgent=bool(bills))


def _win_back(now: datetime) -> Task:
    count = sum(count_by_offer(now=now).values())
    figure, about = _("Nobody"), _("No member has stopped coming")
    if count:
        figure = shown(count, "number")
        about = ngettext("member has stopped coming", "members have stopped coming", count)
    return Task(_("To win back"), figure, about, reverse("re_engagement_report"))


def _sentence(index: Index, intervals: list[Interval], period: Period) -> Iterator[str]:
    if index.restaurant:
        yield from _sales(index.restaurant, intervals, period)
    if index.loyalty:
        yield _members(index.loyalty.now.new_members)


def _sales(sales: Compared[Sales], intervals: list[Interval], period: Period) -> Iterator[str]:
    """Yield the sales of the period; where it is of more than today, those of today too."""
    now, before = sales
    if not now.orders:
        yield _("No orders yet today") if period.is_today else _("No orders in this period")
        return
    change = compared(now.revenue, before.revenue, phrase_before(period))
    sentence = _("Sales today are %(amount)s") if period.is_today else _("Sales are %(amount)s")
    amount = sentence % {"amount": shown(now.revenue, "money")}
    yield f"{amount}, {change}" if change else amount
    if period.is_running and not period.is_today:
        yield _("%(amount)s of it today so far") % {"amount": shown(intervals[-1].now.revenue, "money")}


def _members(count: int) -> str:
    joined = with_count(ngettext("%(count)s new member", "%(count)s new members", count), count)
    joined = joined.replace(" ", "\u00a0", 1)  # the number stands on the line of its noun
    return joined if count else _("no new members")


def _loyalty_tiles(figures: Compared[ProgrammeFigures], period: str) -> list[Tile]:
    now, before = figures
    used, used_before = now.points.redeemed, before.points.redeemed
    return [
        Tile(_("New members"), now.new_members, before=before.new_members, period=period),
        Tile(_("Points earned"), now.points.earned, before=before.points.earned, period=period),
        Tile(_("Points used or removed"), used, before=used_before, period=period, is_neutral=True),
    ]
