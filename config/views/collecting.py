"""Points for an order that nobody collects yet: onto the phone's card, or onto a new one.

The restaurant knows the order and loyalty the card, so the page that needs both is here.
"""

import contextlib
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from config.collecting import card_of
from config.serializers import Collectable, CollectBody
from loyalty.errors import EmailTaken
from loyalty.members import models as members_models
from loyalty.members.views import member_session
from loyalty.points import queries as points_queries
from loyalty.points.services import enrolment
from restaurant import programme
from restaurant.errors import NothingToCollect, NotYourPoints
from restaurant.ordering import models as ordering_models
from restaurant.ordering import queries as ordering_queries
from restaurant.ordering.serializers.orders import GuestOrder
from restaurant.ordering.services import collecting
from restaurant.ordering.views import guests
from restaurant.ordering.views.collecting import offered_points
from web.fields import ErrorResponse
from web.forms import body_of, form_fields
from web.permissions import PUBLIC
from web.views import FormResponse, Page, PageView


# See "Points from the table" in docs/behaviour.md.
class Collect(PageView):
    """GET is what an order's phone can collect, and the form to enrol; POST collects it."""

    access = PUBLIC
    template_name = "config/collect.html"
    error_statuses = frozenset({400, 409, 429, 503})

    @property
    def throttle_scope(self) -> str:  # type: ignore[override]
        enrols = self.request.method == "POST" and member_session.signed_in_member(self.request) is None
        return "enrolment" if enrols else "public"

    @extend_schema(responses={200: Collectable, **dict.fromkeys((403, 404, 409), ErrorResponse)})
    def get(self, request: Request, order_id: str) -> Response:
        order = _own_order(request, order_id)
        found = _collectable(request, order)
        if not found["points"]:
            raise NothingToCollect
        return Response(Collectable(found).data, headers={"Cache-Control": "private, no-store"})

    @extend_schema(
        request=CollectBody,
        responses={200: GuestOrder, **dict.fromkeys((403, 404, 409, 503), ErrorResponse)},
    )
    def post(self, request: Request, order_id: str) -> Response:
        order = _own_order(request, order_id)
        member = member_session.signed_in_member(request)
        if member is not None:
            collecting.assign(order=order, card=card_of(member))
        elif not order.collector:  # else a repeat of the form that enrolled
            member = self._enrol(request, order)
        response = FormResponse(GuestOrder(ordering_queries.order(order_id)).data, redirect_to=f"/orders/{order.pk}")
        if member is not None and not member_session.works_at_till(request):
            member_session.sign_in(request, response, member)
        return response

    @staticmethod
    def _enrol(request: Request, order: ordering_models.Order) -> members_models.Member | None:
        """The new member; None if the same form, sent twice, has enrolled them at the same moment."""
        body = CollectBody(data=body_of(request))
        body.is_valid(raise_exception=True)
        if not offered_points(order, None):
            raise NothingToCollect
        values = body.validated_data
        try:
            member = enrolment.enrol(
                email=values["email"], name=values["name"], recorded_by=member_session.recorded_by(request)
            )
        except EmailTaken:
            if ordering_queries.order(str(order.pk)).collector:
                return None
            raise
        collecting.assign(order=order, card=card_of(member), others=True)
        return member

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """The form again, with what was entered; for an address that has a card, with a way to it."""
        entered = None
        with contextlib.suppress(APIException):  # a body that can't be read, of a request that was refused before
            entered = form_fields(self.request)
        if entered is None:
            return None
        found = _collectable(self.request, ordering_queries.order(self.kwargs["order_id"]))
        if not found["points"]:
            return None
        has_card = status == 409 and not found["name"]
        return Page(self.template_name, {**Collectable(found).data, "entered": entered, "has_card": has_card})


def _own_order(request: Request, order_id: str) -> ordering_models.Order:
    """An order of the phone that asks. Raises OrderUnknown, NothingToCollect, NotYourPoints."""
    order = ordering_queries.order(order_id)
    if programme.current() is None:
        raise NothingToCollect
    if not ordering_queries.is_from_phone(order, guests.guest_of(request)):
        raise NotYourPoints
    return order


def _collectable(request: Request, order: ordering_models.Order) -> dict[str, Any]:
    member = member_session.signed_in_member(request)
    card = card_of(member) if member else None
    return {
        "order_id": order.pk,
        "points": offered_points(order, card),
        "name": card.first_name if card else "",
        "signup_bonus": points_queries.programme().signup_bonus if card is None else 0,
    }
