"""The page of the programme's report."""

from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from loyalty.points.queries.points import NONE
from loyalty.reports import links, tier_name
from loyalty.reports.programme import (
    POPULAR_REWARDS,
    TOP_CUSTOMERS,
    Activity,
    Day,
    Moved,
    PopularReward,
    Programme,
    point_cost,
    same_weekdays,
)
from loyalty.reports.programme.takings import (
    NEWS,
    Takings,
    takings_news,
    takings_notes,
    takings_tiles,
    with_rate_before,
)
from web.choices import days_text, label_before, legend_before, phrase_before
from web.reporting import Column, PageData, Table, Tile, clauses, compared, plot_of, share, top, with_count, zone_words
from web.templatetags.money import format_money
from web.templatetags.plots import MOST_DAYS
from web.templatetags.reports import shown
from web.windows import WEEK, Period


def page(report: Programme, activity: Activity, period: Period, takings: list[Takings]) -> PageData:
    """`takings`: of the period and of the one before; none where they may not be read."""
    days, tiers = _by_day(activity.days, period), _tiers(report)
    rewards, customers = _rewards(report.popular_rewards), _customers(report)
    tiles, pays = (
        _tiles(report, activity, label_before(period)),
        takings_tiles(takings, activity.now.spent, label_before(period)),
    )
    return {
        "heading": _("Loyalty programme"),
        "sentence": _sentence(report, activity, takings, period),
        "tiles": [*tiles, *pays],
        "pays": pays,
        **_of_page(tiles),
        "tables": [days, tiers, rewards, customers],
        "has_weeks": WEEK.days < len(activity.days) <= MOST_DAYS,
        "by_day": days,
        "days_note": _beside_the_plots(activity.days, period),
        "tiers": tiers,
        "popular": rewards,
        "customers": replace(customers, note=""),
        "customers_title": _("Top %(count)s members by lifetime points") % {"count": TOP_CUSTOMERS},
        "notes": [
            _("Active members earned points in the period."),
            _("Points redeemed are those spent on rewards in the period."),
            _("Points earned include bonus points. Points used or removed were redeemed, expired or taken off."),
            _("Days start at midnight %(zone)s. Last month is counted up to the same day and time.")
            % {"zone": zone_words()},
            _("In the plots each day stands beside the same weekday of the weeks before."),
            _("Members, tiers and outstanding points are as of now, whatever the period."),
            _("The liability is %(amount)s per outstanding point.") % {"amount": format_money(point_cost())},
            *takings_notes(takings),
        ],
    }


def _of_page(tiles: list[Tile]) -> dict[str, list[Tile]]:
    """The four that say most, and the others below; members are counted with their tiers."""
    active, joined, earned, redeemed, used, rate, redeeming, _members, points, liability = tiles
    note = _("a liability of %(amount)s") % {"amount": shown(liability.value, "money")}
    return {
        "flow_tiles": [active, earned, rate, replace(points, note=note)],
        "facts": [joined, redeemed, used, _in_grey(redeeming)],
    }


def _in_grey(rate: Tile) -> Tile:
    """Return the tile with the figure before in words, as the facts beside it have it."""
    if rate.gain is None:
        return rate
    figures = {"whole": rate.note, "share": shown(rate.before, "percent")}
    return replace(rate, note=_("%(whole)s, %(share)s before") % figures, gain=None)


def _sentence(report: Programme, activity: Activity, takings: list[Takings], period: Period) -> str:
    if not report.members:
        return _("No members yet.")
    now, before = activity.now, activity.before
    if not now.active:
        return _("No member earned points in this period.")
    earned = ngettext("%(count)s member earned points", "%(count)s members earned points", now.active)
    active, change = with_count(earned, now.active), compared(now.active, before.active, phrase_before(period))
    joined = with_count(ngettext("%(count)s joined", "%(count)s joined", report.joined), report.joined)
    return clauses(
        f"{active}, {change}" if change else active,
        takings_news(takings) or (_good_news(now, before) if now.active < before.active else ""),
        joined if report.joined else _("nobody joined"),
    )


def _good_news(now: Moved, before: Moved) -> str:
    """Return which of the two rates went up the most, if one did by NEWS, and not by a smaller whole alone."""
    redeemed = _("%(now)s of them redeemed a reward, up from %(before)s")
    spent = _("%(now)s of the points earned went on rewards, up from %(before)s")
    rates = [
        (redeemed, now.redeeming, before.redeeming, now.redeemed > before.redeemed),
        (spent, now.redemption, before.redemption, now.spent > before.spent),
    ]
    gains = [
        (rate - earlier, sentence % {"now": shown(rate, "percent"), "before": shown(earlier, "percent")})
        for sentence, rate, earlier, is_more in rates
        if is_more and rate is not None and earlier is not None and rate - earlier >= NEWS
    ]
    return max(gains)[1] if gains else ""


def _tiles(report: Programme, activity: Activity, period: str) -> list[Tile]:
    now, before = activity.now, activity.before
    recent = shown(share(report.recent, report.members), "percent")
    redemption = Tile(_("Points redeemed, share of earned"), now.redemption, "percent")
    redeeming = Tile(_("Redeeming members"), now.redeeming, "percent", note=_("of active members"))
    return [
        Tile(_("Active members"), now.active, before=before.active, period=period),
        Tile(_("New members"), report.joined, before=report.joined_before, period=period),
        Tile(_("Points earned"), now.points.earned, before=before.points.earned, period=period),
        Tile(_("Rewards redeemed"), now.redemptions, before=before.redemptions, period=period),
        Tile(_("Points used or removed"), now.points.redeemed, before=before.points.redeemed, period=period),
        with_rate_before(redemption, before.redemption, numerators=(now.spent, before.spent)),
        with_rate_before(redeeming, before.redeeming, numerators=(now.redeemed, before.redeemed)),
        Tile(_("Members"), report.members, note=_("%(share)s active in 30 days") % {"share": recent}),
        Tile(_("Outstanding points"), report.outstanding_points),
        Tile(_("Outstanding liability"), report.liability, "money", note=_per_point()),
    ]


def _per_point() -> str:
    return _("%(amount)s per outstanding point") % {"amount": format_money(point_cost())}


def _by_day(days: list[Day], period: Period) -> Table:
    columns = [
        Column(_("Day"), "date"), Column(_("Earned"), "number"), Column(_("Used or removed"), "number"),
        Column(_("Earned before"), "number"), Column(_("Used or removed before"), "number"),
    ]  # fmt: skip
    rows = [
        [
            day.date, day.points.earned, day.points.redeemed, day.before and day.before.earned,
            day.before and day.before.redeemed,
        ]
        for day in days
    ]  # fmt: skip
    plot = plot_of(period, legend=_legend(period), by_week=_("Points by week"), nothing=_("No points"))
    return Table(_("Points by day"), columns, rows, plot=plot)


def _legend(period: Period) -> str:
    beside = same_weekdays(period)
    if beside == period.before:
        return legend_before(period)
    return _("Same weekdays, %(days)s") % {"days": days_text(beside)}


def _beside_the_plots(days: list[Day], period: Period) -> str:
    """The sums of the lines, where they are of other days than the figures above are compared with."""
    beside = same_weekdays(period)
    if beside == period.before:
        return ""
    before = sum((day.before for day in days if day.before), NONE)
    figures = {
        "days": days_text(beside),
        "time": shown(period.now, "clock"),
        "earned": shown(before.earned, "number"),
        "used": shown(before.redeemed, "number"),
        "before": days_text(period.before),
    }
    lines = _("The lines are the same weekdays, %(days)s: %(earned)s earned, %(used)s used or removed.")
    if period.is_running:
        lines = _(
            "The lines are the same weekdays, %(days)s, the last until %(time)s: %(earned)s earned, "
            "%(used)s used or removed."
        )
    return f"{lines} {_('The figures above are compared with %(before)s.')}" % figures


def _tiers(report: Programme) -> Table:
    rows = [[tier_name(tier.tier), tier.count, share(tier.count, report.members)] for tier in report.tiers]
    columns = [Column(_("Tier")), Column(_("Members"), "number"), Column(_("Share"), "percent")]
    members = with_count(ngettext("%(count)s member", "%(count)s members", report.members), report.members)
    active = shown(share(report.recent, report.members), "percent")
    note = _("As of now: %(members)s, %(share)s active in 30 days.") % {"members": members, "share": active}
    return Table(_("Members by tier"), columns, rows, note=note)


def _rewards(rewards: list[PopularReward]) -> Table:
    return Table(
        _("Popular rewards"),
        [Column(_("Reward")), Column(_("Redeemed"), "number")],
        [[reward.name, reward.redemptions] for reward in rewards],
        note=top(POPULAR_REWARDS),
        empty=_("No rewards redeemed in this period."),
    )


def _customers(report: Programme) -> Table:
    columns = [
        Column(_("Member")), Column(_("Tier")), Column(_("Last active"), "date"),
        Column(_("Lifetime points"), "number", is_lead=True), Column(_("Points"), "number"),
        Column(_("Spend"), "money"),
    ]  # fmt: skip
    customers = report.top_customers
    rows = [
        [
            customer.name, tier_name(customer.tier), customer.last_activity_at, customer.lifetime_points,
            customer.points_balance, customer.spend,
        ]
        for customer in customers
    ]  # fmt: skip
    return Table(
        _("Members with the most lifetime points"),
        columns,
        rows,
        links=links(customer.pk for customer in customers),
        note=top(TOP_CUSTOMERS),
        empty=_("No members yet."),
    )
