"""The page of a member's report."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from babel.dates import format_skeleton
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty.models import PointTransaction
from loyalty.reports.engagement import LATEST, RECENT, Engagement
from loyalty.reports.pages import tier_name
from web.reporting import PageData, Table, clauses, grouped, money_text, table_of, tile
from web.templatetags.money import locale
from web.templatetags.reports import shown

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
    cut = _("In the latest %(count)s transactions") % {"count": LATEST} if report.is_cut else ""
    return {
        "heading": member.name,
        "sentence": _sentence(report),
        "until": report.until,
        "tier": member.tier,
        "tier_name": tier_name(member.tier),
        "seen": _seen(report),
        "tiles": [
            tile(_("Spend"), report.spend, "money", note=cut),
            tile(_("Average order"), report.average_order, "money", note=cut),
            tile(_("Visits"), report.visits, note=cut),
            tile(_("Visits per month"), report.recent_visits_per_month, "decimal", note=cut),
            tile(_("Points balance"), member.points_balance),
            tile(_("Lifetime points"), member.lifetime_points),
            tile(_("Days as a member"), report.days_since_join),
            tile(_("Card scans"), report.total_scans),
        ],
        "tables": [activity, cities, months],
        "months": months,
        "months_note": _("From the first whole month in the latest %(count)s transactions.") % {"count": LATEST}
        if report.is_cut
        else "",
        "activity": activity,
        "cities": cities,
        "notes": [
            _("Visits and spend cover the latest %(count)s transactions.") % {"count": LATEST},
            _("Every time points are earned counts as a visit, including the sign-up bonus."),
            _("The average order is spend divided by visits."),
            _("Visits per month are those of the days since the first of these transactions, or since joining."),
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
    if report.is_cut:
        spent = _("In the latest %(count)s transactions: %(figures)s") % {"count": LATEST, "figures": spent}
    return clauses(spent)


def _seen(report: Engagement) -> str:
    """The date, and how many dates ago it was."""
    last = report.member.last_activity_at
    if last is None:
        return _("No activity yet")
    days = (timezone.localdate(report.until) - timezone.localdate(last)).days
    ago = ngettext("%(count)s day ago", "%(count)s days ago", days) % {"count": grouped(days)}
    when = ago if days > 1 else _("yesterday") if days == 1 else _("today")
    return _("Last active %(date)s, %(when)s") % {"date": shown(last, "date"), "when": when}


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
    is_cut = report.is_cut and first.replace(day=1) in spent
    months = list(reversed(spent.items()))[1 if is_cut else 0 :]
    rows = [[format_skeleton("yMMM", day, locale=locale()), *figures] for day, figures in months]
    columns = [(_("Month"), "text"), (_("Spend"), "money"), (_("Purchases"), "number")]
    return table_of(_("Spend by month"), columns, rows)


def _activity(report: Engagement) -> Table:
    columns = [
        (_("Time"), "time"), (_("Type"), "text"), (_("Description"), "text"), (_("Points"), "signed"),
        (_("Order total"), "money"), (_("Location"), "text"),
    ]  # fmt: skip
    rows = [
        [
            each.created_at, str(TYPES[each.type]), each.description, each.points,
            "" if each.order_total is None else each.order_total, _elsewhere(each),
        ]
        for each in report.recent
    ]  # fmt: skip
    note = _("Latest %(count)s transactions.") % {"count": RECENT} if len(report.transactions) > RECENT else ""
    return table_of(_("Recent activity"), columns, rows, note=note, lead=3, empty=_("No activity on this card yet."))


def _elsewhere(transaction: PointTransaction) -> str:
    """The location, unless the description names it."""
    name = transaction.location.name if transaction.location else ""
    return "" if name in transaction.description else name


def _cities(report: Engagement) -> Table:
    rows = [[city] for city in report.cities or []]
    empty = _("No scans with a known city.") if report.scans else report.warnings[0]
    return table_of(_("Where the card was scanned"), [(_("City"), "text")], rows, empty=empty)
