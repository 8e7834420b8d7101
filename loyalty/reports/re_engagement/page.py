"""The page of the members to win back."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from uuid import UUID

from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty.messages.models import WinBackEmail
from loyalty.reports.re_engagement import OFFERS, RESULT, ReEngagement, Result, Target, targets
from loyalty.reports.segments.page import SEGMENTS
from web.choices import with_parameter
from web.mailto import mailto
from web.money import NOTHING
from web.reporting import PageData, Tile, clauses, share, with_count
from web.templatetags.plots import short_name
from web.templatetags.reports import shown

MAILTO = 2000  # characters: a longer address is cut by some mail programs


# Who is meant, and what all of them can be written at once.
LETTERS = {
    "reminder": (
        gettext_lazy("500 points or more"),
        gettext_lazy("You have points on your card. Come in and treat yourself to a reward."),
    ),
    "bonus_points": (
        gettext_lazy("Under 500 points, away for 91 to 180 days"),
        gettext_lazy("We haven't seen you in a while. Come back and get %(amount)s bonus points on your next visit."),
    ),
    "discount": (
        gettext_lazy("Under 500 points, away for 30 to 90 days"),
        gettext_lazy("We'd love to see you again. Come back and get %(amount)s%% off on your next visit."),
    ),
}


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount that is given, which the venue chooses. `name`: of the parameter."""

    name: str
    label: Promise
    value: int
    most: int


AMOUNTS = {
    "bonus_points": Amount("points", gettext_lazy("Bonus points"), 50, 10_000),
    "discount": Amount("percent", gettext_lazy("Percent off"), 10, 100),
}


@dataclass(frozen=True, slots=True)
class Mail:
    """A message to all with one offer who agree to get some and were not written to lately.

    `mailto` is empty where there are too many for a mail program: they are copied. The message has its `amount`, if its
    offer has one, between `message_parts`. `noted`: the members who were marked today, which can be undone.
    """

    offer: str
    label: str
    rule: str
    message: str
    count: int
    agreed: int
    rested: int
    addresses: list[str]
    members: str
    noted: list[str]
    amount: Amount | None
    message_parts: list[str]
    result: str

    @property
    def recipients(self) -> str:
        return ", ".join(self.addresses)

    @property
    def mailto(self) -> str:
        link = mailto(bcc=self.addresses, body=self.message)
        return link if self.addresses and len(link) <= MAILTO else ""


def page(
    report: ReEngagement,
    counts: dict[str, int],
    came_back: int,
    results: list[Result],
    parameters: QueryDict,
    *,
    of_segment: Collection[UUID] | None = None,
) -> PageData:
    """`of_segment`: whom alone the list has.

    `counts`: all members by offer. `parameters`: the `offer` and which of its members are `shown` in the list; and
    how many `points` or `percent` the messages offer."""
    rows = report.targets
    mails = [_mail_to_all(offer, rows, counts[offer], results, parameters) for offer in OFFERS]
    messages = {mail.offer: mail.message for mail in mails if mail.amount}
    table = targets.everybody(rows, sum(counts.values()))
    to_list = rows if of_segment is None else [target for target in rows if target.id in of_segment]
    offer, shown = parameters.get("offer", ""), parameters.get("shown", "")
    offer, shown = offer if offer in OFFERS else "", shown if shown in targets.SHOWN else ""
    strip = _strip(rows, sum(counts.values()), came_back, results, parameters)
    return {
        "heading": _("Win back"),
        "sentence": _sentence(counts, sum(target.can_be_noted for target in rows)),
        "until": report.until,
        "tiles": [*strip, *(Tile(str(label), counts[offer]) for offer, label in OFFERS.items())],
        "tables": [table],
        "targets_table": table,
        "strip": strip,
        **_segment(parameters, is_chosen=of_segment is not None),
        "offers": targets.offer_choices(to_list, offer, shown, parameters),
        "shown": targets.shown_choices(to_list, offer, shown, parameters),
        "listed": targets.listed(targets.in_choice(to_list, offer, shown), messages, table.note),
        "letters": mails,
        "kept_parameters": [(name, parameters[name]) for name in parameters],
        "query": parameters.urlencode(),
        "notes": [
            _("Members with 100 or more lifetime points who last earned points 30 to 180 days ago."),
            _("Points that you give as a gift count in the balance and not in lifetime points: it can be the higher."),
            _("From 500 points: a points reminder. Otherwise bonus points after 90 days, and a discount before that."),
            _("Messages are suggestions. How much you give is up to you: fill it in below each."),
            _("Nothing is put on their cards by a letter: you give it when they come."),
            _("Your own mail program sends them. Whom you mark as written to is left out of all three for 30 days."),
            _("Who came after a letter earned points on a bill after the first one of the last %(days)s days.")
            % {"days": RESULT.days},
            _("Came back: earned points in the last 30 days and none in the 30 days before, but some earlier."),
            _("Only those who agree to get offers by email are written to. They say so on their card, or to you."),
            _("Write opens a message to one member, with the suggestion in it; a reminder names their points."),
            _("Those whom you write to at once don't see each other's addresses."),
        ],
    }


def suggested() -> dict[str, str]:
    """The messages that have an amount, with the one that is suggested, by offer."""
    return {offer: str(LETTERS[offer][1]) % {"amount": amount.value} for offer, amount in AMOUNTS.items()}


def _segment(parameters: QueryDict, *, is_chosen: bool) -> dict[str, Any]:
    """The name of that of which the list is, and the query of the list of all."""
    if not is_chosen:
        return {"segment": ""}
    every = with_parameter(parameters, "segment", "")
    return {"segment": str(SEGMENTS[parameters.get("segment", "")].label), "every_segment": every}


def _sentence(counts: dict[str, int], to_write: int) -> str:
    count = sum(counts.values())
    if not count:
        return _("No members to win back right now.")
    stopped = ngettext("%(count)s member has stopped coming", "%(count)s members have stopped coming", count)
    now = ngettext("%(count)s of them can be written to now", "%(count)s of them can be written to now", to_write) % {
        "count": shown(to_write, "number")
    }
    return clauses(with_count(stopped, count), now if to_write else _("nobody can be written to now"))


def _strip(rows: list[Target], count: int, came_back: int, results: list[Result], parameters: QueryDict) -> list[Tile]:
    """The page's: whom it is about, who is to be written to, and what came of the letters to all of them."""
    to_write, agreed = sum(target.can_be_noted for target in rows), sum(target.is_agreed for target in rows)
    listed = sum(target.letter is not None and target.letter.written_at > target.until - RESULT for target in rows)
    came = [result.spend for result in results if result.spend is not None]
    since = short_name(timezone.localdate(min(result.written_at for result in results))) if results else ""
    spend = _("%(share)s of them, spending %(spend)s") % {
        "share": shown(share(len(came), len(results)).quantize(Decimal(1), ROUND_HALF_UP), "percent"),
        "spend": shown(sum(came, NOTHING), "money"),
    }
    return [
        Tile(
            _("Members to win back"),
            count,
            url=_list(parameters, "all") if count else "",
            note=_("Away for 30 to 180 days. %(count)s came back in the last 30, written to or not")
            % {"count": shown(came_back, "number")},
        ),
        Tile(
            _("To write to now"),
            to_write,
            url=_list(parameters, "") if to_write else "",
            note=_("Of %(agreed)s who agree to get offers, without those written to in the last %(days)s days")
            % {"agreed": shown(agreed, "number"), "days": WinBackEmail.PAUSE.days},
        ),
        Tile(
            _("Written to since %(date)s") % {"date": since} if results else _("Written to"),
            len(results),
            url=_list(parameters, "written") if listed else "",
            note=_written(len(results), len(results) - len(came), listed),
        ),
        Tile(_("Came back after that"), len(came) if results else None, note=spend if came else ""),
    ]


def _list(parameters: QueryDict, shown: str) -> str:
    """The address of the list of all of these, by targets.SHOWN. What the messages offer is kept."""
    others = parameters.copy()
    for name in ("offer", "segment"):
        others.pop(name, None)
    return f"?{with_parameter(others, 'shown', shown)}#targets-title"


def _written(count: int, away: int, listed: int) -> str:
    """Say how many of those who got a letter have not come. The list has nobody who is away for too long by now."""
    if not count:
        return _("Nobody in the last %(days)s days") % {"days": RESULT.days}
    counts = {"away": shown(away, "number"), "listed": shown(listed, "number")}
    if not away:
        return ""
    if listed == away:
        sentence = ngettext(
            "%(away)s of them hasn't been back, and is listed below",
            "%(away)s of them haven't been back, and are listed below",
            away,
        )
    else:
        sentence = ngettext(
            "%(away)s of them hasn't been back; %(listed)s are listed below",
            "%(away)s of them haven't been back; %(listed)s are listed below",
            away,
        )
    return sentence % counts


def _result(results: list[Result]) -> str:
    """Say what came of one of the three letters: whoever got it may be due another by now. Empty without any."""
    if not results:
        return ""
    came = [result.spend for result in results if result.spend is not None]
    figures = {
        "count": shown(len(results), "number"),
        "date": short_name(timezone.localdate(min(result.written_at for result in results))),
        "came": shown(len(came), "number"),
        "share": shown(share(len(came), len(results)).quantize(Decimal(1), ROUND_HALF_UP), "percent"),
        "spend": shown(sum(came, NOTHING), "money"),
    }
    if not came:
        return _("This letter went to %(count)s since %(date)s: nobody has come back yet.") % figures
    sent = ngettext(
        "This letter went to %(count)s since %(date)s: %(came)s came back (%(share)s), spending %(spend)s.",
        "This letter went to %(count)s since %(date)s: %(came)s came back (%(share)s), spending %(spend)s.",
        len(came),
    )
    return sent % figures


def _amount(offer: str, parameters: QueryDict) -> Amount | None:
    """Return the amount in the parameters, or the suggested one if theirs is no such number."""
    amount = AMOUNTS.get(offer)
    text = parameters.get(amount.name, "") if amount else ""
    is_one = text.isascii() and text.isdecimal() and len(text) < 6
    return replace(amount, value=int(text)) if amount and is_one and 0 < int(text) <= amount.most else amount


def _mail_to_all(offer: str, rows: list[Target], count: int, results: list[Result], parameters: QueryDict) -> Mail:
    rule, message = LETTERS[offer]
    amount = _amount(offer, parameters)
    agreed = [target for target in rows if target.offer == offer and target.is_agreed]
    next_ones = [target for target in agreed if target.can_be_noted]
    text = str(message) % {"amount": "\n"} if amount else str(message)
    return Mail(
        offer=offer,
        label=str(OFFERS[offer]),
        rule=str(rule),
        message=text.replace("\n", str(amount.value)) if amount else text,
        count=count,
        agreed=len(agreed),
        rested=len(agreed) - len(next_ones),
        addresses=[target.email for target in next_ones],
        members=" ".join(str(target.id) for target in next_ones),
        noted=[str(target.id) for target in agreed if target.can_be_undone],
        amount=amount,
        message_parts=text.split("\n"),
        result=_result([result for result in results if result.offer == offer]),
    )
