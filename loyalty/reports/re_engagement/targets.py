"""Members to win back, as the page lists them and as the file has them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty.messages.models import Letter
from loyalty.reports import links, tier_name
from loyalty.reports.re_engagement import Letters, ReEngagement, Target
from web.choices import Choice, with_parameter
from web.mailto import mailto
from web.reporting import Column, Table, with_count
from web.templatetags.reports import shown

ROWS = 25  # of a page of the list

OFFERS = {offer: capfirst(label) for offer, label in Letter.Offer.choices}


@dataclass(frozen=True, slots=True)
class Row:
    """A member, and the letter since they came last, if there is one."""

    target: Target
    letter: Letter | None
    now: datetime

    @property
    def is_agreed(self) -> bool:
        return self.target.offers_agreed_at is not None

    @property
    def is_at_rest(self) -> bool:
        return self.letter is not None and self.letter.written_at > self.now - Letter.REST

    @property
    def can_be_undone(self) -> bool:
        return self.letter is not None and self.letter.written_at > self.now - Letter.UNDO_WINDOW

    @property
    def can_be_noted(self) -> bool:
        return self.is_agreed and not self.is_at_rest

    @property
    def letter_offer(self) -> str:
        return str(OFFERS[self.letter.offer]) if self.letter else ""


# Which members the list has.
SHOWN: dict[str, tuple[Promise, Callable[[Row], bool]]] = {
    "": (gettext_lazy("To write to"), lambda row: row.can_be_noted),
    "agreed": (gettext_lazy("May be written to"), lambda row: row.is_agreed),
    "written": (gettext_lazy("Written"), lambda row: row.letter is not None),
    "all": (gettext_lazy("Everybody"), lambda row: True),
}


def rows_of(report: ReEngagement, letters: Letters) -> list[Row]:
    """A letter from before they came last has brought them back, or was of no use then."""
    found = []
    for each in report.targets:
        letter = letters.latest.get(each.id)
        is_since = letter is not None and letter.written_at > each.last_activity_at
        found.append(Row(each, letter if is_since else None, report.until))
    return found


def in_choice(rows: list[Row], offer: str, shown: str) -> list[Row]:
    """`offer`: empty for all. `shown`: of SHOWN."""
    _label, is_shown = SHOWN[shown]
    return [each for each in rows if is_shown(each) and (not offer or each.target.offer.type == offer)]


def offer_choices(rows: list[Row], chosen: str, shown: str, parameters: QueryDict) -> list[Choice]:
    every = {"": _("Every offer")} | {offer: str(label) for offer, label in OFFERS.items()}
    counts = {offer: len(in_choice(rows, offer, shown)) for offer in every}
    return [
        _choice(label, counts[offer], with_parameter(parameters, "offer", offer), offer == chosen)
        for offer, label in every.items()
        if counts[offer] or offer == chosen
    ]


def shown_choices(rows: list[Row], offer: str, chosen: str, parameters: QueryDict) -> list[Choice]:
    counts = {name: len(in_choice(rows, offer, name)) for name in SHOWN}
    return [
        _choice(str(label), counts[name], with_parameter(parameters, "shown", name), name == chosen)
        for name, (label, _is_shown) in SHOWN.items()
    ]


def _choice(label: str, count: int, query: str, is_chosen: bool) -> Choice:
    return Choice(f"{label} {shown(count, 'number')}", query, is_chosen)


def listed(rows: list[Row], messages: dict[str, str], note: str) -> Table:
    """As the page shows it. The fourth column has the rows themselves: what is noted of each, or can be."""
    columns = [
        Column(_("Member"), sort="member"),
        Column(_("Last active"), "date", sort="active"),
        Column(_("Offer")),
        Column(_("Written")),
        Column(_("Points"), "number", sort="points"),
        Column(_("Lifetime points"), "number", sort="lifetime"),
    ]
    offers = {offer: str(label) for offer, label in OFFERS.items()}
    # By the dates that stand above them, though the limits of the offers are full days.
    ages = [(timezone.localdate(each.now) - timezone.localdate(each.target.last_activity_at)).days for each in rows]
    away = {age: _away(age) for age in set(ages)}  # a few, of a thousand members
    return Table(
        _("Members to contact"),
        columns,
        [
            [
                each.target.name, each.target.last_activity_at, offers[each.target.offer.type], each,
                each.target.points_balance, each.target.lifetime_points,
            ]
            for each in rows
        ],
        links=links(each.target.id for each in rows),
        mails=[mail(each, messages) for each in rows],
        ages=[away[age] for age in ages],
        sort="-lifetime",
        anchor="targets-title",
        rows_of_a_page=ROWS,
        note=note,
        empty=_("Nobody."),
    )  # fmt: skip


def _away(days: int) -> str:
    return with_count(ngettext("%(count)s day ago", "%(count)s days ago", days), days)


def mail(row: Row, messages: dict[str, str]) -> str:
    """Opens a message to them, with what is suggested in it. Whoever sends it can change it first.

    `messages`: by offer, those that have an amount; the others name the member's points.

    Empty for who has not agreed to get any.
    """
    if not row.is_agreed:
        return ""
    offer = row.target.offer
    return mailto(row.target.email, body=messages.get(offer.type, offer.message))


def everybody(rows: list[Row], count: int) -> Table:
    """As the file has it: everybody, with the suggestion to each."""
    columns = [
        Column(_("Member")), Column(_("Email")), Column(_("Last active"), "date"), Column(_("Offer")),
        Column(_("Message")), Column(_("Offers by email")), Column(_("Tier")), Column(_("Points"), "number"),
        Column(_("Lifetime points"), "number"), Column(_("Written"), "date"), Column(_("Offer written")),
    ]  # fmt: skip
    tiers = {tier: tier_name(tier) for tier in {each.target.tier for each in rows}}
    offers = {offer: str(label) for offer, label in OFFERS.items()}
    agreed = {True: _("Agreed"), False: _("Not agreed")}
    left_out = count - len(rows)
    note = ngettext(
        "Top %(shown)s by lifetime points; %(count)s more is not shown.",
        "Top %(shown)s by lifetime points; %(count)s more are not shown.",
        left_out,
    ) % {"shown": shown(len(rows), "number"), "count": shown(left_out, "number")}
    return Table(
        _("Members to contact"),
        columns,
        [
            [
                each.target.name, each.target.email, each.target.last_activity_at, offers[each.target.offer.type],
                each.target.offer.message, agreed[each.is_agreed], tiers[each.target.tier],
                each.target.points_balance, each.target.lifetime_points,
                each.letter.written_at if each.letter else "", each.letter_offer,
            ]
            for each in rows
        ],
        note=note if left_out > 0 else "",
        empty=_("No members to win back right now."),
    )  # fmt: skip
