"""The choice of a phone whether its card collects the points for its orders, and what pages show of these points.

See "Points from the table" in docs/behaviour/restaurant.md.
"""

from decimal import Decimal
from typing import Any

from django.http import HttpResponse, QueryDict
from rest_framework.request import Request

from loyalty import gateway as loyalty
from loyalty.gateway import Card
from restaurant import staff
from restaurant.ordering.models import Order
from restaurant.ordering.queries.orders import is_from_phone
from restaurant.ordering.queries.points import collectable
from restaurant.ordering.views import guests

# Set to "no" where the phone's guest does not want points. Sent to the tables' pages only.
COOKIE = "collect"


def is_collecting(request: Request) -> bool:
    """The choice in this request, or else the phone's last one."""
    choice = _choice_in(request)
    return request.COOKIES.get(COOKIE) != "no" if choice is None else choice


def _choice_in(request: Request) -> bool | None:
    """The field `collect` of JSON, or the box of the cart's form; None without either."""
    if isinstance(request.data, QueryDict):
        return "collect" in request.data if "collectShown" in request.data else None
    choice = request.data.get("collect") if isinstance(request.data, dict) else None
    return choice if isinstance(choice, bool) else None


def remember_choice(request: Request, response: HttpResponse) -> None:
    """Keep the choice in this request for the phone's next orders."""
    choice = _choice_in(request)
    if choice is False:
        guests.set_cookie(response, COOKIE, "no", path="/table")
    elif choice and COOKIE in request.COOKIES:
        response.delete_cookie(COOKIE, path="/table", samesite="Lax")


def card_of(request: Request) -> Card | None:
    """The card that may collect what this phone orders; None also for staff, who order for guests."""
    return loyalty.card_of_phone(request) if _earns_points(request) else None


def _earns_points(request: Request) -> bool:
    return loyalty.collects_at_tables() and not staff.may(request, staff.CLOSE_SESSION)


def collector_of(request: Request) -> str:
    """The value of `Order.collector` for an order of this request; empty where no card collects its points."""
    card = card_of(request) if is_collecting(request) else None
    return card.reference if card else ""


def cart_context(request: Request, total: Decimal) -> dict[str, Any]:
    """The card of this phone, and the points that the cart earns on it, or on a new one after ordering."""
    if not _earns_points(request):
        return {}
    card = loyalty.card_of_phone(request)
    points = loyalty.points_for([total], card)
    return {"earns_points": True, "card": card, "points": points, "is_collecting": is_collecting(request)}


def order_context(request: Request, order: Order) -> dict[str, Any]:
    """The card that collects the order's points, or what the phone that placed it can still collect."""
    if not loyalty.collects_at_tables() or not is_from_phone(order, guests.guest_of(request)):
        return {}
    own = loyalty.card_of_phone(request)
    if not order.collector:
        return {"offered": collectable(order, own)}
    card = loyalty.card(order.collector)
    is_own = own is not None and card is not None and own.reference == card.reference
    bonus = loyalty.bonus_of(card) if card is not None and order.collected_at is None else ""
    return {"collector": card, "is_collectors_phone": is_own, "bonus": bonus}
