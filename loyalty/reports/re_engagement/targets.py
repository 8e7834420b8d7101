"""Members to win back, as the page lists them and as the file has them."""

from collections.abc import Callable

from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty.reports import links, tier_name
from loyalty.reports.re_engagement import OFFERS, Target
from web.choices import Choice, with_parameter
from web.mailto import mailto
from web.reporting import Column, Table, with_count
from web.templatetags.reports import shown

ROWS = 25  # of a page of the list

# Which members the list has.
SHOWN: dict[str, tuple[Promise, Callable[[Target], bool]]] = {
    "": (gettext_lazy("To write to"), lambda target: target.can_be_noted),
    "agreed": (gettext_lazy("May be written to"), lambda target: target.is_agreed),
    "written": (gettext_lazy("Written"), lambda target: target.letter is not None),
    "all": (gettext_lazy("Everybody"), lambda target: True),
}


def in_choice(rows: list[Target], offer: str, shown: str) -> list[Target]:
    """`offer`: empty for all. `shown`: of SHOWN."""
    _label, is_shown = SHOWN[shown]
    return [target for target in rows if is_shown(target) and (not offer or target.offer == offer)]


def offer_choices(rows: list[Target], chosen: str, shown: str, parameters: QueryDict) -> list[Choice]:
    every = {"": _("Every offer")} | {offer: str(label) for offer, label in OFFERS.items()}
    counts = {offer: len(in_choice(rows, offer, shown)) for offer in every}
    return [
        _choice(label, counts[offer], with_parameter(parameters, "offer", offer), offer == chosen)
        for offer, label in every.items()
        if counts[offer] or offer == chosen
    ]


def shown_choices(rows: list[Target], offer: str, chosen: str, parameters: QueryDict) -> list[Choice]:
    counts = {name: len(in_choice(rows, offer, name)) for name in SHOWN}
    return [
        _choice(str(label), counts[name], with_parameter(parameters, "shown", name), name == chosen)
        for name, (label, _is_shown) in SHOWN.items()
    ]


def _choice(label: str, count: int, query: str, is_chosen: bool) -> Choice:
    return Choice(f"{label} {shown(count, 'number')}", query, is_chosen)


def listed(rows: list[Target], messages: dict[str, str], note: str) -> Table:
    """Return the page's table. The fourth column has the targets themselves: what is noted of them, or can be."""
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
    ages = [(timezone.localdate(target.until) - timezone.localdate(target.last_activity_at)).days for target in rows]
    away = {age: _away(age) for age in set(ages)}  # a few, of a thousand members
    return Table(
        _("Members to contact"),
        columns,
        [
            [
                target.name, target.last_activity_at, offers[target.offer], target,
                target.points_balance, target.lifetime_points,
            ]
            for target in rows
        ],
        links=links(target.id for target in rows),
        mails=[mail(target, messages) for target in rows],
        ages=[away[age] for age in ages],
        sort="-lifetime",
        anchor="targets-title",
        rows_of_a_page=ROWS,
        note=note,
        empty=_("Nobody."),
    )  # fmt: skip


def _away(days: int) -> str:
    return with_count(ngettext("%(count)s day ago", "%(count)s days ago", days), days)


def mail(target: Target, messages: dict[str, str]) -> str:
    """Opens a message to them, with what is suggested in it. Whoever sends it can change it first.

    `messages`: by offer, those that have an amount; the others name the member's points.

    Empty for who has not agreed to get any.
    """
    if not target.is_agreed:
        return ""
    return mailto(target.email, body=messages.get(target.offer, target.message))


def everybody(rows: list[Target], count: int) -> Table:
    """Return the file's table: everybody, with the suggestion to each."""
    columns = [
        Column(_("Member")), Column(_("Email")), Column(_("Last active"), "date"), Column(_("Offer")),
        Column(_("Message")), Column(_("Offers by email")), Column(_("Tier")), Column(_("Points"), "number"),
        Column(_("Lifetime points"), "number"), Column(_("Written"), "date"), Column(_("Offer written")),
    ]  # fmt: skip
    tiers = {tier: tier_name(tier) for tier in {target.tier for target in rows}}
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
                target.name, target.email, target.last_activity_at, offers[target.offer],
                target.message, agreed[target.is_agreed], tiers[target.tier],
                target.points_balance, target.lifetime_points,
                target.letter.written_at if target.letter else "", target.letter_label,
            ]
            for target in rows
        ],
        note=note if left_out > 0 else "",
        empty=_("No members to win back right now."),
    )  # fmt: skip
