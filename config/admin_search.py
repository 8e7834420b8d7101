"""The search over the whole admin: its pages by their names, and rows as the searches of their own lists find them.

So it takes the indexes that the lists take, and reads no more rows of a kind than a page of its list has. Of these the
best come first; a list's order decides between equals.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.contrib.admin import AdminSite, ModelAdmin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config import reports, shell
from config.admin_lists import few_words
from config.views.reports import Reports
from loyalty.models import Member, Redemption
from loyalty.rewards.queries.redemptions import normalized_code
from qrservice import addresses, purposes
from qrservice.models import STANDING, Code
from restaurant.models import Order, Table
from web.admin import change_url
from web.templatetags.moments import recent_words
from web.templatetags.money import format_money
from web.templatetags.reports import shown

MOST = 5  # of a kind
READ = 50  # of a kind, among which the best are found
AROUND = 30  # characters before and after what was found
_SHORTEST_IN_CODES = 3  # characters: an address has every letter


@dataclass(frozen=True, slots=True)
class Hit:
    title: str
    about: str
    url: str
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """`number` is how many there are, or more than READ; `more` leads to the list with the same search, where there
    are more than `hits`."""

    title: str
    hits: list[Hit]
    number: int
    more: str = ""

    @property
    def count(self) -> str:
        """Beside the title. Pages have no list that would show the others."""
        if self.number > READ:
            return _("over %(number)d") % {"number": READ}
        if self.number > len(self.hits) and not self.more:
            return _("%(shown)d of %(number)d") % {"shown": len(self.hits), "number": self.number}
        return str(self.number)

    @property
    def more_words(self) -> str:
        if self.number > READ:
            return _("Show all in %(title)s, over %(number)d") % {"title": self.title, "number": READ}
        return _("Show all %(number)d in %(title)s") % {"title": self.title, "number": self.number}


def _nothing(_row: Any) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Kind:
    """`also` is what else the list's search reads: it is shown where nothing else that is shown has the text. Rows
    without `has_name` are called by numbers or codes."""

    label: str
    about: Callable[[Any], str]
    related: str = ""
    title: Callable[[Any], str] = str
    also: Callable[[Any], str] = _nothing
    has_name: bool = True


def _of_order(order: Any) -> str:
    return f"{order.table} · {recent_words(order.created_at)} · {format_money(order.total)}"


def _of_redemption(redemption: Redemption) -> str:
    return f"{redemption.reward} · {redemption.customer}"


def _points(reward: Any) -> str:
    return _("%(points)s points") % {"points": shown(reward.points_required, "number")}


_KINDS = (
    Kind("loyalty.member", lambda member: "" if member.erased_at else member.email),
    Kind("restaurant.table", lambda table: table.section),
    Kind(
        "restaurant.menuitem",
        lambda item: f"{item.category_name} · {format_money(item.price)}",
        also=lambda item: item.description,
    ),
    Kind("restaurant.category", lambda category: str(category.station or ""), "station"),
    Kind(
        "restaurant.optiongroup",
        _nothing,
        also=lambda group: ", ".join(choice.name for choice in group.choices.all()),  # its list reads them with it
    ),
    Kind("loyalty.reward", _points, also=lambda reward: reward.description),
    Kind("loyalty.location", lambda location: location.address),
    # After what has a name: the numbers of orders are random, and many begin with two letters.
    Kind("restaurant.order", _of_order, "table", lambda order: order.called, has_name=False),
    Kind("loyalty.redemption", _of_redemption, "reward", has_name=False),
    Kind(
        "qrservice.code",
        lambda code: urlsplit(addresses.short_url(code.slug)).path,
        title=lambda code: code.name,
        has_name=False,
    ),
)


def find(request: HttpRequest, site: AdminSite, text: str) -> list[Group]:
    """What this user may see of what the text finds."""
    text = few_words(" ".join(text.replace("\0", "").split()))
    if not any(map(str.isalnum, text)):
        return []
    pages = {model["model"]._meta.label_lower: model for model in _models(request, site) if model["admin_url"]}
    rank = _rank(text)
    of_pages = sorted(_pages(request, site, text), key=lambda hit: rank(hit.title))
    kinds = [kind for kind in _KINDS if kind.label in pages]
    groups = [_rows(request, site, kind, pages[kind.label], text) for kind in kinds]
    # Pages that have the text in their descriptions alone are hardly what is looked for: they follow what has a name.
    is_named = any(rank(hit.title) < _UNNAMED for hit in of_pages)
    named = sum(kind.has_name for kind in kinds)
    groups.insert(0 if is_named else named, Group(_("Pages"), of_pages[:MOST], len(of_pages)))
    return [group for group in groups if group.hits]


def total_words(groups: list[Group]) -> str:
    """How many were found of all kinds; empty where nothing was."""
    total = sum(min(group.number, READ) for group in groups)
    if not total:
        return ""
    if any(group.number > READ for group in groups):
        return _("over %(number)d results") % {"number": total}
    return ngettext("%(number)d result", "%(number)d results", total) % {"number": total}


def _models(request: HttpRequest, site: AdminSite) -> list[dict[str, Any]]:
    return [model for section in site.get_app_list(request) for model in section["models"]]


# --- pages ------------------------------------------------------------------------------------------


def _pages(request: HttpRequest, site: AdminSite, text: str) -> Iterator[Hit]:
    """Those of which the title or the description has the text; one that adds something, the title."""
    sought = text.casefold()
    for hit in _all_pages(request, site):
        if sought in f"{hit.title}\n{hit.about}".casefold():
            yield hit
    for model in _models(request, site):
        add = str(model["words"].add)
        if model["add_url"] and sought in add.casefold():
            yield Hit(add, "", model["add_url"], model["object_name"].lower())


def _all_pages(request: HttpRequest, site: AdminSite) -> Iterator[Hit]:
    for model in _models(request, site):
        if model["admin_url"]:
            words = model["words"]
            yield Hit(str(words.title), str(words.about), model["admin_url"], model["object_name"].lower())
    for place in shell.nav_items(request.user):
        if place.name != "admin":
            yield Hit(place.title, place.about, place.url, place.name)
    lists = zip(Reports.access, (reports.restaurant_reports, reports.loyalty_reports), strict=True)
    for permission, entries in lists:
        for entry in entries() if request.user.has_perm(permission) else []:
            yield Hit(entry.title, entry.about, entry.url, "reports")


_UNNAMED = 3


def _rank(text: str) -> Callable[[str], int]:
    """Of titles: those that begin with the text, those with a word that does, those that have it, and the others."""
    sought = text.casefold()

    def rank(title: str) -> int:
        words = title.casefold().lstrip("#")  # orders are called #1A2B3C
        if words.startswith(sought):
            return 0
        return 1 if f" {sought}" in words else 2 if sought in words else _UNNAMED

    return rank


# --- rows -------------------------------------------------------------------------------------------


def _rows(request: HttpRequest, site: AdminSite, kind: Kind, page: dict[str, Any], text: str) -> Group:
    model: type[Model] = page["model"]
    if model in (Table, Order):
        text = _without_table(text)
    by_code, others = _found(request, site.get_model_admin(model), text)
    rank = _rank(text)
    best = [*by_code, *sorted(others, key=lambda row: rank(str(kind.title(row))))][:MOST]
    icon = model._meta.model_name or ""
    hits = [Hit(str(kind.title(row)), _about(kind, row, text), change_url(row), icon) for row in best]
    number = len(by_code) + len(others)
    more = f"{page['admin_url']}?{urlencode({'q': text})}" if number > MOST else ""
    return Group(str(page["words"].title), hits, number, more)


def _about(kind: Kind, row: Any, text: str) -> str:
    """With the part of what else was searched that has the text, where nothing else that is shown has it."""
    about = kind.about(row)
    shown_words = f"{kind.title(row)}\n{about}".casefold()
    parts = [part for part in text.split() if part.casefold() not in shown_words]
    return " · ".join(filter(None, [about, _excerpt(kind.also(row), parts[0]) if parts else ""]))


def _excerpt(text: str, part: str) -> str:
    """Some words around the first place that has `part`; empty where none has it."""
    place = text.casefold().find(part.casefold())
    if place < 0:
        return ""
    begins = text.rfind(" ", 0, max(0, place - AROUND)) + 1 if place > AROUND else 0
    ends = place + len(part) + AROUND
    cut = text[begins:] if ends >= len(text) else text[begins:ends].rpartition(" ")[0] or text[begins:ends]
    return f"{'…' if begins else ''}{cut}{'' if begins + len(cut) >= len(text) else '…'}"


def _found(request: HttpRequest, admin: ModelAdmin, text: str) -> tuple[list[Any], list[Any]]:
    """The rows that have this code, and those that the list's search finds."""
    by_code = _by_code(admin.model, text)
    return _named(by_code), _named([row for row in _searched(request, admin, text)[: READ + 1] if row not in by_code])


def _searched(request: HttpRequest, admin: ModelAdmin, text: str) -> Any:
    rows: QuerySet[Any] = admin.get_queryset(request)
    if admin.model is Redemption:
        return []  # by their codes alone: their members are found as such
    if admin.model is Code:
        # Those of persons, of whom there may be a million, by their whole code alone.
        if len(text) < _SHORTEST_IN_CODES:
            return []
        rows = Code.objects.filter(STANDING)
    found, may_repeat = admin.get_search_results(request, rows, text)
    if may_repeat:
        found = rows.filter(pk__in=found.order_by().values("pk"))
    related = [kind.related for kind in _KINDS if kind.label == admin.opts.label_lower and kind.related]
    sorted_rows = found.order_by(*(admin.get_ordering(request) or admin.opts.ordering or ["pk"]))
    return sorted_rows.select_related(*related) if related else sorted_rows


def _by_code(model: type[Model], text: str) -> list[Any]:
    if model is Redemption:
        code = normalized_code(text)
        return list(Redemption.objects.filter(redemption_code=code).select_related("reward", "customer"))
    if model not in (Code, Member):
        return []
    slug = addresses.normalise_slug(text.rsplit("/", 1)[-1])
    codes = list(Code.objects.filter(slug=slug)) if addresses.is_slug(slug) else []
    if model is Code:
        return codes
    owners = purposes.of([code.target for code in codes]).values()
    return [purpose.row for purpose in owners if isinstance(purpose.row, Member)]


def _without_table(text: str) -> str:
    """Of tables and orders, whose lists know a table by its number."""
    word, _space, number = text.rpartition(" ")
    return number if word.casefold() == _("Table").casefold() and number.isdecimal() else text


def _named(rows: list[Any]) -> list[Any]:
    """Codes get the name of what they are for."""
    codes = [row for row in rows if isinstance(row, Code)]
    found = purposes.of([code.target for code in codes])
    for code in codes:
        purpose = found.get(code.target)
        code.name = purpose.name if purpose else code.target  # type: ignore[attr-defined]
    return rows
