"""The page of the members to win back."""

from dataclasses import dataclass, replace
from urllib.parse import quote

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty.reports.pages import links, tier_name
from loyalty.reports.re_engagement import ReEngagement, Target
from web.choices import Choice, with_parameter
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
    "bonus_points": (
        gettext_lazy("Under 500 points, away for more than 90 days"),
        gettext_lazy("We haven't seen you in a while. Come back and get %(amount)s bonus points on your next visit."),
    ),
    "discount": (
        gettext_lazy("Under 500 points, away for up to 90 days"),
        gettext_lazy("We'd love to see you again. Come back and get %(amount)s%% off on your next visit."),
    ),
}


@dataclass(frozen=True, slots=True)
class Amount:
    """How much is given: the venue's to choose. `name`: of the parameter."""

    name: str
    label: Promise
    value: int
    most: int


AMOUNTS = {
    "bonus_points": Amount("points", gettext_lazy("Bonus points"), 50, 10_000),
    "discount": Amount("percent", gettext_lazy("Percent off"), 10, 100),
}


@dataclass(frozen=True, slots=True)
class Letter:
    """To all with one offer who agree to get some.

    `mailto` is empty where there are too many for a mail program: they are copied. The message has its `amount`, if its
    offer has one, between `words`.
    """

    offer: str
    label: str
    rule: str
    message: str
    count: int
    addresses: list[str]
    amount: Amount | None
    words: list[str]

    @property
    def recipients(self) -> str:
        return ", ".join(self.addresses)

    @property
    def mailto(self) -> str:
        link = f"mailto:?bcc={quote(','.join(self.addresses), safe='@,')}&body={quote(self.message)}"
        return link if len(link) <= MAILTO else ""


def page(report: ReEngagement, counts: dict[str, int], came_back: int, parameters: QueryDict) -> PageData:
    """`counts`: all members by offer. `parameters`: the `offer` of which the page lists the members, else all; whether
    only those who `agreed` to be written to; and how many `points` or `percent` the messages offer."""
    offer = parameters.get("offer", "")
    offer = offer if offer in OFFERS else ""
    of_offer = [place for place, each in enumerate(report.targets) if not offer or each.offer.type == offer]
    may_be_written_to = [place for place in of_offer if report.targets[place].offers_agreed_at]
    only_agreed = "agreed" in parameters
    letters = [_letter(each, report.targets, counts[each], _amount(each, parameters)) for each in OFFERS]
    table = _targets(
        report.targets, sum(counts.values()), {each.offer: each.message for each in letters if each.amount}
    )
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
        "offers": _choices(counts, offer, parameters),
        "only_agreed": _only_agreed(len(may_be_written_to), parameters, is_chosen=only_agreed),
        "listed": _listed(table, ages, may_be_written_to if only_agreed else of_offer),
        "letters": letters,
        "kept_parameters": [(name, parameters[name]) for name in parameters],
        "came_back": came_back,
        "notes": [
            _("Members with 100 or more lifetime points who last earned points 30 to 180 days ago."),
            _("From 500 points: a points reminder. Otherwise bonus points after 90 days, and a discount before that."),
            _("Messages are suggestions. How much you give is up to you: fill it in beside each."),
            _("What a message offers is not booked by writing it: you give it when they come."),
            _("Came back: earned points in the last 30 days and none in the 30 days before, but some earlier."),
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
        "%(count)s of them has enough points for a reminder",
        "%(count)s of them have enough points for a reminder",
        reminded,
    ) % {"count": grouped(reminded)}
    return clauses(stopped % {"count": grouped(count)}, rewarded if reminded else "")


def _choices(counts: dict[str, int], chosen: str, parameters: QueryDict) -> list[Choice]:
    every = {"": _("All")} | {offer: str(label) for offer, label in OFFERS.items()}
    shown = counts | {"": sum(counts.values())}
    return [
        Choice(f"{label} {grouped(shown[offer])}", with_parameter(parameters, "offer", offer), offer == chosen)
        for offer, label in every.items()
        if shown[offer]
    ]


def _only_agreed(count: int, parameters: QueryDict, *, is_chosen: bool) -> Choice:
    """Beside the offers: those of the chosen one who may be written to, and when they are chosen, all of it again."""
    return Choice(
        _("May be written to %(count)s") % {"count": grouped(count)},
        with_parameter(parameters, "agreed", "" if is_chosen else "1"),
        is_chosen,
    )


def _listed(table: Table, ages: list[int], places: list[int]) -> Table:
    """Those at these places, and for how many days they have been away."""
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


def _amount(offer: str, parameters: QueryDict) -> Amount | None:
    """What is no such number is the one that is suggested."""
    amount = AMOUNTS.get(offer)
    text = parameters.get(amount.name, "") if amount else ""
    is_one = text.isascii() and text.isdecimal() and len(text) < 6
    return replace(amount, value=int(text)) if amount and is_one and 0 < int(text) <= amount.most else amount


def _letter(offer: str, targets: list[Target], count: int, amount: Amount | None) -> Letter:
    rule, message = LETTERS[offer]
    addresses = [each.email for each in targets if each.offer.type == offer and each.offers_agreed_at]
    words = str(message) % {"amount": "\n"} if amount else str(message)
    text = words.replace("\n", str(amount.value)) if amount else words
    return Letter(offer, str(OFFERS[offer]), str(rule), text, count, addresses, amount, words.split("\n"))


def _mail(target: Target, messages: dict[str, str]) -> str:
    """Opens a message to them, with what is suggested in it. Whoever sends it can change it first.

    `messages`: by offer, those that have an amount; the others name the member's points.

    Empty for who has not agreed to get any.
    """
    if target.offers_agreed_at is None:
        return ""
    message = messages.get(target.offer.type, target.offer.message)
    return f"mailto:{quote(target.email)}?body={quote(message)}"


def _targets(targets: list[Target], count: int, messages: dict[str, str]) -> Table:
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
        mails=[_mail(each, messages) for each in targets],
        lead=8,
        note=note if left_out > 0 else "",
        empty=_("No members to win back right now."),
    )
