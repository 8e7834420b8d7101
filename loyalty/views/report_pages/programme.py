"""The page of the programme's dashboard."""

from datetime import datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from loyalty.reports.programme import POPULAR_REWARDS, TOP_CUSTOMERS
from loyalty.views.report_pages import Page, Table, percent_text, report_links, share, table_of, tier_name, tile


def page(data: dict[str, Any], details: dict[str, Any], now: datetime) -> Page:
    days, tiers, rewards, customers = _by_day(details), _tiers(data), _rewards(data), _customers(data)
    return {
        "heading": _("Loyalty programme"),
        "until": now,
        "tiles": _key_figures(data, details),
        "tables": [days, tiers, rewards, customers],
        "by_day": days,
        "tiers": tiers,
        "popular": rewards,
        "customers": customers,
        "notes": [
            _("Active: last earned points 30 days ago at most. Before: whoever earned points in the 30 days before."),
            _("Earned: all points that came onto cards, given ones too. Redeemed: all that left, taken ones too."),
            _("A month begins at midnight in this time zone; last month is counted up to the same day and time."),
            _("A point is taken for 0.01 of the currency that it may cost."),
        ],
    }


def _key_figures(data: dict[str, Any], details: dict[str, Any]) -> list[dict[str, Any]]:
    overview, month = data["overview"], data["monthlyActivity"]
    before, last_month = _("The 30 days before"), _("Last month to this day")
    active = share(overview["activeMembers"], overview["totalMembers"])
    return [
        tile(_("Active members"), overview["activeMembers"], before=details["active_before"], period=before),
        tile(_("New members in 30 days"), details["joined"], before=details["joined_before"], period=before),
        tile(_("Points earned this month"), month["earned"], before=details["earned_before"], period=last_month),
        tile(_("Points redeemed this month"), month["redeemed"], before=details["redeemed_before"], period=last_month),
        tile(
            _("Members"),
            overview["totalMembers"],
            note=_("%(share)s %% of them are active") % {"share": percent_text(active)},
        ),
        tile(
            _("Rewards redeemed in 30 days"),
            details["redemptions"],
            before=details["redemptions_before"],
            period=before,
        ),
        tile(_("Outstanding points"), overview["outstandingPoints"]),
        tile(_("What these may cost"), overview["pointsLiability"], "money"),
    ]


def _by_day(details: dict[str, Any]) -> Table:
    month = date_format(details["days"][0]["date"], "YEAR_MONTH_FORMAT")
    columns = [(_("Day"), "number"), (_("Earned"), "number"), (_("Redeemed"), "number")]
    rows = [[each["date"].day, each["earned"], each["redeemed"]] for each in details["days"]]
    return table_of(_("Points by day, %(month)s") % {"month": month}, columns, rows)


def _tiers(data: dict[str, Any]) -> Table:
    members = data["overview"]["totalMembers"]
    rows = [
        [tier_name(each["tier"]), each["count"], share(each["count"], members)] for each in data["tierDistribution"]
    ]
    columns = [(_("Tier"), "text"), (_("Members"), "number"), (_("Share"), "percent")]
    return table_of(_("Members by tier"), columns, rows)


def _rewards(data: dict[str, Any]) -> Table:
    rows = [[each["name"], each["redemptions"]] for each in data["popularRewards"]]
    return table_of(
        _("Popular rewards in the last 30 days"),
        [(_("Reward"), "text"), (_("Redeemed"), "number")],
        rows,
        note=_("At most %(count)s are shown.") % {"count": POPULAR_REWARDS},
        empty=_("No reward was redeemed in the last 30 days."),
    )


def _customers(data: dict[str, Any]) -> Table:
    columns = [
        (_("Member"), "text"), (_("Lifetime points"), "number"), (_("Tier"), "text"), (_("Last active"), "date"),
    ]  # fmt: skip
    rows = [
        [each["name"], each["lifetime_points"], tier_name(each["tier"]), each["last_activity_at"]]
        for each in data["topCustomers"]
    ]
    return table_of(
        _("Members with the most lifetime points"),
        columns,
        rows,
        links=report_links(data["topCustomers"]),
        note=_("At most %(count)s are shown.") % {"count": TOP_CUSTOMERS},
        empty=_("Nobody has enrolled yet."),
    )
