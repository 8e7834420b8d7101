"""The page of the members to win back."""

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty.reports.pages import links, tier_name
from loyalty.reports.re_engagement import MESSAGES, ReEngagement, Target
from web.choices import Choice
from web.reporting import PageData, Table, clauses, grouped, table_of, tile

MAILTO = 2000  # characters: a longer address is cut by some mail programs

OFFERS = {
    "reminder": gettext_lazy("Points reminder"),
    "bonus_points": gettext_lazy("Bonus points"),
    "discount": gettext_lazy("Discount"),
}


# Who is meant, and what all of them can be written at once.
LETTERS = {
    "reminder": (
        gettext_lazy("From 500 points"),
        gettext_lazy("You have points on your card. Come in and treat yourself to a reward."),
    ),
    "bonus_points": (gettext_lazy("Under 500 points, away for more than 90 days"), MESSAGES["bonus_points"]),
    "discount": (gettext_lazy("Under 500 points, away for up to 90 days"), MESSAGES["discount"]),
}


@dataclass(frozen=True, slots=True)
class Letter:
    """To all with one offer who agree to get some.

    `mailto` is empty where there are too many for a mail program: they are copied.
    """

    offer: str
    label: str
    rule: str
    message: str
    count: int
    addresses: list[str]
    hint: str  # what the message leaves open

    @property
    def recipients(self) -> str:
        return ", ".join(self.addresses)

    @property
    def mailto(self) -> str:
        link = f"mailto:?bcc={quote(','.join(self.addresses), safe='@,')}&body={quote(self.message)}"
        return link if len(link) <= MAILTO else ""


def page(report: ReEngagement, counts: dict[str, int], offer: str = "") -> PageData:
    """`counts`: all members by offer. `offer`: of which the page lists the members; else all."""
    offer = offer if offer in OFFERS else ""
    table = _targets(report.targets, sum(counts.values()))
    letters = [_letter(offer, report.targets, counts[offer]) for offer in OFFERS]
    ages = [(report.until - each.last_activity_at).days for each in report.targets]
    return {
        "heading": _("Win back"),
        "sentence": _sentence(counts),
        "until": report.until,
        "tiles": [
            tile(_("Members to win back"), sum(counts.values())),
            *(tile(str(label), counts[offer]) for offer, label in OFFERS.items()),
        ],
        "tables": [table],
        "targets_table": table,
        "agreed": sum(each.offers_agreed_at is not None for each in report.targets),
        "offer": offer,
        "offers": _choices(counts, offer),
        "listed": _listed(table, report.targets, ages, offer),
        "letters": letters,
        "first_letter": next((each.offer for each in letters if each.addresses and each.mailto), ""),
        "notes": [
            _("Members with 100 or more lifetime points who last earned points 30 to 180 days ago."),
            _("From 500 points: a points reminder. Otherwise bonus points after 90 days, and a discount before that."),
            _("Messages are suggestions. How much you give is up to you."),
            _("Only those who agree to get offers by email are written to. They say so on their card, or to you."),
            _("An email address opens a message to that member, with the suggestion in it; it names their points."),
            _("Those whom you write to at once don't see each other's addresses."),
        ],
    }


def _sentence(counts: dict[str, int]) -> str:
    count, reminded = sum(counts.values()), counts["reminder"]
    if not count:
        return _("No members to win back right now.")
    stopped = ngettext("%(count)s member has stopped coming", "%(count)s members have stopped coming", count)
    rewarded = ngettext(
        "%(count)s of them has points enough for a reminder",
        "%(count)s of them have points enough for a reminder",
        reminded,
    ) % {"count": grouped(reminded)}
    return clauses(stopped % {"count": grouped(count)}, rewarded if reminded else "")


def _choices(counts: dict[str, int], chosen: str) -> list[Choice]:
    every = {"": _("All")} | {offer: str(label) for offer, label in OFFERS.items()}
    shown = counts | {"": sum(counts.values())}
    return [
        Choice(f"{label} {grouped(shown[offer])}", urlencode({"offer": offer} if offer else {}), offer == chosen)
        for offer, label in every.items()
        if shown[offer]
    ]


def _listed(table: Table, targets: list[Target], ages: list[int], offer: str) -> Table:
    """Those with one offer, and for how many days they have been away."""
    places = [place for place, each in enumerate(targets) if not offer or each.offer.type == offer]
    away = {age: _away(age) for age in set(ages)}  # a few, of a thousand members
    return table | {
        "rows": [table["rows"][place] for place in places],
        "links": [table["links"][place] for place in places],
        "mails": [table["mails"][place] for place in places],
        "ages": [away[ages[place]] for place in places],
        "sorts": SORTS,
        "sort": "-lifetime",
        "anchor": "targets-title",
    }


SORTS = ["member", "", "active", "", "", "", "", "points", "lifetime"]


def _away(days: int) -> str:
    return ngettext("%(count)s day ago", "%(count)s days ago", days) % {"count": grouped(days)}


def _letter(offer: str, targets: list[Target], count: int) -> Letter:
    rule, message = LETTERS[offer]
    addresses = [each.email for each in targets if each.offer.type == offer and each.offers_agreed_at]
    hint = _("How much is yours to choose: write it before you send this.")
    if offer == "reminder":
        hint = _("To one member alone, from the list below, it names their points.")
    return Letter(offer, str(OFFERS[offer]), str(rule), str(message), count, addresses, hint)


def _mail(target: Target) -> str:
    """Opens a message to them, with what is suggested in it. Whoever sends it can change it first.

    Empty for who has not agreed to get any.
    """
    if target.offers_agreed_at is None:
        return ""
    return f"mailto:{quote(target.email)}?body={quote(target.offer.message)}"


def _targets(targets: list[Target], count: int) -> Table:
    columns = [
        (_("Member"), "text"), (_("Email"), "text"), (_("Last active"), "date"), (_("Offer"), "text"),
        (_("Message"), "text"), (_("Offers by email"), "text"), (_("Tier"), "text"), (_("Points"), "number"),
        (_("Lifetime points"), "number"),
    ]  # fmt: skip
    tiers = {tier: tier_name(tier) for tier in {each.tier for each in targets}}
    offers = {offer: str(label) for offer, label in OFFERS.items()}
    agreed = {True: _("Agreed"), False: _("Not agreed")}
    rows = [
        [
            each.name, each.email, each.last_activity_at, offers[each.offer.type], each.offer.message,
            agreed[each.offers_agreed_at is not None], tiers[each.tier], each.points_balance, each.lifetime_points,
        ]
        for each in targets
    ]  # fmt: skip
    left_out = count - len(rows)
    note = ngettext(
        "Top %(shown)s by lifetime points; %(count)s more is not shown.",
        "Top %(shown)s by lifetime points; %(count)s more are not shown.",
        left_out,
    ) % {"shown": grouped(len(rows)), "count": grouped(left_out)}
    return table_of(
        _("Members to contact"),
        columns,
        rows,
        links=links(each.id for each in targets),
        mails=[_mail(each) for each in targets],
        lead=8,
        note=note if left_out > 0 else "",
        empty=_("No members to win back right now."),
    )
