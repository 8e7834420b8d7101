"""An order: placed by a guest, followed by the guest, moved on by the kitchen."""

import contextlib
from dataclasses import astuple
from typing import Any

from django.http import QueryDict
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.errors import MenuChanged, worded_for_guests
from restaurant.live import LiveView
from restaurant.ordering import models, queries
from restaurant.ordering.serializers.orders import (
    GuestOrder,
    MenuChange,
    OrderBody,
    OrderConflict,
    PlacedOrder,
    StaffOrderBody,
)
from restaurant.ordering.services import cart, orders
from restaurant.ordering.views import cart as cart_views
from restaurant.ordering.views import cart_form, guests, order_page, order_points, staff_orders
from restaurant.tables import queries as tables_queries
from web import idempotency
from web.errors import DomainError
from web.fields import ErrorResponse, is_uuid
from web.permissions import PUBLIC
from web.views import FormResponse, ObjectResponse, Page, PageView


class OfSession(PageView):
    """A guest's POST that names the table's session, and is counted by it."""

    access = PUBLIC
    throttle_scope = "order"

    def throttle_identity(self, request: Request) -> str:
        session_id = request.data.get("sessionId") if isinstance(request.data, dict) else None
        return f"session-{session_id.lower()}" if isinstance(session_id, str) and is_uuid(session_id) else ""

    def throttle_identity_exists(self, identity: str) -> bool:
        return queries.session_exists(identity.removeprefix("session-"))


class PlaceOrder(guests.GatedView, OfSession):
    """`POST /table/{tableNumber}/order`. See "Placing an order" in docs/behaviour/restaurant.md."""

    template_name = "restaurant/ordering/cart.html"

    @extend_schema(
        request=OrderBody,
        parameters=[idempotency.PARAMETER],
        responses={200: PlacedOrder, 409: OrderConflict, **dict.fromkeys((403, 404), ErrorResponse)},
    )
    def post(self, request: Request, table_number: str) -> Response:
        number = tables_queries.parse_table_number(table_number)
        if staff_orders.is_form(request):
            return self._place_for_guests(request, number)
        is_staff = staff.may(request, staff.CLOSE_SESSION)
        body = (StaffOrderBody if is_staff else OrderBody)(data=cart_form.order_body(request))
        try:
            body.is_valid(raise_exception=True)
            with worded_for_guests() if isinstance(request.data, QueryDict) else contextlib.nullcontext():
                placed = self._place(request, number, **body.validated_data)
        except (ValidationError, DomainError):
            self._save_form(request, number)
            raise
        response = FormResponse(PlacedOrder(placed), redirect_to=f"/orders/{placed.order.pk}")
        order_points.remember(request, response)
        return response

    def _place_for_guests(self, request: Request, number: int) -> Response:
        """The form of the page on which staff take orders."""
        staff_orders.require_staff(request)
        body = StaffOrderBody(data=staff_orders.order_body(request))
        body.is_valid(raise_exception=True)
        with staff_orders.worded_for_staff():
            placed = self._place(request, number, **body.validated_data)
        page = f"/floor/tables/{placed.order.table.table_number}"
        return FormResponse(PlacedOrder(placed), redirect_to=page)

    @staticmethod
    def _place(
        request: Request,
        number: int,
        *,
        items: Any,
        sessionId: Any,
        allergies: Any,
        collect: bool | None,
        expectedTotal: Any,
        cartVersion: str,
    ) -> orders.PlacedOrder:
        is_staff = staff.may(request, staff.CLOSE_SESSION)
        no_points = ["no points"] if collect is False else []
        try:
            return orders.place(
                table_number=number,
                session_id=sessionId,
                entries=items,
                guest=guests.guest_of(request) if guests.GUEST_COOKIE in request.COOKIES and not is_staff else "",
                own_session=request.COOKIES.get(guests.SESSION_COOKIE, ""),
                scanned_code=guests.scanned_code(request),
                staff=staff.name_of(request) if is_staff else "",
                allergies=allergies,
                collector=order_points.collector_of(request),
                key=idempotency.key_of(request, *(astuple(entry) for entry in items), *allergies, *no_points),
                expected_total=expectedTotal,
                cart_version=cartVersion,
            )
        except MenuChanged as error:
            error.extra = MenuChange(error).data
            raise

    @staticmethod
    def _save_form(request: Request, number: int) -> None:
        """Put what was entered in the cart's form into the cart, which the page of the error shows."""
        if not isinstance(request.data, QueryDict):
            return
        with contextlib.suppress(DomainError, ValidationError):
            entries = cart_form.entries_after_button(request.data)
            session = guests.session_of(request, number, request.data.get("sessionId"))
            if entries:
                version = request.data.get("cartVersion", "")
                cart.replace(session=session, guest=guests.guest_of(request), entries=entries, version=version)

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """The cart again, with what was entered and the prices that have changed; or the page of staff."""
        if staff_orders.is_form(self.request):
            return staff_orders.error_page(self.request, self.kwargs["table_number"], error)
        if status == 403:
            return super().error_page(error, status)
        seen = cart_form.prices_seen(self.request.data) if isinstance(self.request.data, QueryDict) else {}
        return cart_views.error_page(self.request, self.kwargs["table_number"], self.template_name, prices_seen=seen)


class Order(LiveView):
    """`GET /orders/{orderId}`: the guest's view of one order."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = "restaurant/ordering/order.html"

    def throttle_identity(self, request: Request) -> str:
        # By order: the phones of a full house poll when they can't reach the socket, and share one address.
        order_id: str = self.kwargs["order_id"]
        return f"order-{order_id.lower()}" if is_uuid(order_id) else ""

    def throttle_identity_exists(self, identity: str) -> bool:
        return queries.order_exists(identity.removeprefix("order-"))

    @extend_schema(responses={200: GuestOrder, 404: ErrorResponse})
    def get(self, request: Request, order_id: str) -> Response:
        return ObjectResponse(GuestOrder(queries.order(order_id)), headers={"Cache-Control": "private, no-cache"})

    def page_context(self, order: models.Order) -> dict[str, Any]:
        return order_page.context(self.request, order)
