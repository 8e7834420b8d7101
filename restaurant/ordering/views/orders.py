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
from restaurant.ordering import models
from restaurant.ordering.queries.orders import order_by_id, order_exists
from restaurant.ordering.queries.sessions import session_exists
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
from restaurant.tables.queries import parse_table_number
from web import idempotency, languages
from web.errors import DomainError
from web.fields import ErrorResponse, is_uuid
from web.forms import valid
from web.permissions import PUBLIC
from web.views import FormResponse, ObjectResponse, Page, PageView


class CountedBySession(PageView):
    """A guest's POST that names the table's session, and is counted by it."""

    access = PUBLIC
    throttle_scope = "order"

    def throttle_identity(self, request: Request) -> str:
        session_id = request.data.get("sessionId") if isinstance(request.data, dict) else None
        session_id = session_id or request.COOKIES.get(guests.SESSION_COOKIE)
        return f"session-{session_id.lower()}" if isinstance(session_id, str) and is_uuid(session_id) else ""

    def throttle_identity_exists(self, identity: str) -> bool:
        return session_exists(identity.removeprefix("session-"))


class PlaceOrder(guests.GatedView, CountedBySession):
    """`POST /table/{tableNumber}/order`. See "Placing an order" in docs/behaviour/restaurant.md."""

    template_name = cart_views.TEMPLATE

    @extend_schema(
        request=OrderBody,
        parameters=[idempotency.PARAMETER],
        responses={200: PlacedOrder, 409: OrderConflict, **dict.fromkeys((403, 404), ErrorResponse)},
    )
    def post(self, request: Request, table_number: str) -> Response:
        number = parse_table_number(table_number)
        if staff_orders.is_form(request):
            return self._place_for_guests(request, number)
        is_staff = staff.may(request, staff.CLOSE_SESSION)
        body = (StaffOrderBody if is_staff else OrderBody)(data=cart_form.order_body(request))
        try:
            body.is_valid(raise_exception=True)
            with worded_for_guests() if isinstance(request.data, QueryDict) else contextlib.nullcontext():
                placed = self._place(request, number, body.validated_data)
        except (ValidationError, DomainError):
            self._save_form(request, number)
            raise
        response = FormResponse(PlacedOrder(placed), redirect_to=f"/orders/{placed.order.pk}")
        order_points.remember_choice(request, response)
        return response

    def _place_for_guests(self, request: Request, number: int) -> Response:
        """The form of the page on which staff take orders."""
        staff_orders.require_staff(request)
        values = valid(StaffOrderBody(data=staff_orders.order_body(request)))
        with staff_orders.worded_for_staff():
            placed = self._place(request, number, values)
        page = f"/floor/tables/{placed.order.table.table_number}"
        return FormResponse(PlacedOrder(placed), redirect_to=page)

    @staticmethod
    def _place(request: Request, number: int, values: dict[str, Any]) -> orders.PlacedOrder:
        """`values` are those of an `OrderBody`."""
        is_staff = staff.may(request, staff.CLOSE_SESSION)
        no_points = ["no points"] if values.pop("collect") is False else []
        entries = (astuple(entry) for entry in values["entries"])
        try:
            return orders.place(
                table_number=number,
                guest=guests.guest_of(request) if guests.GUEST_COOKIE in request.COOKIES and not is_staff else "",
                own_session=request.COOKIES.get(guests.SESSION_COOKIE, ""),
                scan=guests.scan_of(request),
                staff=staff.name_of(request) if is_staff else "",
                collector=order_points.collector_of(request),
                language="" if is_staff else languages.other_than_own(),
                key=idempotency.key_of(request, *entries, *values["allergies"], *no_points),
                **values,
            )
        except MenuChanged as error:
            error.extra = MenuChange(error).data
            raise

    @staticmethod
    def _save_form(request: Request, number: int) -> None:
        """Put what was entered in the cart's form into the cart, which the page of the error shows."""
        form = request.data
        if not isinstance(form, QueryDict):
            return
        with contextlib.suppress(DomainError, ValidationError):
            entries, version = cart_form.entries_after_button(form), form.get("cartVersion", "")
            session = guests.session_of(request, number, form.get("sessionId"))
            if entries:
                cart.replace(session=session, guest=guests.guest_of(request), entries=entries, version=version)

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """The cart again, with what was entered and the prices that have changed; or the page of staff."""
        if staff_orders.is_form(self.request):
            return staff_orders.error_page(self.request, self.kwargs["table_number"], error)
        if status == 403:
            return super().error_page(error, status)
        seen = cart_form.prices_seen(self.request.data) if isinstance(self.request.data, QueryDict) else {}
        return cart_views.error_page(self.request, self.kwargs["table_number"], prices_seen=seen)


class CountedByOrder(LiveView):
    """A view of one order, whose requests are counted by it: the phones of a full house share one address."""

    throttle_scope = "public"

    def throttle_identity(self, request: Request) -> str:
        order_id: str = self.kwargs["order_id"]
        return f"order-{order_id.lower()}" if is_uuid(order_id) else ""

    def throttle_identity_exists(self, identity: str) -> bool:
        return order_exists(identity.removeprefix("order-"))


class Order(CountedByOrder):
    """`GET /orders/{orderId}`: the guest's view of one order."""

    access = PUBLIC
    template_name = "restaurant/ordering/order.html"

    @extend_schema(responses={200: GuestOrder, 404: ErrorResponse})
    def get(self, request: Request, order_id: str) -> Response:
        return ObjectResponse(GuestOrder(order_by_id(order_id)), headers={"Cache-Control": "private, no-cache"})

    def page_context(self, order: models.Order) -> dict[str, Any]:
        return order_page.context(self.request, order)
