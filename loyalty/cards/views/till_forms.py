"""What the till's forms need besides the JSON data."""

import uuid
from datetime import timedelta
from typing import Any

from django.contrib.messages import get_messages
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from loyalty import rules
from loyalty.cards import queries, serializers
from loyalty.cards.views.till_found import masked
from loyalty.errors import MemberUnknown
from loyalty.members import queries as members_queries
from loyalty.members import serializers as members_serializers
from loyalty.members.views import member_session
from loyalty.points import queries as points_queries
from loyalty.restaurant import restaurant
from loyalty.rewards.models import Redemption
from loyalty.rewards.queries import by_reward
from loyalty.rewards.views import points_on_pages
from web import idempotency
from web.forms import notify
from web.views import Page

_JUST_NOW = timedelta(minutes=10)
_SHORT_NOTE = 160  # characters that stand under the name; a longer note is further down
# The fields that a scanner types into, by the kind of code that belongs there. See `warn_of_other_code`.
POINTS, REWARD = "points", "reward"
_CARD_READ, _REWARD_READ = "card-read", "reward-read"


def warn_of_other_code(request: Request, expected: str) -> None:
    """For the page that a scanned code leads to: a sentence that only the page of the other kind of code shows.

    Which kind it is nobody knows before the code service has redirected.
    """
    if expected == POINTS:
        sentence = _("That was a reward's code, not a card. No points were given: for points, scan the card.")
        notify(request, sentence, about=_REWARD_READ)
    elif expected == REWARD:
        notify(request, _("That was a guest's card, not a reward's code."), about=_CARD_READ)


def location_choice(request: Request, entered: str = "") -> dict[str, Any]:
    """`location` is the one that was entered, else the one that this till remembers."""
    locations = members_serializers.LocationName(points_queries.locations(), many=True).data
    chosen = entered or request.COOKIES.get(member_session.LOCATION_COOKIE, "")
    # None before the first choice: a default would attribute points to the wrong location.
    return {"locations": locations, "location": next((each for each in locations if each["id"] == chosen), None)}


def confirm_form(request: Request) -> dict[str, Any]:
    """For the form that confirms a redemption. `tap` makes a double tap one confirmation."""
    return {**location_choice(request), "tap": uuid.uuid4().hex, "other_code": _read(request, _REWARD_READ)}


def _read(request: Request, kind: str) -> str:
    """What `warn_of_other_code` has to say if a code of this kind was scanned."""
    return next((str(each.message) for each in get_messages(request._request) if each.extra_tags == kind), "")


def award_form(
    request: Request, found: queries.TillCard, card: dict[str, Any], entered_location: str = ""
) -> dict[str, Any]:
    """For the form that awards points on a member's page at the till; `card` is what was `found`, as JSON.

    `notices` leave out those about other members, whose page never arrived. `just_awarded` is a purchase so recent
    that another one may be a mistake. `reversible` are the purchases that this user may take back, and `undo` is the
    latest transaction if it is one of them and was made just now.
    """
    messages = list(get_messages(request._request))
    texts = (each.message for each in messages if each.extra_tags in ("", card["customerId"]))
    now = timezone.now()
    held = by_reward(found.redemptions)
    reversible = points_queries.reversible_purchases(
        card["customerId"],
        user_name=request.user.get_username(),
        is_manager=member_session.may_take_back_any(request),
        now=now,
    )
    recent = [each for each in card["activity"] if _is_purchase(each) and each["created_at"] > now - _JUST_NOW]
    latest = card["activity"][:1]
    affordable = [each for each in card["rewards"] if each["canRedeem"]]
    return {
        **location_choice(request, entered_location),
        "member": found.member,
        "masked_email": masked(found.member.email),
        "has_short_note": 0 < len(found.member.note) <= _SHORT_NOTE,
        "usual": [each.name for each in restaurant().usual_dishes(card["customerId"])],
        "codes": _codes(found.redemptions, new=request.query_params.get("redeemed")),
        "held": held,
        "ready": [each for each in affordable if each["id"] not in held],
        "again": [each for each in affordable if each["id"] in held],
        "rate": _rate(card["tier"]),
        "idempotency_key": idempotency.new_key(),
        "notices": list(dict.fromkeys(texts)),
        "other_code": next((each.message for each in messages if each.extra_tags == _CARD_READ), ""),
        "just_awarded": next(iter(recent), None),
        "reversible": reversible,
        "undo": next((each for each in latest if each in recent and each["id"] in reversible), None),
    }


def _codes(redemptions: list[Redemption], *, new: str | None) -> list[Redemption]:
    """What ends first comes first, after the one that was redeemed just now."""
    return sorted(redemptions, key=lambda redemption: (redemption.redemption_code != new, redemption.expires_at))


def _rate(tier: str) -> dict[str, Any]:
    """`each`: the points for a unit of the currency. For `till_points.js` in hundredths: those of bronze, and what
    multiplies them."""
    current = points_queries.programme()
    multiplier = rules.multiplier_of(tier, current)
    return {
        "each": points_on_pages.rate(multiplier, current),
        "unit": int(current.points_per_unit * 100),
        "times": int(multiplier * 100),
    }


def _is_purchase(transaction: dict[str, Any]) -> bool:
    is_award = transaction["type"] == "earn" and transaction["order_total"] is not None
    return is_award and not transaction.get("reversed")


def till_page(request: Request, customer_id: str, entered: dict[str, Any]) -> Page | None:
    """A member's page at the till with what was entered. None for an unknown member."""
    try:
        member = members_queries.member(customer_id)
    except MemberUnknown:
        return None
    card = queries.till_card(member, now=timezone.now())
    data = serializers.MemberCard(card).data
    form = award_form(request, card, data, entered.get("locationId", ""))
    return Page("loyalty/cards/till.html", {**data, **form, "entered": entered})
