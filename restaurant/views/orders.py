"""An order: placed by a guest, followed by the guest, moved on by the kitchen."""

import contextlib
from dataclasses import astuple
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import queries, serializers
from restaurant.services import cart, orders
from restaurant.views import cart as cart_views
from restaurant.views import guests
from restaurant.views.live import LiveView, socket_url
from web import idempotency
from web.errors import DomainError
from web.fields import ErrorResponse, SuccessResponse, is_uuid
from web.permissions import PUBLIC
from web.views import FormResponse, Page, PageView


class PlaceOrder(PageView):
    """`POST /table/{tableNumber}/order` (document 3, decision 5.3)."""

    access = PUBLIC
    throttle_scope = "order"
    template_name = "restaurant/cart.html"

    def throttle_identity(self, request: Request) -> str:
        session_id = request.data.get("sessionId") if isinstance(request.data, dict) else None
        if not isinstance(session_id, str) or not is_uuid(session_id):
            return ""
        return f"session-{session_id.lower()}"  # however it is spelt, it is one session

    @extend_schema(
        request=serializers.OrderBody,
        parameters=[idempotency.PARAMETER],
        responses={
            200: serializers.PlacedOrder,
            409: serializers.OrderConflict,
            404: ErrorResponse,
        },
    )
    def post(self, request: Request, table_number: str) -> Response:
        number = queries.table_number(table_number)
        body = serializers.OrderBody(data=serializers.body_of(request))
        if not body.is_valid():
            self._save_entered(request, number)
            raise ValidationError(body.errors)
        entries = body.validated_data["items"]
        try:
            placed = orders.place(
                table_number=number,
                session_id=body.validated_data["sessionId"],
                entries=entries,
                guest=guests.guest_of(request) if guests.GUEST_COOKIE in request.COOKIES else "",
                key=idempotency.key_of(request, *(astuple(entry) for entry in entries)),
                expected_total=body.validated_data["expectedTotal"],
            )
        except DomainError:
            self._save_entered(request, number)
            raise
        data = {**placed, "message": _("Thank you. Your order is on its way to the kitchen.")}
        return FormResponse(data, redirect_to=f"/orders/{placed['orderId']}")

    def _save_entered(self, request: Request, number: int) -> None:
        """Keep what was entered in the cart's form, in the cart."""
        form = request.data
        if not isinstance(form, QueryDict):
            return
        with contextlib.suppress(DomainError, ValidationError):
            session = guests.session_of(request, number, form.get("sessionId"))
            entered = cart_views.entries_after_button(form)
            if queries.is_open(session) and entered:
                cart.replace(session=session, guest=guests.guest_of(request), entries=entered)

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """The cart again, with what was entered."""
        form = self.request.data
        if not isinstance(form, QueryDict):
            return None
        try:
            number = queries.table_number(self.kwargs["table_number"])
            session = guests.session_of(self.request, number, form.get("sessionId"))
        except DomainError:
            return None
        face = cart_views.face(session, guests.guest_of(self.request))
        context = cart_views.page_context(session, face["items"])
        return Page(self.template_name, {**face, **context, "was": _dearer_or_cheaper(face, form)})


def _dearer_or_cheaper(face: dict[str, Any], form: QueryDict) -> dict[str, Any]:
    """By item: the price that the guest saw, where it is another one now."""
    seen = serializers.prices_seen(form)
    now = {item["menuItemId"]: item["price"] for item in face["items"]}
    return {item_id: price for item_id, price in seen.items() if item_id in now and now[item_id] != price}


class Order(LiveView):
    """`GET /orders/{orderId}`: the guest's view of one order (decision 5.7)."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = "restaurant/order.html"

    def throttle_identity(self, request: Request) -> str:
        # By order: the phones of a full house that can't reach the socket ask every few seconds, from one address.
        order_id: str = self.kwargs["order_id"]
        return f"order-{order_id.lower()}" if is_uuid(order_id) else ""

    @extend_schema(responses={200: serializers.OrderFace, 404: ErrorResponse})
    def get(self, request: Request, order_id: str) -> Response:
        response = Response(queries.order(order_id))
        response["Cache-Control"] = "private, no-cache"
        return response

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return {
            "socket_url": f"{socket_url(self.request)}/orders/{data['orderId']}",
            "states": _states(),
            "ordered": queries.orders_beside(data["orderId"]),
        }


def _states() -> list[tuple[str, str, str, str]]:
    """Every status in the order in which it comes: a word for its step, a title and a sentence for guests."""
    return [
        ("pending", _("Received"), _("Order received"), _("The kitchen has it and will start soon.")),
        ("preparing", _("Cooking"), _("Being prepared"), _("The kitchen is working on it.")),
        ("ready", _("Ready"), _("Ready"), _("It is on its way to your table.")),
        ("served", _("Served"), _("Served"), _("Enjoy your meal!")),
        ("completed", "", _("Completed"), _("Thank you for coming.")),
    ]


class Status(PageView):
    """`POST /orders/{orderId}/status`: the kitchen moves an order (document 3, decision 5.4)."""

    access = "restaurant.work_kitchen"
    template_name = "restaurant/kitchen.html"

    @extend_schema(
        request=serializers.StatusBody,
        responses={200: SuccessResponse, 404: ErrorResponse},
    )
    def post(self, request: Request, order_id: str) -> Response:
        body = serializers.StatusBody(data=request.data)
        body.is_valid(raise_exception=True)
        orders.set_status(order_id=order_id, status=body.validated_data["status"])
        return FormResponse({"success": True}, redirect_to="/kitchen")
