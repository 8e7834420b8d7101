"""The page of a member's report."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from babel.dates import format_skeleton
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty.reports.engagement import LATEST, RECENT, Engagement
from loyalty.reports.pages import tier_name
from web.reporting import PageData, Table, clauses, grouped, money_text, table_of, tile
from web.templatetags.money import locale

MONTHS = 12  # of the chart, at most

TYPES = {
    "earn": gettext_lazy("Earned"),
    "redeem": gettext_lazy("Redeemed"),
    "expire": gettext_lazy("Expired or removed"),
    "bonus": gettext_lazy("Bonus"),
}


def page(report: Engagement) -> PageData:
    activity, cities, member = _activity(report), _cities(report), report.member
    months = _months(report)
    return {
        "heading": member.name,
        "sentence": _sentence(report),
        "until": report.until,
        "tier": member.tier,
        "tier_name": tier_name(member.tier),
        "last_activity_at": member.last_activity_at,
        "tiles": [
            tile(_("Total spend"), report.spend, "money"),
            tile(_("Average order"), report.average_order, "money"),
            tile(_("Visits"), report.visits),
            tile(_("Visits per month"), report.visits_per_month, "decimal"),
            tile(_("Points balance"), member.points_balance),
            tile(_("Lifetime points"), member.lifetime_points),
            tile(_("Days as a member"), report.days_since_join),
            tile(_("Card scans"), report.total_scans),
        ],
        "tables": [activity, cities, months],
        "months": months,
        "activity": activity,
        "cities": cities,
        "notes": [
            _("Visits and spend cover the latest %(count)s transactions.") % {"count": LATEST},
            _("Every time points are earned counts as a visit, including the sign-up bonus."),
            _("The average order is total spend divided by visits."),
            _("A month is 30 days; newer members count as one month."),
            _("Repeat scans count."),
        ],
    }


def _sentence(report: Engagement) -> str:
    if not report.visits:
        return _("No visits yet.")
    visits = ngettext("%(count)s visit", "%(count)s visits", report.visits) % {"count": grouped(report.visits)}
    spent = _("%(visits)s, %(amount)s spent on average") % {
        "visits": visits, "amount": money_text(report.average_order),
    }  # fmt: skip
    days = (report.until - report.member.last_activity_at).days if report.member.last_activity_at else 0
    ago = ngettext("last seen %(count)s day ago", "last seen %(count)s days ago", days) % {"count": grouped(days)}
    return clauses(spent, ago if days else _("seen within a day"))


def _months(report: Engagement) -> Table:
    """Also the months without any. That of the first transaction is left out if there may be more of it to read."""
    zone = timezone.get_current_timezone()
    spent: dict[date, list[Any]] = {}
    month = report.until.astimezone(zone).date().replace(day=1)
    first = min((each.created_at.astimezone(zone).date() for each in report.transactions), default=month)
    while month >= first.replace(day=1) and len(spent) < MONTHS:
        spent[month] = [Decimal(0), 0]
        month = (month - timedelta(days=1)).replace(day=1)
    for each in report.transactions:
        figures = spent.get(each.created_at.astimezone(zone).date().replace(day=1))
        if figures and each.order_total:
            figures[0] += each.order_total
            figures[1] += 1
    is_cut = len(report.transactions) == LATEST and first.replace(day=1) in spent
    months = list(reversed(spent.items()))[1 if is_cut else 0 :]
    rows = [[format_skeleton("yMMM", day, locale=locale()), *figures] for day, figures in months]
    columns = [(_("Month"), "text"), (_("Spend"), "money"), (_("Purchases"), "number")]
    return table_of(_("Spend by month"), columns, rows)


def _activity(report: Engagement) -> Table:
    columns = [
        (_("Time"), "time"), (_("Type"), "text"), (_("Description"), "text"), (_("Points"), "number"),
        (_("Order total"), "money"), (_("Location"), "text"),
    ]  # fmt: skip
    rows = [
        [
            each.created_at, str(TYPES[each.type]), each.description, each.points, each.order_total,
            each.location.name if each.location else None,
        ]
        for each in report.recent
    ]  # fmt: skip
    note = _("Latest %(count)s transactions.") % {"count": RECENT} if len(report.transactions) > RECENT else ""
    return table_of(_("Recent activity"), columns, rows, note=note, empty=_("No activity on this card yet."))


def _cities(report: Engagement) -> Table:
    rows = [[city] for city in report.cities or []]
    empty = _("No scans with a known city.") if report.scans else report.warnings[0]
    return table_of(_("Where the card was scanned"), [(_("City"), "text")], rows, empty=empty)
