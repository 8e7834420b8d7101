"""The index of all reports: what both apps have done today, and where the reports are."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from loyalty.reports.today import Today as LoyaltyToday
from restaurant.reports.dashboard import Part
from restaurant.reports.day import OpenBill
from restaurant.reports.pages.dashboard import by_time, tiles
from restaurant.reports.today import Today as RestaurantToday
from web.choices import label_before, phrase_before, week_before_text
from web.reporting import Tile, clauses, compared, grouped, money_text, tile
from web.windows import Period


@dataclass(frozen=True, slots=True)
class Entry:
    title: str
    about: str
    url: str


@dataclass(frozen=True, slots=True)
class Index:
    """`restaurant` and `loyalty`: None for whoever may not read these reports."""

    until: datetime
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
    """What is to be done now, and the report that says with whom."""

    figure: str
    about: str
    url: str


@dataclass(frozen=True, slots=True)
class Now:
    """What only the page shows; None for whoever may not read it. `days`: sales of `week` beside the week before."""

    week: Period
    days: list[Part] | None
    open_bills: list[OpenBill] | None
    to_win_back: int | None


def page(index: Index, now: Now, period: Period) -> dict[str, Any]:
    days = now.days or []
    sales, week = reverse("report_dashboard"), now.week.window
    of_restaurant = tiles(index.restaurant, label_before(period)) if index.restaurant else []
    return {
        "heading": _("Reports"),
        "sentence": clauses(_sales(index.restaurant, period), _members(index.loyalty)),
        "until": index.until,
        "compared_with": week_before_text(period.today, is_running=True),
        "restaurant_tiles": [each | {"more": sales} for each in of_restaurant],
        "loyalty_tiles": _loyalty_tiles(index.loyalty, label_before(period)),
        "days": by_time(days, now.week) if index.restaurant else None,
        "days_url": f"{sales}?{urlencode({'from': week.first, 'to': week.last})}",
        "has_sales": any(part.orders or part.orders_before for part in days),
        "doors": [*_bills(now.open_bills), *_win_back(now.to_win_back)],
        "nothing": _("No orders in the last 14 days."),
    }


def _bills(bills: list[OpenBill] | None) -> list[Door]:
    if bills is None:
        return []
    about = ngettext("still due on %(count)s bill of today", "still due on %(count)s bills of today", len(bills))
    due = money_text(sum((each.due for each in bills), Decimal("0.00")))
    every = _("Every bill of today is paid")
    figure, words = (due, about % {"count": grouped(len(bills))}) if bills else (every, _("Sales, VAT and payments"))
    return [Door(figure, words, reverse("report_day"))]


def _win_back(count: int | None) -> list[Door]:
    if count is None:
        return []
    members = ngettext("%(count)s member", "%(count)s members", count) % {"count": grouped(count)}
    about = ngettext("has stopped coming: win them back", "have stopped coming: win them back", count)
    nobody = (_("Nobody to win back"), _("No member has stopped coming"))
    return [Door(*((members, about) if count else nobody), reverse("re_engagement_report"))]


def _sales(figures: RestaurantToday | None, period: Period) -> str:
    if figures is None:
        return ""
    if not figures.today.orders:
        return _("No orders yet today")
    change = compared(figures.today.revenue, figures.before.revenue, phrase_before(period))
    sales = _("Sales today are %(amount)s") % {"amount": money_text(figures.today.revenue)}
    return f"{sales}, {change}" if change else sales


def _members(figures: LoyaltyToday | None) -> str:
    if figures is None:
        return ""
    count = figures.today.new_members
    joined = ngettext("%(count)s new member", "%(count)s new members", count) % {"count": grouped(count)}
    return joined if count else _("no new members")


def _loyalty_tiles(figures: LoyaltyToday | None, period: str) -> list[Tile]:
    if figures is None:
        return []
    today, before = figures.today, figures.before
    used, used_before = today.points.redeemed, before.points.redeemed
    found = [
        tile(_("New members"), today.new_members, before=before.new_members, period=period),
        tile(_("Points earned"), today.points.earned, before=before.points.earned, period=period),
        tile(_("Points used or removed"), used, before=used_before, period=period, is_neutral=True),
    ]
    return [each | {"more": reverse("loyalty_report")} for each in found]
