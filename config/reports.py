"""The index of all reports: what both apps have done in a period, and where the reports are."""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from loyalty.reports.today import Today as LoyaltyToday
from restaurant.reports.dashboard import Part
from restaurant.reports.dashboard.page import by_time, how_compared, tiles
from restaurant.reports.day import OpenBill
from restaurant.reports.today import Today as RestaurantToday
from web.choices import label_before, phrase_before, query_of
from web.reporting import Tile, clauses, compared, with_count, zone_words
from web.templatetags.reports import shown
from web.windows import Period


@dataclass(frozen=True, slots=True)
class Entry:
    title: str
    about: str
    url: str


@dataclass(frozen=True, slots=True)
class Index:
    """`restaurant` and `loyalty`: None for whoever may not read these reports."""

    restaurant: RestaurantToday | None
    loyalty: LoyaltyToday | None
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
class Door:
    """What is to be done now, and the report that says with whom. `is_urgent`: before the day is over."""

    label: str
    figure: str
    about: str
    url: str
    is_urgent: bool = False


@dataclass(frozen=True, slots=True)
class Now:
    """What only page and CSV show; None for whoever may not read it. `parts`: sales by hour or day."""

    parts: list[Part] | None
    open_bills: list[OpenBill] | None
    to_win_back: int | None


def page(index: Index, now: Now, period: Period) -> dict[str, Any]:
    before, parts = label_before(period), now.parts or []
    of_restaurant = _leading("report_dashboard", tiles(index.restaurant, before), period) if index.restaurant else []
    of_loyalty = _leading("loyalty_report", _loyalty_tiles(index.loyalty, before), period)
    sales = by_time(parts, period) if index.restaurant else None
    return {
        "heading": _("Reports"),
        "sentence": clauses(*_sales(index.restaurant, parts, period), _members(index.loyalty)),
        "tiles": [*of_restaurant, *of_loyalty],
        "restaurant_tiles": of_restaurant,
        "loyalty_tiles": of_loyalty,
        "tables": [sales] if sales else [],
        "sales": sales,
        "is_first": bool(index.restaurant and index.restaurant.is_first),
        "has_sales": any(part.orders or part.orders_before for part in parts),
        "doors": [*_bills(now.open_bills), *_win_back(now.to_win_back)],
        "notes": [_("Days start at midnight %(zone)s.") % {"zone": zone_words()}, *how_compared(period)],
    }


def _leading(report: str, found: list[Tile], period: Period) -> list[Tile]:
    """To the report that says more of them, in the same period."""
    return [replace(each, more=f"{reverse(report)}?{query_of(period)}") for each in found]


def _bills(bills: list[OpenBill] | None) -> list[Door]:
    if bills is None:
        return []
    about = ngettext("on %(count)s of today's bills", "on %(count)s of today's bills", len(bills))
    due = shown(sum((each.due for each in bills), Decimal("0.00")), "money")
    every = _("Every bill of today is paid")
    figure, words = (due, with_count(about, len(bills))) if bills else (due, every)
    return [Door(_("Still due"), figure, words, reverse("report_day"), is_urgent=bool(bills))]


def _win_back(count: int | None) -> list[Door]:
    if count is None:
        return []
    about = ngettext("member has stopped coming", "members have stopped coming", count)
    nobody = _("Nobody"), _("No member has stopped coming")
    return [
        Door(_("To win back"), *((shown(count, "number"), about) if count else nobody), reverse("re_engagement_report"))
    ]


def _sales(figures: RestaurantToday | None, parts: list[Part], period: Period) -> list[str]:
    """Of the period; where it is of more than today, of today too."""
    if figures is None:
        return []
    if not figures.today.orders:
        return [_("No orders yet today") if period.is_today else _("No orders in this period")]
    change = compared(figures.today.revenue, figures.before.revenue, phrase_before(period))
    words = _("Sales today are %(amount)s") if period.is_today else _("Sales are %(amount)s")
    sales = words % {"amount": shown(figures.today.revenue, "money")}
    today = _("%(amount)s of it today so far") % {"amount": shown(parts[-1].revenue, "money")}
    return [f"{sales}, {change}" if change else sales, today if period.is_running and not period.is_today else ""]


def _members(figures: LoyaltyToday | None) -> str:
    if figures is None:
        return ""
    count = figures.today.new_members
    joined = with_count(ngettext("%(count)s new member", "%(count)s new members", count), count)
    joined = joined.replace(" ", "\u00a0", 1)  # the number stands on the line of its noun
    return joined if count else _("no new members")


def _loyalty_tiles(figures: LoyaltyToday | None, period: str) -> list[Tile]:
    if figures is None:
        return []
    today, before = figures.today, figures.before
    used, used_before = today.points.redeemed, before.points.redeemed
    return [
        Tile(_("New members"), today.new_members, before=before.new_members, period=period),
        Tile(_("Points earned"), today.points.earned, before=before.points.earned, period=period),
        Tile(_("Points used or removed"), used, before=used_before, period=period, is_neutral=True),
    ]
