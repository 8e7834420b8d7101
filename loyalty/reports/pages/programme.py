"""The page of the programme's report."""

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from loyalty.reports.pages import links, tier_name
from loyalty.reports.programme import (
    POINT_COST,
    POPULAR_REWARDS,
    TOP_CUSTOMERS,
    Comparison,
    Day,
    PopularReward,
    Programme,
)
from web.reporting import PageData, Table, Tile, days_before, percent_text, share, table_of, tile, top, zone_name
from web.templatetags.money import format_money


def page(report: Programme, comparison: Comparison) -> PageData:
    days, tiers = _by_day(comparison.days), _tiers(report)
    rewards, customers = _rewards(report.popular_rewards), _customers(report)
    return {
        "heading": _("Loyalty programme"),
        "until": report.until,
        "tiles": _tiles(report, comparison),
        "tables": [days, tiers, rewards, customers],
        "by_day": days,
        "tiers": tiers,
        "popular": rewards,
        "customers": customers,
        "notes": [
            _("Active members earned points in the last 30 days."),
            _("Earned points include bonus points; redeemed points include those that expired or were removed."),
            _("Days start at midnight %(zone)s. Last month is counted up to the same day and time.")
            % {"zone": zone_name()},
            _("The liability is %(amount)s per outstanding point.") % {"amount": format_money(POINT_COST)},
        ],
    }


def _tiles(report: Programme, comparison: Comparison) -> list[Tile]:
    month, last_month = report.month, comparison.last_month
    before, month_before = days_before(30), _("Last month to date")
    active = percent_text(share(report.active, report.members))
    return [
        tile(_("Active members"), report.active, before=comparison.active_before, period=before),
        tile(_("New members, 30 days"), report.joined, before=report.joined_before, period=before),
        tile(_("Points earned this month"), month.earned, before=last_month.earned, period=month_before),
        tile(_("Points redeemed this month"), month.redeemed, before=last_month.redeemed, period=month_before),
        tile(_("Members"), report.members, note=_("%(share)s active") % {"share": active}),
        tile(
            _("Rewards redeemed, 30 days"),
            comparison.redemptions,
            before=comparison.redemptions_before,
            period=before,
        ),
        tile(_("Outstanding points"), report.outstanding_points),
        tile(_("Outstanding liability"), report.liability, "money"),
    ]


def _by_day(days: list[Day]) -> Table:
    month = date_format(days[0].date, "YEAR_MONTH_FORMAT")
    columns = [(_("Day"), "number"), (_("Earned"), "number"), (_("Redeemed"), "number")]
    rows = [[each.date.day, each.points.earned, each.points.redeemed] for each in days]
    return table_of(_("Points by day, %(month)s") % {"month": month}, columns, rows)


def _tiers(report: Programme) -> Table:
    rows = [[tier_name(each.tier), each.count, share(each.count, report.members)] for each in report.tiers]
    columns = [(_("Tier"), "text"), (_("Members"), "number"), (_("Share"), "percent")]
    return table_of(_("Members by tier"), columns, rows)


def _rewards(rewards: list[PopularReward]) -> Table:
    return table_of(
        _("Popular rewards, last 30 days"),
        [(_("Reward"), "text"), (_("Redeemed"), "number")],
        [[each.name, each.redemptions] for each in rewards],
        note=top(POPULAR_REWARDS),
        empty=_("No rewards redeemed in the last 30 days."),
    )


def _customers(report: Programme) -> Table:
    columns = [
        (_("Member"), "text"), (_("Lifetime points"), "number"), (_("Tier"), "text"), (_("Last active"), "date"),
    ]  # fmt: skip
    customers = report.top_customers
    rows = [[each.name, each.lifetime_points, tier_name(each.tier), each.last_activity_at] for each in customers]
    return table_of(
        _("Members with the most lifetime points"),
        columns,
        rows,
        links=links(each.pk for each in customers),
        note=top(TOP_CUSTOMERS),
        empty=_("No members yet."),
    )
