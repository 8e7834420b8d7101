"""The managers' front page: what both apps have done today, and all reports."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from loyalty.reports import today as loyalty
from restaurant.reports import today as restaurant


def restaurant_today(*, now: datetime, zone: ZoneInfo) -> dict[str, Any]:
    """`{today, before}`, each `{sessions, orders, revenue, avgOrderValue}`."""
    return restaurant.read(now=now, zone=zone)


def loyalty_today(*, now: datetime, zone: ZoneInfo) -> dict[str, Any]:
    """`{today, before}`, each `{newMembers, earned, redeemed}`."""
    days = restaurant.days(now, zone)
    return loyalty.read(began=days.began, now=now, before_began=days.yesterday, before_until=days.until)


def of_restaurant() -> list[dict[str, str]]:
    return [
        _entry(_("Restaurant today"), _("Revenue and orders by hour, top items, tables"), "/reports/restaurant"),
        _entry(
            _("Peak hours"), _("When guests come: orders and scans by day and hour"), "/reports/restaurant/peak-hours"
        ),
        _entry(_("Menu performance"), _("What sells, what does not, and its share"), "/reports/restaurant/menu"),
    ]


def of_loyalty() -> list[dict[str, str]]:
    return [
        _entry(_("Loyalty programme"), _("Members, points, tiers and popular rewards"), "/reports/loyalty"),
        _entry(_("Segments"), _("Champions, regulars, and those who are drifting off"), "/reports/loyalty/segments"),
        _entry(_("Re-engagement"), _("Whom to invite back, and with which offer"), "/reports/loyalty/re-engagement"),
    ]


def _entry(title: str, about: str, url: str) -> dict[str, str]:
    return {"title": title, "about": about, "url": url}


def page(data: dict[str, Any], *, until: datetime) -> dict[str, Any]:
    """What the page shows of `data`: tiles, each beside yesterday until the same time of day."""
    figures = [
        ("restaurant", "revenue", _("Revenue"), "money"),
        ("restaurant", "orders", _("Orders"), "number"),
        ("restaurant", "sessions", _("Table sessions"), "number"),
        ("restaurant", "avgOrderValue", _("Average order"), "money"),
        ("loyalty", "newMembers", _("New members"), "number"),
        ("loyalty", "earned", _("Points earned"), "number"),
        ("loyalty", "redeemed", _("Points redeemed"), "number"),
    ]
    tiles = [
        {
            "label": label,
            "value": data[part]["today"][name],
            "before": data[part]["before"][name],
            "kind": kind,
            "period": _("Yesterday until now"),
        }
        for part, name, label, kind in figures
        if part in data
    ]
    return {"heading": _("Reports"), "until": until, "tiles": tiles}
