"""The header of staff's pages: its links and what needs attention, by the user's permissions. See `web.shell`."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.groups import MANAGE_STAFF, SET_UP
from config.setup import dishes_without_station
from config.views.reports import Reports
from loyalty.members.views.member_session import AT_TILL
from loyalty.messages.queries import failing_mail
from restaurant.billing import fiscal
from restaurant.floor.queries.attention import Waiting, attention
from restaurant.menu.views.availability import STAFF as AVAILABILITY
from restaurant.staff import CLOSE_SESSION, WORK_DRAWER, WORK_KITCHEN
from web.formats import listed
from web.shell import AttentionItem, NavItem
from web.templatetags.moments import recent_time
from web.templatetags.money import clock

MOST_NAMED = 4  # tables in a sentence
MOST_BESIDE = 3  # and in a row's first column
CALM = ("late", "ready", "ready_parts", "left_open", "no_station", "mail")  # nobody at the table has asked for it


def nav_items(user: Any) -> list[NavItem]:
    """Return the pages that `user` may open, the busiest of an evening first."""
    items = [item for item, permissions in _nav_items() if any(map(user.has_perm, permissions))]
    if user.is_active and user.is_staff:
        items.append(NavItem("admin", _("Admin"), _("Menu, orders, tables and members"), reverse("admin:index")))
    return items


def _nav_items() -> Iterator[tuple[NavItem, tuple[str, ...]]]:
    """Yield items with the permissions of their views, of which one is enough."""

    def item(name: str, title: str, about: str, *, is_main: bool = True, url: str = "") -> NavItem:
        return NavItem(name, title, about, reverse(url or name), is_main)

    yield item("floor", _("Floor"), _("Tables, calls and orders")), (CLOSE_SESSION,)
    yield item("till", _("Till"), _("Points and rewards of members")), AT_TILL
    yield item("drawers", _("Drawers"), _("Cash: open, count and close")), (WORK_DRAWER,)
    yield item("kitchen", _("Kitchen"), _("What there is to cook and to serve")), (WORK_KITCHEN,)
    sold_out = _("Dishes that are off the menu")
    yield item("sold_out", _("Sold out"), sold_out, is_main=False, url="availability"), AVAILABILITY
    yield item("reports", _("Reports"), _("Sales, peak hours, menu and members")), Reports.access
    yield item("staff", _("Staff"), _("Who works here, and what they may do")), (MANAGE_STAFF,)
    cards = _("QR codes to print for the tables")
    yield item("table_cards", _("Table cards"), cards, is_main=False), ("restaurant.add_table",)
    yield item("setup", _("Setup"), _("What is left before the doors open")), (SET_UP,)


# --- what needs attention -------------------------------------------------------------------------------


def attention_items(user: Any) -> list[AttentionItem] | None:
    """Return them most urgent first; None for users who work neither on the floor nor in the kitchen."""
    on_floor, in_kitchen = user.has_perm(CLOSE_SESSION), user.has_perm(WORK_KITCHEN)
    if not (on_floor or in_kitchen):
        return None
    late_after = timedelta(minutes=settings.KITCHEN_LATE_MINUTES)
    now = timezone.now()
    waiting = attention(now=now, late_after=late_after)
    of_floor, of_kitchen = ["waiter", "bill", "reward", "held"] if on_floor else [], ["late"] if in_kitchen else []
    kinds = ["unseen", *of_floor, *of_kitchen, "dockets", *(["ready", "ready_parts", "left_open"] if on_floor else [])]
    kinds += ["no_station"] if user.has_perm(SET_UP) else []
    floor, kitchen = reverse("floor"), reverse("kitchen")
    urls = {
        "unseen": f"{floor}#now" if on_floor else kitchen,
        "late": kitchen,
        "ready": f"{floor}#ready",
        "ready_parts": f"{floor}#ready",
        "left_open": f"{floor}#left-open",
    }
    urls |= {"dockets": floor if on_floor else kitchen, "no_station": reverse("admin:restaurant_category_changelist")}
    items = [_item(waiting[kind], urls.get(kind, f"{floor}#now")) for kind in kinds if kind in waiting]
    items += _fiscal(floor if on_floor else kitchen)
    return [*items, *_mail(now)] if user.has_perm(SET_UP) else items


def _fiscal(url: str) -> list[AttentionItem]:
    unsigned = fiscal.unsigned_since()
    if unsigned is None:
        return []
    count, since = unsigned
    text = _("The fiscal device has not answered since %(time)s") % {"time": recent_time(since)}
    return [AttentionItem("fiscal", count, text, url, since=since)]


def _mail(now: datetime) -> list[AttentionItem]:
    failing = failing_mail(now)
    if failing is None:
        return []
    sentence = ngettext(
        "1 mail could not be sent since %(time)s", "%(count)s mails could not be sent since %(time)s", failing.count
    )
    text = sentence % {"count": failing.count, "time": recent_time(failing.since)}
    url = f"{reverse('setup')}#step-mail"
    return [AttentionItem("mail", failing.count, text, url, "mail" not in CALM, since=failing.since)]


def _item(waiting: Waiting, url: str) -> AttentionItem:
    kind, count = waiting.kind, waiting.count
    tables = _joined(waiting.where, MOST_BESIDE) if kind in ("held", "unseen", "late") else ""
    return AttentionItem(kind, count, _sentence(waiting), url, kind not in CALM, tables, since=waiting.since)


def _sentence(waiting: Waiting) -> str:
    names = _joined(waiting.where, MOST_NAMED)
    if waiting.kind == "dockets":
        sentence = ngettext(
            "Printer %(where)s: 1 docket waits since %(time)s",
            "Printer %(where)s: %(count)s dockets wait since %(time)s",
            waiting.count,
        )
        return sentence % {"count": waiting.count, "where": names, "time": clock(waiting.since)}
    number = len(waiting.where)
    sentences = {
        "waiter": lambda: ngettext("Table %(where)s calls", "Tables %(where)s call", number),
        "bill": lambda: ngettext("Table %(where)s wants the bill", "Tables %(where)s want the bill", number),
        "reward": lambda: ngettext("Table %(where)s uses a reward", "Tables %(where)s use rewards", number),
        "held": lambda: ngettext(
            "1 order to approve: %(tables)s", "%(count)s orders to approve: %(tables)s", waiting.count
        ),
        "unseen": lambda: ngettext(
            "1 order not seen in the kitchen: %(tables)s",
            "%(count)s orders not seen in the kitchen: %(tables)s",
            waiting.count,
        ),
        "late": lambda: ngettext(
            "1 ticket is late: %(tables)s", "%(count)s tickets are late: %(tables)s", waiting.count
        ),
        "ready": lambda: ngettext(
            "1 order to carry: %(tables)s", "%(count)s orders to carry: %(tables)s", waiting.count
        ),
        "ready_parts": lambda: ngettext(
            "A part of 1 order to carry: %(tables)s", "Parts of %(count)s orders to carry: %(tables)s", waiting.count
        ),
        "left_open": lambda: ngettext(
            "1 bill left open: %(tables)s", "%(count)s bills left open: %(tables)s", waiting.count
        ),
        "no_station": lambda: dishes_without_station(waiting.count),
    }
    return sentences[waiting.kind]() % {"count": waiting.count, "where": names, "tables": _tables(waiting.where)}


def _tables(numbers: list[str]) -> str:
    """Return such as `table 3`, or `tables 3, 7`."""
    names = _joined(numbers, MOST_NAMED)
    return ngettext("table %(names)s", "tables %(names)s", len(numbers)) % {"names": names}


def _joined(names: list[str], most: int) -> str:
    """Return such as `3, 7, 12, 4 …`, at most so many of them."""
    return listed(names[:most]) + (" …" if len(names) > most else "")
