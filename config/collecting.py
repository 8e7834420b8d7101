"""The loyalty programme that the restaurant is given: loyalty's, at the location that the owner has named.

See "Points from the table" in docs/behaviour.md.
"""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from loyalty import rules
from loyalty.errors import LocationUnknown, MemberUnknown, TooManyPoints
from loyalty.members import models as members_models
from loyalty.members import queries as members_queries
from loyalty.members.views import member_session
from loyalty.points import queries as points_queries
from loyalty.points.services import points, reversals
from loyalty.reports import today
from loyalty.rewards import queries as rewards_queries
from loyalty.rewards.views import codes_on_pages
from restaurant.programme import Card, Codes, Given, Holder
from web import venue
from web.fields import is_uuid
from web.idempotency import OURS, Key, digest_of

OF_ORDER = f"{OURS}order-"  # begins the key of the points for an order
NEW_CARD = rules.tier_of(0)


class LoyaltyProgramme:
    """A `restaurant.programme.Programme`. A card's reference is the member's id."""

    def card_of_phone(self, request: HttpRequest) -> Card | None:
        member = member_session.signed_in_member(request)
        return card_of(member) if member else None

    def card(self, reference: str) -> Card | None:
        try:
            return card_of(members_queries.member(reference))
        except MemberUnknown:
            return None

    def holder(self, reference: str, user: Any) -> Holder | None:
        if not user.has_perm("loyalty.view_member"):
            return None
        try:
            member = members_queries.member(reference)
        except MemberUnknown:
            return None
        return Holder(member.name, reverse("admin:loyalty_member_change", args=[member.pk]))

    def codes_to_use(self, card: Card) -> Codes:
        now = timezone.now()
        codes = codes_on_pages.codes_of(rewards_queries.active_redemptions(UUID(card.reference), now), now=now)
        first = next((code for code in codes if code.is_soon), None)
        left = render_to_string("loyalty/_days_left.html", {"code": first}).strip() if first else ""
        return Codes(len(codes), first.reward if first else "", left)

    def points_for(self, totals: Iterable[Decimal], card: Card | None) -> int:
        programme, tier = points_queries.programme(), card.tier if card else NEW_CARD
        return sum(rules.points_for(order_total=total, tier=tier, programme=programme) for total in totals)

    def bonus_of(self, card: Card) -> str:
        multiplier = rules.multiplier_of(card.tier, points_queries.programme())
        if multiplier == 1:
            return ""
        words = {"tier": _(card.tier).capitalize(), "times": formats.localize(multiplier.normalize())}
        return _("%(tier)s earns %(times)s × the points") % words

    def award(self, reference: str, order_id: str, total: Decimal) -> int | None:
        location_id = venue.current().location_id
        if not location_id:
            raise LocationUnknown
        key = key_of(order_id)
        try:
            return points.award(member_id=reference, location_id=location_id, order_total=total, key=key).points
        except (MemberUnknown, TooManyPoints):
            return None

    def given(self, since: datetime, until: datetime) -> Given:
        found = today.given(since, until)
        return Given(found.points, found.cards, found.rewards, found.spent)

    def take_back(self, reference: str, order_id: str) -> None:
        earned = points.earlier_transaction(reference, "earn", key_of(order_id))
        if earned is not None:
            reversals.take_back_purchase(
                transaction_id=str(earned.pk), note=_("the order was cancelled"), recorded_by="", is_manager=True
            )


def key_of(order_id: str) -> Key:
    """The digest has no total: a repeat gets the first result, also if something was cancelled in between."""
    return Key(f"{OF_ORDER}{order_id}", digest_of("order", order_id))


def order_url(key: str) -> str:
    """Of the order whose points have this key; "" if it is another's."""
    order_id = key.removeprefix(OF_ORDER)
    return reverse("order", args=[order_id]) if order_id != key and is_uuid(order_id) else ""


def card_of(member: members_models.Member) -> Card:
    first_name = member.name.split(maxsplit=1)[0] if member.name.strip() else ""
    return Card(str(member.pk), first_name[:40], member.tier, f"/member/{member.pk}", member.points_balance)
