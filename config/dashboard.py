"""The admin's first page: today in a few figures, what a manager should act on, and what was changed last. What cannot
wait, such as calls and dockets, is in the header of every page.

Every number is of a small table, or found by an index over a bounded time. One query each, for who may see it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Model, Q, Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config import admin_words, dashboard_trends, queries
from config.groups import MANAGE_STAFF
from loyalty.models import Redemption
from loyalty.rewards.services.redemptions import VALIDITY
from restaurant.billing.queries import with_due
from restaurant.models import WITHOUT_PICTURE, MenuItem, TableSession, sold_out_at
from restaurant.ordering.queries import counted
from restaurant.reports.dashboard import by_time
from restaurant.reports.dashboard.page import by_time as sales_by_hour
from restaurant.reports.views import Report
from restaurant.tables.queries import count_tables
from web.reporting import Table, days, same_day_last_week
from web.templatetags.money import format_money
from web.templatetags.reports import difference, shown
from web.windows import today

CHANGES = 8
NAMED = 3  # in a tile
LINES = 4  # of names in a tile
UNUSED_AFTER = timedelta(days=60)  # an account in which nobody has signed in for so long


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    value: str
    url: str
    note: str = ""
    direction: str = ""  # up or down, by `percent`; empty where nothing can be said
    percent: str = ""
    against: str = ""  # what it is compared with
    trend: list[dict[str, int]] = field(default_factory=list)  # the bars of `dashboard_trends`
    trend_words: str = ""  # what they count
    names: list[str] = field(default_factory=list)  # what `value` counts, as far as there is room


@dataclass(frozen=True, slots=True)
class Task:
    """Something to act on: what is so, and the page where it is changed. `is_urgent`: it costs money to wait."""

    sentence: str
    action: str
    url: str
    is_urgent: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    name: str
    words: str
    who: str
    at: datetime
    url: str


@dataclass(frozen=True, slots=True)
class Today:
    """`hours`: sales by hour beside those of a week ago, None without any."""

    figures: list[Figure]
    tasks: list[Task]
    changes: list[Change]
    hours: Table | None = None


def read(user: Any, models: list[type[Model]]) -> Today:
    """As far as `user` may see it, and the changes of these models."""
    now = timezone.now()
    menu = _menu(now) if user.has_perm("restaurant.view_menuitem") else None
    waiting = _rewards_waiting(now) if user.has_perm("loyalty.view_redemption") else None
    sees_parties = user.has_perm("restaurant.view_tablesession") or user.has_perm(Report.access)
    parties = _parties(now) if sees_parties else []
    figures = [*_service(user, now, parties), *_of_menu(menu), *_of_rewards(waiting, now)]
    bills = _unpaid_bills(parties, now) if user.has_perm(Report.access) else []
    tasks = [*bills, *_menu_tasks(menu), *_other_tasks(user, now)]
    return Today(figures, tasks, _changes(models), _hours(now) if user.has_perm(Report.access) else None)


def _list(model: str, query: str = "") -> str:
    return f"{reverse(f'admin:{model}_changelist')}{query}"


def _hours(now: datetime) -> Table | None:
    """As the overview of the reports has it, but a week ago until this time alone: so it adds up to what the tile of
    the orders is compared with."""
    period = today(now, _zone())
    until_now = Q(created_at__gte=days(now, _zone()).began) | Q(created_at__range=same_day_last_week(now, _zone()))
    parts = by_time(period, until_now)
    if not any(part.orders or part.orders_before for part in parts):
        return None
    table = sales_by_hour(parts, period)
    return replace(table, plot=replace(table.plot, legend=_("A week ago by this time")))


# --- figures ----------------------------------------------------------------------------------------


def _service(user: Any, now: datetime, parties: list[Any]) -> Iterator[Figure]:
    trend = dashboard_trends.of_service(now) if user.has_perm("restaurant.view_order") else {}
    if user.has_perm("restaurant.view_order"):
        began = timezone.localtime(days(now, _zone()).began)
        found = _orders(began, now)
        query = f"?created_at__day={began.day}&created_at__month={began.month}&created_at__year={began.year}"
        note = _("%(money)s so far") % {"money": format_money(found["revenue"])}
        change = _against(found, now)
        orders = shown(found["number"], "number")
        yield Figure(
            _("Orders today"),
            orders,
            _list("restaurant_order", query),
            note,
            *change,
            trend["orders"],
            _("Orders in %(days)d days") % {"days": dashboard_trends.DAYS},
        )
    if user.has_perm("restaurant.view_tablesession"):
        numbers = sorted({party.table.table_number for party in parties if party.is_open})
        words = ngettext("Table %(tables)s", "Tables %(tables)s", len(numbers)) % {"tables": _first(map(str, numbers))}
        url = _list("restaurant_tablesession", "?state=open")
        note = words if numbers else _("right now")
        yield Figure(
            _("Open tables"),
            shown(len(numbers), "number"),
            url,
            note,
            trend=trend.get("parties", []),
            trend_words=_("Parties in %(days)d days") % {"days": dashboard_trends.DAYS},
        )


def _zone() -> ZoneInfo:
    return ZoneInfo(settings.TIME_ZONE)


def _orders(began: datetime, now: datetime) -> dict[str, Any]:
    """Today's number and sum, and the sums of the same weekday last week and of yesterday until this time."""
    today, before = Q(created_at__range=(began, now)), Q(created_at__range=same_day_last_week(now, _zone()))
    bounds = days(now, _zone())
    yesterday = Q(created_at__range=(bounds.before, bounds.until))
    nothing = Decimal("0.00")
    return (
        counted.orders()
        .filter(today | before | yesterday)
        .aggregate(
            number=Count("pk", filter=today),
            revenue=Sum("total", filter=today, default=nothing),
            before=Sum("total", filter=before, default=nothing),
            yesterday=Sum("total", filter=yesterday, default=nothing),
        )
    )


def _against(found: dict[str, Any], now: datetime) -> tuple[str, str, str]:
    """The same weekday last week; yesterday, where nothing was sold on it."""
    direction, percent = difference(found["revenue"], found["before"] or found["yesterday"])
    if direction not in {"up", "down"}:
        return "", "", ""
    if not found["before"]:
        return direction, percent, _("than yesterday by this time")
    weekday = date_format(timezone.localtime(now), "l")
    return direction, percent, _("than last %(day)s by this time") % {"day": weekday}


def _parties(now: datetime) -> list[Any]:
    """The sessions since yesterday that are open, or of which something is `due`."""
    since = TableSession.objects.filter(started_at__gte=days(now, _zone()).before)
    is_open = Q(pk__in=TableSession.objects.open(now).values("pk"))
    return list(with_due(since).filter(is_open | Q(due__gt=0)).select_related("table"))


def _first(names: Iterable[str]) -> str:
    """Those that a tile has room for, and how many more there are."""
    all_names = list(names)
    more = [f"+{len(all_names) - NAMED}"] if len(all_names) > NAMED else []
    return ", ".join([*all_names[:NAMED], *more])


def _some(names: list[str]) -> list[str]:
    """As many as a tile has lines for, and how many more there are."""
    return (
        names
        if len(names) <= LINES
        else [*names[: LINES - 1], _("%(number)d more") % {"number": len(names) - LINES + 1}]
    )


def _menu(now: datetime) -> dict[str, Any]:
    """How many dishes there are, of how many something is missing, and the names of those that are sold out."""
    return MenuItem.objects.aggregate(
        total=Count("pk"),
        sold_out=ArrayAgg("name", filter=sold_out_at(now), order_by="name", default=[]),
        without_picture=Count("pk", filter=WITHOUT_PICTURE),
    )


def _of_menu(menu: dict[str, Any] | None) -> Iterator[Figure]:
    if menu is not None:
        names = menu["sold_out"]
        of_all = ngettext("of %(number)s dish", "of %(number)s dishes", menu["total"]) % {
            "number": shown(menu["total"], "number")
        }
        url = _list("restaurant_menuitem", "?available__exact=0")
        yield Figure(_("Sold out"), shown(len(names), "number"), url, of_all, names=_some(names))


def _rewards_waiting(now: datetime) -> int:
    """Codes that a member may still show at the till. By the index on the time they were made."""
    made = Redemption.objects.filter(created_at__gt=now - VALIDITY)
    return made.usable_at(now).count()


def _of_rewards(waiting: int | None, now: datetime) -> Iterator[Figure]:
    if waiting is not None:
        url, trend = _list("loyalty_redemption", "?state=active"), dashboard_trends.of_rewards(now)
        yield Figure(
            _("Rewards"),
            shown(waiting, "number"),
            url,
            _("not yet used"),
            trend=trend,
            trend_words=_("Chosen in %(days)d days") % {"days": dashboard_trends.DAYS},
        )


# --- what to act on ---------------------------------------------------------------------------------


def _menu_tasks(menu: dict[str, Any] | None) -> Iterator[Task]:
    if menu is None:
        return
    if not menu["total"]:
        yield Task(_("The menu is empty."), _("Add a dish"), reverse("admin:restaurant_menuitem_add"))
    number = menu["without_picture"]
    if number:
        words = ngettext("%(number)s dish has no picture.", "%(number)s dishes have no picture.", number)
        yield Task(
            words % {"number": shown(number, "number")}, _("Add pictures"), _list("restaurant_menuitem", "?picture=no")
        )


def _other_tasks(user: Any, now: datetime) -> Iterator[Task]:
    if user.has_perm("restaurant.add_table"):
        yield from _cards()
    if user.has_perm(MANAGE_STAFF):
        yield from _unused_accounts(now)


def _unpaid_bills(parties: list[Any], now: datetime) -> Iterator[Task]:
    """Of parties that are gone. Those that still sit at their table will pay."""
    bounds = days(now, _zone())
    left = [party for party in parties if party.due > 0 and not party.is_open]
    today = [party for party in left if party.started_at >= bounds.began]
    yesterday = [party for party in left if party.started_at < bounds.began]
    if today:
        words = _("Table %(table)s left without paying"), _("%(number)s parties left without paying")
        yield _bills(words, today, bounds.began)
    if yesterday:
        words = (
            _("Table %(table)s left yesterday without paying"),
            _("%(number)s parties left yesterday without paying"),
        )
        yield _bills(words, yesterday, bounds.before)


def _bills(words: tuple[str, str], parties: list[Any], began: datetime) -> Task:
    """One leads to its bill, more to their day. `words`: for one and for more."""
    of_one, of_more = words
    due = format_money(sum((party.due for party in parties), Decimal(0)))
    if len(parties) == 1:
        [party] = parties
        sentence = f"{of_one % {'table': party.table.table_number}}: {due}."
        return Task(sentence, _("Open the bill"), party.bill_url, is_urgent=True)
    url = f"{reverse('report_day')}?date={timezone.localtime(began).date().isoformat()}"
    sentence = f"{of_more % {'number': shown(len(parties), 'number')}}: {due}."
    return Task(sentence, _("Look at the day"), url, is_urgent=True)


def _cards() -> Iterator[Task]:
    number = queries.tables_without_card()
    if number:
        words = ngettext("%(number)d table has no printed card.", "%(number)d tables have no printed card.", number)
        yield Task(words % {"number": number}, _("Print cards"), reverse("table_cards"))
    elif number := count_tables(since=None).without_code:
        words = ngettext("%(number)d table has no QR code.", "%(number)d tables have no QR code.", number)
        yield Task(words % {"number": number}, _("Look at the tables"), _list("restaurant_table", "?code=no"))


def _unused_accounts(now: datetime) -> Iterator[Task]:
    since = now - UNUSED_AFTER
    unused = Q(last_login__lt=since) | Q(last_login=None, date_joined__lt=since)
    number = User.objects.filter(unused, is_active=True, is_superuser=False).count()
    if number:
        words = ngettext(
            "%(number)d person has not signed in for two months.",
            "%(number)d people have not signed in for two months.",
            number,
        )
        yield Task(words % {"number": number}, _("Look at the staff"), reverse("staff"))


# --- what was changed last --------------------------------------------------------------------------


def _changes(models: list[type[Model]]) -> list[Change]:
    """By everybody. The key's index has them in their order."""
    types = ContentType.objects.get_for_models(*models).values()
    latest = LogEntry.objects.filter(content_type__in=types).select_related("user", "content_type").order_by("-pk")
    return [_change(entry) for entry in latest[:CHANGES]]


def _change(entry: LogEntry) -> Change:
    url = "" if entry.is_deletion() else entry.get_admin_url() or ""
    words = _("Deleted.") if entry.is_deletion() else entry.get_change_message()
    who = entry.user.get_short_name() or entry.user.get_username()
    model = entry.content_type.model_class() if entry.content_type else None
    page = admin_words.words(model._meta) if model else None
    # What there is one of is called as its page is.
    name = str(page.title) if page and page.is_single else entry.object_repr
    return Change(name, words, who, entry.action_time, url)
