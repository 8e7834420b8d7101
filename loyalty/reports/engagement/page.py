"""The page of a member's report."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import NamedTuple

from babel.dates import format_date, format_skeleton
from django.urls import reverse
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from loyalty.members.models import Member
from loyalty.messages.models import WinBackEmail
from loyalty.points.models import PointTransaction
from loyalty.points.services.orders import order_url
from loyalty.reports import tier_name
from loyalty.reports.engagement import LATEST, RECENT, WINDOW, Engagement, Month, Purchases
from loyalty.reports.re_engagement import OFFERS, Target, targets
from loyalty.reports.re_engagement.page import suggested
from loyalty.restaurant import Dish
from loyalty.rewards.models import Reward
from web.formats import locale
from web.mailto import mailto
from web.reporting import Column, PageData, Plot, Table, Tile, clauses, clock, with_count
from web.templatetags.reports import shown

CITIES = 3  # on the page; the CSV has all
HABIT = 4  # visits, at least

TYPES = {
    "earn": gettext_lazy("Earned"),
    "redeem": pgettext_lazy("points", "Redeemed"),
    "expire": gettext_lazy("Expired or removed"),
    "bonus": gettext_lazy("Bonus"),
    "import": gettext_lazy("Imported"),
}


class MonthLabel(NamedTuple):
    """Below a bar: `letter` is what a phone has room for, `year` stands below the first month of one."""

    name: str
    letter: str
    year: str


def page(
    report: Engagement,
    purchases: Purchases,
    dishes: Sequence[Dish],
    following: Reward | None,
    *,
    letter: WinBackEmail | None,
    target: Target | None,
    may_see_entries: bool,
) -> PageData:
    """The tiles and tables are those of the CSV, of the latest transactions. What the page has instead is of all.

    `dishes`: what they order most, that first. `following`: the reward that is next. `letter`: the latest to the
    member, however long ago. `target`: of whoever is to be won back. `may_see_entries`: of the ledger, in the admin.
    """
    activity, cities, member = _activity(report, may_see_entries=may_see_entries), _cities(report), report.member
    return {
        "heading": member.name,
        "sentence": _sentence(purchases),
        "until": report.until,
        "tier": member.tier,
        "tier_name": tier_name(member.tier),
        "since": _("Member since %(date)s") % {"date": shown(member.created_at, "date")},
        "seen": _seen(report),
        "offers": _("Gets offers by email") if member.offers_agreed_at else _("Gets no offers by email"),
        "written": _written(letter),
        "mail": _mail(member, letter, target, report.until),
        "tiles": [*_tiles_of_the_latest(report), *_compared(purchases)],
        "page_tiles": _compared(purchases),
        "card_tiles": [*_since_joining(report, purchases, following), *_habits(report, dishes)],
        "tables": [activity, cities, _by_month(report.months(timezone.get_current_timezone()))],
        "months": _months(purchases.latest_months),
        "activity": replace(activity, note=""),
        "activity_note": activity.note,
        "cities": cities,
        "notes": _notes(),
        "page_notes": [
            _("A visit is a purchase that points were earned on. What was taken back doesn't count."),
            _("The last %(days)s days are compared with the %(days)s days before, once a card is that old.")
            % {"days": WINDOW.days},
            _("A month is 30 days; newer members count as one month."),
            _("The usual day and hour are those of the latest %(count)s transactions, the dishes of the latest orders.")
            % {"count": LATEST},
            _("Repeat scans count."),
            _("Figures are as of %(time)s.") % {"time": shown(report.until, "time")},
        ],
    }


def _tiles_of_the_latest(report: Engagement) -> list[Tile]:
    return [
        Tile(_("Spend"), report.spend, "money"),
        Tile(_("Average order"), report.average_order, "money"),
        Tile(_("Visits"), report.visits),
        Tile(_("Visits per month"), report.recent_visits_per_month, "decimal"),
        Tile(_("Points balance"), report.member.points_balance),
        Tile(_("Lifetime points"), report.member.lifetime_points),
        Tile(_("Days as a member"), report.days_since_join),
        Tile(_("Card scans"), report.total_scans),
    ]


def _compared(purchases: Purchases) -> list[Tile]:
    """Return the figures of the last days, compared with the days before."""
    recent, before, named = purchases.recent, purchases.before, {"days": WINDOW.days}
    tiles = [
        Tile(_("Spend, last %(days)s days") % named, recent.spend, "money"),
        Tile(_("Visits, last %(days)s days") % named, recent.count),
        Tile(_("Spend per visit, last %(days)s days") % named, recent.average, "money"),
    ]
    if before is None:
        return tiles
    period = _("the %(days)s days before") % named
    figures = (before.spend, before.count, before.average)
    return [
        tile if figure is None else replace(tile, before=figure, period=period)
        for tile, figure in zip(tiles, figures, strict=True)
    ]


def _since_joining(report: Engagement, purchases: Purchases, following: Reward | None) -> list[Tile]:
    member = report.member
    points = _("%(points)s lifetime points") % {"points": shown(member.lifetime_points, "number")}
    if following:
        missing = shown(following.points_required - member.points_balance, "number")
        more = _("%(missing)s more for %(reward)s") % {"missing": missing, "reward": following.name}
        points = f"{points}, {more}"
    visits = ngettext("%(count)s visit, %(rate)s a month", "%(count)s visits, %(rate)s a month", purchases.count)
    rate = {"count": shown(purchases.count, "number"), "rate": shown(purchases.per_month, "decimal")}
    all_visits = visits % rate if purchases.count else _("No visits yet")
    return [
        Tile(_("Spend since joining"), purchases.spend, "money", note=all_visits),
        Tile(_("Points balance"), member.points_balance, note=points),
        Tile(_("Card scans"), report.total_scans, note=_where(report)),
    ]


def _where(report: Engagement) -> str:
    """The cities in which the card was scanned, as far as a tile has room."""
    cities = report.cities or []
    named = cities[:CITIES]
    if len(cities) > CITIES:
        named.append(_("%(count)s more") % {"count": shown(len(cities) - CITIES, "number")})
    return _("Scanned in %(cities)s") % {"cities": ", ".join(named)} if cities else ""


def _habits(report: Engagement, dishes: Sequence[Dish]) -> list[Tile]:
    """On which weekday and at which hour they come, by their latest visits, and what they have."""
    visits = [timezone.localtime(bought.created_at) for bought in report.transactions if bought.order_total]
    tiles = [
        _usual(_("Usual day"), [str(WEEKDAYS[visit.weekday()]) for visit in visits]),
        _usual(_("Usual hour"), [clock(visit.hour) for visit in visits]),
    ]
    if dishes:
        tiles.append(Tile(_("Orders most"), dishes[0].name, "text", note=_how_often(dishes), url=dishes[0].report))
    return [tile for tile in tiles if tile]


def _how_often(dishes: Sequence[Dish]) -> str:
    """Each of the others on its own line: names may have commas."""
    counts = {"count": shown(dishes[0].times, "number"), "all": shown(dishes[0].orders, "number")}
    first = _("%(count)s of the latest %(all)s orders")
    if len(dishes) > 1 and dishes[1].times == dishes[0].times:
        first = _("%(count)s of the latest %(all)s orders, as often as:")
    others = [
        _("%(dish)s (%(count)s)") % {"dish": dish.name, "count": shown(dish.times, "number")} for dish in dishes[1:]
    ]
    return "\n".join([first % counts, *others])


def _usual(label: str, visits: list[str]) -> Tile | None:
    """Return None for few visits, and where no day or hour has more of them than the others."""
    most = Counter(visits).most_common(2)
    counts = [count for _name, count in most]
    if len(visits) < HABIT or len(set(counts)) < len(counts):
        return None
    note = _("%(count)s of the latest %(all)s visits") % {
        "count": shown(counts[0], "number"),
        "all": shown(len(visits), "number"),
    }
    return Tile(label, most[0][0], "text", note=note)


def _notes() -> list[str]:
    """Return the notes of the CSV."""
    return [
        _("Visits and spend cover the latest %(count)s transactions.") % {"count": LATEST},
        _("Every time points are earned counts as a visit, including the sign-up bonus."),
        _("The average order is spend divided by visits."),
        _("Visits per month are those of the days since the first of these transactions, or since joining."),
        _("A month is 30 days; newer members count as one month."),
        _("Repeat scans count."),
    ]


def _sentence(purchases: Purchases) -> str:
    if not purchases.count:
        return _("No visits yet.")
    visits = with_count(ngettext("%(count)s visit", "%(count)s visits", purchases.count), purchases.count)
    amount = shown(purchases.average, "money")
    return clauses(_("%(visits)s, %(amount)s a visit on average") % {"visits": visits, "amount": amount})


def _seen(report: Engagement) -> str:
    """The date, and how many dates ago it was."""
    last = report.member.last_activity_at
    if last is None:
        return _("No activity yet")
    days = (timezone.localdate(report.until) - timezone.localdate(last)).days
    ago = with_count(ngettext("%(count)s day ago", "%(count)s days ago", days), days)
    when = ago if days > 1 else _("yesterday") if days == 1 else _("today")
    return _("Last active %(date)s, %(when)s") % {"date": shown(last, "date"), "when": when}


def _written(letter: WinBackEmail | None) -> str:
    if letter is None:
        return _("Never written to")
    return _("Last written to %(date)s: %(letter)s") % {
        "date": shown(letter.written_at, "date"),
        "letter": str(OFFERS[letter.offer]),
    }


def _mail(member: Member, letter: WinBackEmail | None, target: Target | None, now: datetime) -> str:
    """Opens a message to them, with the suggestion to whoever is to be won back, as their list has it.

    Empty for who has not agreed to get any, or had one lately.
    """
    if not member.offers_agreed_at or (letter is not None and letter.written_at > now - WinBackEmail.PAUSE):
        return ""
    return targets.mail(target, suggested()) if target else mailto(member.email)


def _months(months: list[Month]) -> Table:
    labels = [_label(month.first, months[0].first) for month in months]
    return replace(_by_month(months), plot=Plot(running=len(months) - 1, labels=labels))


def _label(month: date, first: date) -> MonthLabel:
    """The first month has its year, too, unless the next year's stands beside it."""
    has_year = month.month == 1 or (month == first and month.month < 12)
    name, letter = (format_date(month, pattern, locale=locale()) for pattern in ("LLL", "LLLLL"))
    return MonthLabel(name, letter, year=str(month.year) if has_year else "")


def _by_month(months: list[Month]) -> Table:
    rows = [[format_skeleton("yMMM", month.first, locale=locale()), month.spend, month.count] for month in months]
    columns = [Column(_("Month")), Column(_("Spend"), "money"), Column(_("Purchases"), "number")]
    return Table(_("Spend by month"), columns, rows)


def _activity(report: Engagement, *, may_see_entries: bool) -> Table:
    columns = [
        Column(_("Time"), "time"), Column(_("Type")), Column(_("Description")),
        Column(_("Points"), "signed", is_lead=True), Column(_("Order total"), "money"), Column(_("Location")),
    ]  # fmt: skip
    rows = [
        [
            line.created_at, str(TYPES[line.type]), line.local_description, line.points,
            "" if line.order_total is None else line.order_total, _elsewhere(line),
        ]
        for line in report.recent
    ]  # fmt: skip
    note = _("Latest %(count)s transactions.") % {"count": RECENT} if len(report.transactions) > RECENT else ""
    links = [order_url(line.idempotency_key) or (_entry(line) if may_see_entries else "") for line in report.recent]
    return Table(_("Recent activity"), columns, rows, links=links, note=note, empty=_("No activity on this card yet."))


def _entry(transaction: PointTransaction) -> str:
    return reverse("admin:loyalty_pointtransaction_change", args=[transaction.pk])


def _elsewhere(transaction: PointTransaction) -> str:
    """The location, unless the description names it."""
    name = transaction.location.name if transaction.location else ""
    return "" if name in transaction.local_description else name


def _cities(report: Engagement) -> Table:
    rows = [[city] for city in report.cities or []]
    empty = _("No scans with a known city.") if report.scans else report.warnings[0]
    return Table(_("Where the card was scanned"), [Column(_("City"))], rows, empty=empty)
