"""The index of all reports: what both apps have done today, and where the reports are."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from loyalty.reports.today import Today as LoyaltyToday
from restaurant.reports.pages.dashboard import tiles
from restaurant.reports.today import Today as RestaurantToday
from web.reporting import Tile, tile


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
            _("Restaurant today"),
            _("Sales by hour, top items and revenue by table"),
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
        Entry(_("Loyalty programme"), _("Members, points, tiers and popular rewards"), reverse("loyalty_report")),
        Entry(_("Member segments"), _("Champions, regulars and those drifting away"), reverse("segments_report")),
        Entry(_("Win back"), _("Who has stopped coming, and what to offer them"), reverse("re_engagement_report")),
    ]


def page(index: Index) -> dict[str, Any]:
    shown = [*(tiles(index.restaurant) if index.restaurant else []), *_loyalty_tiles(index.loyalty)]
    return {"heading": _("Reports"), "until": index.until, "tiles": shown}


def _loyalty_tiles(figures: LoyaltyToday | None) -> list[Tile]:
    if figures is None:
        return []
    today, before, period = figures.today, figures.before, _("Yesterday by this time")
    return [
        tile(_("New members"), today.new_members, before=before.new_members, period=period),
        tile(_("Points earned"), today.points.earned, before=before.points.earned, period=period),
        tile(_("Points redeemed"), today.points.redeemed, before=before.points.redeemed, period=period),
    ]
