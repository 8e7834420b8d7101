"""Whether the points for what a phone orders go onto the card that it is signed in to.

See "Points from the table" in docs/behaviour/restaurant.md.
"""

from decimal import Decimal
from typing import Any

from django.conf import settings
from django.http import HttpResponse, QueryDict
from rest_framework.request import Request

from loyalty import gateway as loyalty
from loyalty.gateway import Card
from restaurant import staff
from restaurant.ordering import queries
from restaurant.ordering.models import Order
from restaurant.ordering.services import sessions
from restaurant.ordering.views import guests

# Set to "no" where the phone's guest has said so. Sent to the tables' pages only.
COOKIE = "collect"


def is_wanted(request: Request) -> bool:
    """What this request says, else what the phone has said before."""
    said = said_in(request)
    return request.COOKIES.get(COOKIE) != "no" if said is None else said


def said_in(request: Request) -> bool | None:
    """What the body says: the field `collect` of JSON, or the box of the cart's form."""
    if isinstance(request.data, QueryDict):
        return "collect" in request.data if "collectShown" in request.data else None
    said = request.data.get("collect") if isinstance(request.data, dict) else None
    return said if isinstance(said, bool) else None


def remember(request: Request, response: HttpResponse) -> None:
    """For the phone's next orders."""
    said = said_in(request)
    if said is False:
        response.set_cookie(
            COOKIE,
            "no",
            max_age=int(sessions.LIFETIME.total_seconds()),
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
            path="/table",
        )
    elif said and COOKIE in request.COOKIES:
        response.delete_cookie(COOKIE, path="/table", samesite="Lax")


def card_of(request: Request) -> Card | None:
    """The card that may collect what this phone orders; None also for staff, who order for guests."""
    if not loyalty.collects_at_tables() or staff.may(request, staff.CLOSE_SESSION):
        return None
    return loyalty.card_of_phone(request)


def collector_of(request: Request) -> str:
    """What an order keeps of the card that collects its points; empty for none."""
    card = card_of(request) if is_wanted(request) else None
    return card.reference if card else ""


def menu_context(request: Request, card: Card | None) -> dict[str, Any]:
    """What is on the card of this phone."""
    if card is None or not loyalty.collects_at_tables():
        return {"card": None}
    return {"card": card, "codes": loyalty.codes_to_use(card), "is_collecting": is_wanted(request)}


def cart_context(request: Request, total: Decimal) -> dict[str, Any]:
    card = card_of(request)
    if card is not None:
        points = loyalty.points_for([total], card)
        return {"collecting": {"name": card.first_name, "points": points, "is_wanted": is_wanted(request)}}
    if not loyalty.collects_at_tables() or staff.may(request, staff.CLOSE_SESSION):
        return {"collecting": None, "may_collect_later": False}
    return {"collecting": None, "may_collect_later": True, "points_later": loyalty.points_for([total], None)}


# --- the page of an order -------------------------------------------------------------------------------


def order_context(request: Request, order: Order) -> dict[str, Any]:
    """Whose card collects, for the phone that ordered; or what it could collect."""
    if not loyalty.collects_at_tables() or not queries.is_from_phone(order, guests.guest_of(request)):
        return {}
    own = loyalty.card_of_phone(request)
    if order.collector:
        card = loyalty.card(order.collector)
        is_own = own is not None and card is not None and own.reference == card.reference
        bonus = loyalty.bonus_of(card) if card is not None and order.collected_at is None else ""
        return {"collector": card, "is_collectors_phone": is_own, "bonus": bonus}
    points = offered_points(order, own)
    return {"offered": {"points": points, "card": own}} if points else {}


def offered_points(order: Order, card: Card | None) -> int:
    """What the order would bring to this card; to a new one, together with the phone's other orders."""
    orders = list(queries.collectable_orders(order)) if loyalty.collects_at_tables() else []
    if order.pk not in {other.pk for other in orders} or not order.is_counted:
        return 0
    return loyalty.points_for([other.total for other in orders if card is None or other.pk == order.pk], card)
