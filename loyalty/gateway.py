"""The interface for other apps: members' cards, and the points for orders at tables.

See "Points from the table" in docs/behaviour/restaurant.md.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty import mail
from loyalty.errors import EmailTaken, LocationUnknown, MemberUnknown, TooManyPoints
from loyalty.members.models import Member
from loyalty.members.queries import member_by_id
from loyalty.members.serializers import Email
from loyalty.members.views import member_session
from loyalty.points.queries.programme import current_programme
from loyalty.points.services import enrolment, points, reversals
from loyalty.points.services.orders import key_of
from loyalty.reports import queries as report_queries
from loyalty.reports.queries import Given
from loyalty.restaurant import AtTable, Dish, OnBill, Restaurant, register
from loyalty.rewards.queries.redemptions import active_redemptions
from web import venue
from web.formats import capfirst

__all__ = [
    "AtTable",
    "Card",
    "Codes",
    "Dish",
    "Email",
    "EmailTaken",
    "Given",
    "Holder",
    "OnBill",
    "Restaurant",
    "RewardToUse",
    "register",
]


@dataclass(frozen=True, slots=True)
class Card:
    """A member's card. `reference` is the member's id, which an order stores."""

    reference: str
    first_name: str
    tier: str
    path: str  # of its page
    points: int


@dataclass(frozen=True, slots=True)
class Holder:
    """A card's member, as staff see them: the whole name, and the path of their page."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Codes:
    """The number of codes of a card that were not used yet.

    `ends_soon` is the reward of the first code that ends soon, and `ends` when that is, in words; empty without one.
    """

    count: int
    ends_soon: str
    ends: str


@dataclass(frozen=True, slots=True)
class RewardToUse:
    """A reward that a card holds a code of. `value` is as `Reward.reward_value`."""

    code: str
    name: str
    value: Any


def collects_at_tables() -> bool:
    """Return whether the owner has named the location where tables earn."""
    return bool(venue.current().location_id)


# --- cards ----------------------------------------------------------------------------------------


def card_of_phone(request: Request | HttpRequest) -> Card | None:
    """Return the card that the phone is signed in to."""
    member = member_session.signed_in_member(request)
    return _card_of(member) if member else None


def card(reference: str) -> Card | None:
    """Return None if there is no such card any more."""
    try:
        return _card_of(member_by_id(reference))
    except MemberUnknown:
        return None


def holder(reference: str, user: Any) -> Holder | None:
    """Return None if there is no such card any more, or the user may not see members."""
    if not user.has_perm("loyalty.view_member"):
        return None
    try:
        member = member_by_id(reference)
    except MemberUnknown:
        return None
    return Holder(member.name, reverse("admin:loyalty_member_change", args=[member.pk]))


def codes_to_use(card: Card) -> Codes:
    codes = active_redemptions(UUID(card.reference), timezone.now())
    first = min(codes, key=lambda redemption: redemption.expires_at, default=None)
    if first is None or not first.ends_soon:
        return Codes(len(codes), "", "")
    return Codes(len(codes), first.reward.name, render_to_string("loyalty/_days_left.html", {"code": first}).strip())


def rewards_to_use(card: Card) -> list[RewardToUse]:
    return [
        RewardToUse(redemption.redemption_code, redemption.reward.name, redemption.reward.reward_value)
        for redemption in active_redemptions(UUID(card.reference), timezone.now())
    ]


def signup_bonus() -> int:
    return current_programme().signup_bonus


def enrol(request: Request, *, email: str, name: str) -> Card:
    """Return a new member's card. Raises EmailTaken, qrservice.gateway.QRServiceError; nothing is stored then."""
    recorded_by = member_session.recorded_by(request)
    return _card_of(enrolment.enrol(email=email, name=name, recorded_by=recorded_by))


def sign_in(request: Request, response: Response, card: Card) -> None:
    """Sign the phone in to the card, unless it is a till's."""
    if not member_session.works_at_till(request):
        member_session.sign_in(request, response, member_by_id(card.reference))


def _card_of(member: Member) -> Card:
    first_name = member.name.split(maxsplit=1)[0] if member.name.strip() else ""
    return Card(str(member.pk), first_name[:40], member.tier, f"/member/{member.pk}", member.points_balance)


def send_mail(to: str, *, subject: str, paragraphs: list[str], link: str, link_label: str) -> None:
    """Send a mail in the venue's looks later. The paragraph with the link is a button there."""
    message = partial(mail.compose, subject=subject, paragraphs=paragraphs, to=to, link=link, link_label=link_label)
    mail.send_later(message)


# --- points for orders ----------------------------------------------------------------------------


def points_for(totals: Iterable[Decimal], card: Card | None) -> int:
    """Return what orders of these totals earn on this card, or on a new one."""
    programme, tier = current_programme(), card.tier if card else Member.Tier.BRONZE
    return sum(programme.points_for(total, tier) for total in totals)


def bonus_of(card: Card) -> str:
    """Return a sentence about what its tier multiplies points by; empty where that is nothing."""
    multiplier = current_programme().multiplier_of(card.tier)
    if multiplier == 1:
        return ""
    values = {"tier": capfirst(_(card.tier)), "times": formats.localize(multiplier.normalize())}
    return _("%(tier)s earns %(times)s × the points") % values


def award(reference: str, order_id: str, total: Decimal) -> int | None:
    """Award the points for an order, once however often it is called, and return them.

    None if there is nobody to award them to, now and later. Any error: not now.
    """
    location_id = venue.current().location_id
    if not location_id:
        raise LocationUnknown
    key = key_of(order_id)
    try:
        return points.award(member_id=reference, location_id=location_id, order_total=total, key=key).points
    except (MemberUnknown, TooManyPoints):
        return None


def take_back(reference: str, order_id: str) -> None:
    """Take back what was awarded for an order, once however often it is called. Any error: not now."""
    earned = points.earlier_transaction(reference, "earn", key_of(order_id))
    if earned is not None:
        reversals.take_back_purchase(
            transaction_id=str(earned.pk), note=_("the order was cancelled"), recorded_by="", is_manager=True
        )


def given(since: datetime, until: datetime) -> Given | None:
    """Return what guests got before `until`; None where no table earns and nobody got anything."""
    all_given = report_queries.given(since, until)
    return all_given if all_given.points or all_given.rewards or collects_at_tables() else None
