"""The page of the programme's report."""

from dataclasses import replace
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from loyalty.points.queries import NONE
from loyalty.reports import links, tier_name
from loyalty.reports.programme import (
    POINT_COST,
    POPULAR_REWARDS,
    TOP_CUSTOMERS,
    Activity,
    Day,
    PopularReward,
    Programme,
    same_weekdays,
)
from loyalty.reports.programme import takings as of_takings
from loyalty.reports.programme.takings import Takings
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
        of_takings.tiles(takings, activity.spent, label_before(period)),
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
            _("The liability is %(amount)s per outstanding point.") % {"amount": format_money(POINT_COST)},
            *of_takings.notes(takings),
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
    """With the figure before in words, as the facts beside it have it."""
    if rate.gain is None:
        return rate
    words = {"whole": rate.note, "share": shown(rate.before, "percent")}
    return replace(rate, note=_("%(whole)s, %(share)s before") % words, gain=None)


def _sentence(report: Programme, activity: Activity, takings: list[Takings], period: Period) -> str:
    if not report.members:
        return _("No members yet.")
    if not activity.active:
        return _("No member earned points in this period.")
    earned = ngettext("%(count)s member earned points", "%(count)s members earned points", activity.active)
    active = with_count(earned, activity.active)
    change = compared(activity.active, activity.active_before, phrase_before(period))
    joined = with_count(ngettext("%(count)s joined", "%(count)s joined", report.joined), report.joined)
    return clauses(
        f"{active}, {change}" if change else active,
        of_takings.news(takings) or (_good_news(activity) if activity.active < activity.active_before else ""),
        joined if report.joined else _("nobody joined"),
    )


def _good_news(activity: Activity) -> str:
    """Beside a loss: which of the two rates went up the most, if one did by NEWS, and not by a smaller whole alone."""
    rates = [
        (
            _("%(now)s of them redeemed a reward, up from %(before)s"),
            _redeeming(activity),
            activity.redeemed > activity.redeemed_before,
        ),
        (
            _("%(now)s of the points earned went on rewards, up from %(before)s"),
            _redemption(activity),
            activity.spent > activity.spent_before,
        ),
    ]
    gains = [
        (now - before, words % {"now": shown(now, "percent"), "before": shown(before, "percent")})
        for words, (now, before), is_more in rates
        if is_more and now is not None and before is not None and now - before >= of_takings.NEWS
    ]
    return max(gains)[1] if gains else ""


Rate = tuple[Decimal | None, Decimal | None]  # percent, and that of the period before: None of nothing


def _redemption(activity: Activity) -> Rate:
    now, before = activity.points.earned, activity.points_before.earned
    return _share(activity.spent, now), _share(activity.spent_before, before)


def _redeeming(activity: Activity) -> Rate:
    now, before = activity.active, activity.active_before
    return _share(activity.redeemed, now), _share(activity.redeemed_before, before)


def _share(part: int, whole: int) -> Decimal | None:
    return share(part, whole) if whole else None


def _tiles(report: Programme, activity: Activity, before: str) -> list[Tile]:
    active = shown(share(report.recent, report.members), "percent")
    moved, moved_before = activity.points, activity.points_before
    return [
        Tile(_("Active members"), activity.active, before=activity.active_before, period=before),
        Tile(_("New members"), report.joined, before=report.joined_before, period=before),
        Tile(_("Points earned"), moved.earned, before=moved_before.earned, period=before),
        Tile(_("Rewards redeemed"), activity.redemptions, before=activity.redemptions_before, period=before),
        Tile(_("Points used or removed"), moved.redeemed, before=moved_before.redeemed, period=before),
        _rate(_("Points redeemed, share of earned"), "", _redemption(activity), activity.spent, activity.spent_before),
        _rate(
            _("Redeeming members"),
            _("of active members"),
            _redeeming(activity),
            activity.redeemed,
            activity.redeemed_before,
        ),
        Tile(_("Members"), report.members, note=_("%(share)s active in 30 days") % {"share": active}),
        Tile(_("Outstanding points"), report.outstanding_points),
        Tile(_("Outstanding liability"), report.liability, "money", note=_per_point()),
    ]


def _rate(label: str, whole: str, rate: Rate, part: int, part_before: int) -> Tile:
    now, before = rate
    return of_takings.beside(Tile(label, now, "percent", note=whole), before, parts=(part, part_before))


def _per_point() -> str:
    return _("%(amount)s per outstanding point") % {"amount": format_money(POINT_COST)}


def _by_day(days: list[Day], period: Period) -> Table:
    columns = [
        Column(_("Day"), "date"), Column(_("Earned"), "number"), Column(_("Used or removed"), "number"),
        Column(_("Earned before"), "number"), Column(_("Used or removed before"), "number"),
    ]  # fmt: skip
    rows = [
        [
            each.date, each.points.earned, each.points.redeemed, each.before and each.before.earned,
            each.before and each.before.redeemed,
        ]
        for each in days
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
    before = sum((each.before for each in days if each.before), NONE)
    words = {
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
    return f"{lines} {_('The figures above are compared with %(before)s.')}" % words


def _tiers(report: Programme) -> Table:
    rows = [[tier_name(each.tier), each.count, share(each.count, report.members)] for each in report.tiers]
    columns = [Column(_("Tier")), Column(_("Members"), "number"), Column(_("Share"), "percent")]
    members = with_count(ngettext("%(count)s member", "%(count)s members", report.members), report.members)
    active = shown(share(report.recent, report.members), "percent")
    note = _("As of now: %(members)s, %(share)s active in 30 days.") % {"members": members, "share": active}
    return Table(_("Members by tier"), columns, rows, note=note)


def _rewards(rewards: list[PopularReward]) -> Table:
    return Table(
        _("Popular rewards"),
        [Column(_("Reward")), Column(_("Redeemed"), "number")],
        [[each.name, each.redemptions] for each in rewards],
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
            each.name, tier_name(each.tier), each.last_activity_at, each.lifetime_points, each.points_balance,
            each.spend,
        ]
        for each in customers
    ]  # fmt: skip
    return Table(
        _("Members with the most lifetime points"),
        columns,
        rows,
        links=links(each.pk for each in customers),
        note=top(TOP_CUSTOMERS),
        empty=_("No members yet."),
    )
