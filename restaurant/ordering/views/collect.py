"""Points for an order that nobody collects yet: onto the phone's card, or onto a new one."""

import contextlib
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty import gateway as loyalty
from loyalty.gateway import Card
from restaurant.errors import NothingToCollect, NotYourPoints
from restaurant.ordering.models import Order
from restaurant.ordering.queries.orders import is_from_phone, order_by_id
from restaurant.ordering.queries.points import collectable
from restaurant.ordering.serializers.collect import Collectable, CollectBody
from restaurant.ordering.serializers.orders import GuestOrder
from restaurant.ordering.services import order_points
from restaurant.ordering.views import guests
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, valid
from web.permissions import PUBLIC
from web.views import FormResponse, ObjectResponse, Page, PageView


# See "Points from the table" in docs/behaviour/restaurant.md.
class Collect(PageView):
    """GET is what an order's phone can collect, and the form to enrol; POST collects it."""

    access = PUBLIC
    template_name = "restaurant/ordering/collect.html"
    context_object_name = "offer"
    error_statuses = frozenset({400, 409, 429, 503})

    @property
    def throttle_scope(self) -> str:  # type: ignore[override]
        enrols = self.request.method == "POST" and loyalty.card_of_phone(self.request) is None
        return "enrolment" if enrols else "public"

    @extend_schema(responses={200: Collectable, **dict.fromkeys((403, 404, 409), ErrorResponse)})
    def get(self, request: Request, order_id: str) -> Response:
        offer = collectable(_own_order(request, order_id), loyalty.card_of_phone(request))
        if offer is None:
            raise NothingToCollect
        return ObjectResponse(Collectable(offer), headers={"Cache-Control": "private, no-store"})

    @extend_schema(
        request=CollectBody,
        responses={200: GuestOrder, **dict.fromkeys((403, 404, 409, 503), ErrorResponse)},
    )
    def post(self, request: Request, order_id: str) -> Response:
        order = _own_order(request, order_id)
        card = loyalty.card_of_phone(request)
        if card is not None:
            order_points.assign(order=order, card=card)
        elif not order.collector:  # else a repeat of the form that enrolled
            card = self._enrol(request, order)
        response = FormResponse(GuestOrder(order_by_id(order_id)), redirect_to=f"/orders/{order.pk}")
        if card is not None:
            loyalty.sign_in(request, response, card)
        return response

    @staticmethod
    def _enrol(request: Request, order: Order) -> Card | None:
        """The new card; None if the same form, sent twice, has made it at the same moment."""
        values = valid(CollectBody(data=body_of(request)))
        if collectable(order, None) is None:
            raise NothingToCollect
        try:
            card = loyalty.enrol(request, **values)
        except loyalty.EmailTaken:
            if order_by_id(str(order.pk)).collector:
                return None
            raise
        order_points.assign(order=order, card=card, others=True)
        return card

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """The form again, with what was entered; for an address that has a card, with a way to it."""
        entered = None
        with contextlib.suppress(APIException):  # a body that can't be read, of a request that was refused before
            entered = form_fields(self.request)
        if entered is None:
            return None
        offer = collectable(order_by_id(self.kwargs["order_id"]), loyalty.card_of_phone(self.request))
        if offer is None:
            return None
        has_card = status == 409 and not offer.name
        return Page(self.template_name, {"offer": offer, "entered": entered, "has_card": has_card})


def _own_order(request: Request, order_id: str) -> Order:
    """An order of the phone that asks. Raises OrderUnknown, NothingToCollect, NotYourPoints."""
    order = order_by_id(order_id)
    if not loyalty.collects_at_tables():
        raise NothingToCollect
    if not is_from_phone(order, guests.guest_of(request)):
        raise NotYourPoints
    return order
