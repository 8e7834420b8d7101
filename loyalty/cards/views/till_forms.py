"""Context of the till's forms besides the card, and codes that scanners type into fields."""

import re
import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import Message
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from loyalty.cards.queries import TillCard
from loyalty.members.views import member_session
from loyalty.points.models import TAKE_BACK_ANY, Location
from loyalty.points.queries.activity import reversible_purchases
from loyalty.restaurant import restaurant
from loyalty.rewards.models import Redemption
from loyalty.rewards.queries.redemptions import normalized_code
from web import idempotency
from web.forms import notify

# Paths in codes that a keyboard-like scanner types into the search field.
_CODE_PATHS = re.compile(r"/(member|use)/[A-Za-z0-9-]{1,64}|/[qQ]/[0-9A-Za-z]{8}", re.ASCII)
_JUST_NOW = timedelta(minutes=10)
# The fields that a scanner types into, by the kind of code that belongs there. See `warn_of_other_code`.
POINTS, REWARD = "points", "reward"
_CARD_READ, _REWARD_READ = "card-read", "reward-read"


def warn_of_other_code(request: Request, expected: str) -> None:
    """Leave a message that only the page of the other kind of code shows.

    Which kind it is nobody knows before the code service has redirected.
    """
    if expected == POINTS:
        sentence = _("That was a reward's code, not a card. No points were given: for points, scan the card.")
        notify(request, sentence, about=_REWARD_READ)
    elif expected == REWARD:
        notify(request, _("That was a guest's card, not a reward's code."), about=_CARD_READ)


def page_of_code(text: str) -> str | None:
    """Return the path that a redemption code, or the address in a scanned code, leads to on this installation."""
    code = normalized_code(text)
    if re.fullmatch(r"RWD-[A-Z0-9]{6}", code, re.ASCII):
        return f"/use/{code}"
    try:
        path = urlsplit(text).path if "://" in text else ""
    except ValueError:
        return None
    return path if _CODE_PATHS.fullmatch(path) else None


def bill_query(fields: Mapping[str, str]) -> str:
    """Return the table and the session of the bill that a reward is for, as a query; empty for none."""
    named = {name: fields[name] for name in ("tableNumber", "sessionId") if fields.get(name)}
    return urlencode(named) if named.get("tableNumber", "").isdecimal() else ""


def bill_of(request: Request) -> dict[str, str] | None:
    """Return the `tableNumber` and `sessionId` of the bill that a reward is checked for."""
    named = request.query_params.dict()
    return named if bill_query(named) else None


def for_bill(page: str, query: str, now: datetime) -> str:
    """Return the page of a code with the bill that it is for. A short address is not followed: it would lose that."""
    active = Redemption.objects.usable_at(now)
    read = active.filter(short_url__iendswith=page).first() if query and page[:3].lower() == "/q/" else None
    page = f"/use/{read.redemption_code}" if read else page
    return f"{page}?{query}" if query and page.startswith("/use/") else page


def location_choice(request: Request, entered: str = "") -> dict[str, Any]:
    """Return the `locations`, and as `location` the one that was entered, else the one that this till remembers."""
    choices = list(Location.objects.order_by("name", "pk"))
    chosen = entered or request.COOKIES.get(member_session.LOCATION_COOKIE, "")
    # None before the first choice: a default would attribute points to the wrong location.
    return {"locations": choices, "location": next((choice for choice in choices if str(choice.pk) == chosen), None)}


def confirm_form(request: Request) -> dict[str, Any]:
    """Return the context of the form that confirms a redemption. `tap` makes a double tap one confirmation."""
    other_code = _message_about(_REWARD_READ, list(get_messages(request._request)))
    return {
        **location_choice(request),
        "tap": uuid.uuid4().hex,
        "other_code": other_code,
        "bill": bill_of(request),
    }


def _message_about(kind: str, messages: list[Message]) -> str:
    """Return the message of `warn_of_other_code` about a code of this kind; empty where there is none."""
    return next((str(message) for message in messages if message.extra_tags == kind), "")


def award_form(request: Request, card: TillCard, entered_location: str = "") -> dict[str, Any]:
    """Return the context of the form that awards points on a member's page at the till.

    `notices` leave out those about other members, whose page never arrived. `just_awarded` is a purchase so recent
    that another one may be a mistake. `reversible` are the purchases that this user may take back, and `undo` is the
    latest transaction if it is one of them and was made just now. `unit` and `times` are for `till/points.js`, in
    hundredths: the points in bronze for a unit of the currency, and what the tier multiplies them by.
    """
    member, programme, now = card.member, card.programme, timezone.now()
    reversible = reversible_purchases(
        member,
        user_name=request.user.get_username(),
        is_manager=request.user.has_perm(TAKE_BACK_ANY),
        now=now,
    )
    recent = [row for row in card.activity if row.is_purchase and not row.reversed and row.created_at > now - _JUST_NOW]
    messages, member_id = list(get_messages(request._request)), str(member.pk)
    new = request.query_params.get("redeemed")
    return {
        **location_choice(request, entered_location),
        "member": member,
        "at_tables": restaurant().points_at_tables(member_id),
        "may_award": request.user.has_perm(member_session.AWARD_POINTS),
        "usual": [dish.name for dish in restaurant().usual_dishes(member_id)],
        "codes": sorted(card.codes, key=lambda redemption: redemption.redemption_code != new),
        "unit": int(programme.points_per_unit * 100),
        "times": int(programme.multiplier_of(member.tier) * 100),
        "idempotency_key": idempotency.new_key(),
        "notices": list(dict.fromkeys(str(row) for row in messages if row.extra_tags in ("", member_id))),
        "other_code": _message_about(_CARD_READ, messages),
        "just_awarded": next(iter(recent), None),
        "reversible": reversible,
        "undo": next((row for row in card.activity[:1] if row in recent and row.pk in reversible), None),
    }
