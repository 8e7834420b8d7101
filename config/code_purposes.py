"""The purposes of QR codes, by the page of this project that their target opens."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Model
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from loyalty.models import Location, Member, Redemption
from loyalty.rewards.queries.redemptions import state_of
from qrservice.purposes import Purpose
from restaurant.models import Table
from web.fields import is_uuid

PAGES = {"menu", "member", "use", "checkin"}  # names of URLs
LONGEST_NUMBER = 9  # digits that the column of table numbers can hold

# The URL's name, and its argument.
Page = tuple[str, str]


def read(targets: Sequence[str]) -> dict[str, Purpose]:
    """Return the purposes of targets that lead to a table, a card, a reward or a check-in, in a query per kind."""
    pages = {target: page for target in targets if (page := _page(target))}
    rows = _rows(pages.values())
    return {target: _purpose(page, rows.get(page)) for target, page in pages.items()}


def _page(target: str) -> Page | None:
    if not target.startswith(f"{settings.APP_BASE_URL}/"):
        return None
    try:
        match = resolve(urlsplit(target.removeprefix(settings.APP_BASE_URL)).path)
    except Resolver404:
        return None
    return (match.url_name, *match.kwargs.values()) if match.url_name in PAGES else None


def _rows(pages: Iterable[Page]) -> dict[Page, Model]:
    """Return the tables, members, locations and redemptions of these pages, with a query for each that there is."""
    keys: dict[str, set[str]] = defaultdict(set)
    for kind, key in pages:
        keys[kind].add(key)
    numbers = [key for key in keys["menu"] if key.isascii() and key.isdecimal() and len(key) <= LONGEST_NUMBER]
    members, locations = (list(filter(is_uuid, keys[kind])) for kind in ("member", "checkin"))
    codes = [code for code in keys["use"] if "\0" not in code]
    redemptions = Redemption.objects.filter(redemption_code__in=codes).select_related("reward")
    return {
        **{("menu", str(table.table_number)): table for table in Table.objects.filter(table_number__in=numbers)},
        **{("member", str(member.pk)): member for member in Member.objects.filter(pk__in=members)},
        **{("checkin", str(location.pk)): location for location in Location.objects.filter(pk__in=locations)},
        **{("use", redemption.redemption_code): redemption for redemption in redemptions},
    }


def _purpose(page: Page, row: Model | None) -> Purpose:
    kind, key = page
    if kind == "menu":
        name, opens = _("Table %s") % key, _("the menu of this table")
        if not isinstance(row, Table):
            return Purpose(name, opens)
        cards = f"{reverse('table_cards')}?numbers={row.table_number}"
        return Purpose(name, opens, row, note=row.section, print_url=cards)
    if kind == "use":
        return _of_reward(key, row if isinstance(row, Redemption) else None)
    if kind == "checkin":
        name, opens = _("Check-in at %s") % row if row else _("Check-in"), _("the page to collect points")
        return Purpose(name, opens, row, print_url=reverse("location_cards", args=[key]) if row else "")
    opens = _("the till, or the member's own card")
    if isinstance(row, Member):
        return Purpose(_("Card of %s") % row.name, opens, row, note="")
    return Purpose(_("A member's card"), opens, row)


def _of_reward(code: str, redemption: Redemption | None) -> Purpose:
    name = _("Reward code %s") % code
    if redemption is None:
        return Purpose(name, _("the till, for %s") % _("a reward"))
    states = Redemption.Status
    state = states(state_of(redemption, timezone.now()))
    state_name = _("waiting") if state == states.ACTIVE else str(state.label)
    opens = _("the till, for %s") % redemption.reward.name
    return Purpose(name, opens, redemption, capfirst(state_name), state != states.ACTIVE)
