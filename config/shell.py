"""The places of staff, and what needs attention, each for who has the right to it. See `web.shell`."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.groups import MANAGE_STAFF, SET_UP
from config.views.reports import Reports
from loyalty.members.views.member_session import AWARD_POINTS
from loyalty.messages.queries import failing_mail
from restaurant.floor import queries as floor_queries
from restaurant.menu.views.availability import STAFF as AVAILABILITY
from restaurant.staff import CLOSE_SESSION, WORK_KITCHEN
from web.moments import recent_time
from web.shell import Need, Place
from web.templatetags.money import clock

MOST_NAMED = 4  # tables in a sentence
MOST_BESIDE = 3  # and in a row's first column
CALM = ("late", "ready", "left_open", "mail")  # nobody at the table has asked for it


def places(user: Any) -> list[Place]:
    """Those that `user` may open, the busiest of an evening first."""
    found = [place for place, permissions in _places() if any(user.has_perm(each) for each in permissions)]
    if user.is_active and user.is_staff:
        found.append(Place("admin", _("Admin"), _("Menu, orders, tables and members"), reverse("admin:index")))
    return found


def _places() -> Iterator[tuple[Place, tuple[str, ...]]]:
    """Each with the permissions of which one is enough: those of its view."""

    def place(name: str, title: str, about: str, *, is_main: bool = True, url: str = "") -> Place:
        return Place(name, title, about, reverse(url or name), is_main)

    yield place("floor", _("Floor"), _("Tables, calls and orders")), (CLOSE_SESSION,)
    yield place("till", _("Till"), _("Points and rewards of members")), (AWARD_POINTS,)
    yield place("kitchen", _("Kitchen"), _("What there is to cook and to serve")), (WORK_KITCHEN,)
    sold_out = _("Dishes that are off the menu")
    yield place("sold_out", _("Sold out"), sold_out, is_main=False, url="availability"), AVAILABILITY
    yield place("reports", _("Reports"), _("Sales, peak hours, menu and members")), Reports.access
    yield place("staff", _("Staff"), _("Who works here, and what they may do")), (MANAGE_STAFF,)
    cards = _("QR codes to print for the tables")
    yield place("table_cards", _("Table cards"), cards, is_main=False), ("restaurant.add_table",)
    yield place("setup", _("Setup"), _("What is left before the doors open")), (SET_UP,)


# --- what needs attention -------------------------------------------------------------------------------


def needs(user: Any) -> list[Need] | None:
    """The most urgent first; None for who works neither on the floor nor in the kitchen."""
    on_floor, in_kitchen = user.has_perm(CLOSE_SESSION), user.has_perm(WORK_KITCHEN)
    if not (on_floor or in_kitchen):
        return None
    late_after = timedelta(minutes=settings.KITCHEN_LATE_MINUTES)
    now = timezone.now()
    found = floor_queries.attention(now=now, late_after=late_after)
    of_floor, of_kitchen = ["waiter", "bill", "held"] if on_floor else [], ["late"] if in_kitchen else []
    kinds = [*of_floor, *of_kitchen, "dockets", *(["ready", "left_open"] if on_floor else [])]
    floor, kitchen = reverse("floor"), reverse("kitchen")
    urls = {"late": kitchen, "ready": f"{floor}#ready", "left_open": f"{floor}#left-open"}
    urls["dockets"] = floor if on_floor else kitchen
    needs = [_need(found[kind], urls.get(kind, f"{floor}#now")) for kind in kinds if kind in found]
    return [*needs, *_mail(now)] if user.has_perm(SET_UP) else needs


def _mail(now: datetime) -> list[Need]:
    found = failing_mail(now)
    if found is None:
        return []
    sentence = ngettext(
        "1 mail could not be sent since %(time)s", "%(count)s mails could not be sent since %(time)s", found.count
    )
    text = sentence % {"count": found.count, "time": recent_time(found.since)}
    return [Need("mail", found.count, text, f"{reverse('setup')}#step-mail", "mail" not in CALM, since=found.since)]


def _need(waiting: floor_queries.Waiting, url: str) -> Need:
    kind, count = waiting.kind, waiting.count
    tables = _first(waiting.where) if kind in ("held", "late") else ""
    return Need(kind, count, _sentence(waiting), url, kind not in CALM, tables, since=waiting.since)


def _first(tables: list[str]) -> str:
    more = " …" if len(tables) > MOST_BESIDE else ""
    return ", ".join(tables[:MOST_BESIDE]) + more


def _sentence(waiting: floor_queries.Waiting) -> str:
    names = _named(waiting.where)
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
        "held": lambda: ngettext(
            "1 order to approve: %(tables)s", "%(count)s orders to approve: %(tables)s", waiting.count
        ),
        "late": lambda: ngettext(
            "1 ticket is late: %(tables)s", "%(count)s tickets are late: %(tables)s", waiting.count
        ),
        "ready": lambda: ngettext(
            "1 order to carry: %(tables)s", "%(count)s orders to carry: %(tables)s", waiting.count
        ),
        "left_open": lambda: ngettext(
            "1 bill left open: %(tables)s", "%(count)s bills left open: %(tables)s", waiting.count
        ),
    }
    return sentences[waiting.kind]() % {"count": waiting.count, "where": names, "tables": _tables(waiting.where)}


def _tables(numbers: list[str]) -> str:
    """`table 3`, or `tables 3, 7`."""
    return ngettext("table %(names)s", "tables %(names)s", len(numbers)) % {"names": _named(numbers)}


def _named(where: list[str]) -> str:
    """`3, 7, 12, 4 …`"""
    first = ", ".join(where[:MOST_NAMED])
    return f"{first} …" if len(where) > MOST_NAMED else first
