"""`/table/{n}/cart`: what this phone has chosen (decision 5.8).

GET reads it, POST adds one item (the menu's Add buttons), PUT replaces it (the cart's steppers). The form of
the cart's page POSTs all lines, and does with them what its button says.
"""

import secrets
from typing import Any

from django.http import QueryDict
from drf_spectacular.utils import OpenApiParameter, OpenApiTypes, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import queries, serializers
from restaurant.services import cart
from restaurant.services.cart import MAX_QUANTITY, Entry
from restaurant.views import guests
from web.fields import ErrorResponse
from web.permissions import PUBLIC
from web.views import FormResponse, PageView

_ERRORS = dict.fromkeys((404, 409), ErrorResponse)


def face(session: queries.TableSession, guest: str) -> dict[str, Any]:
    return {
        "table": queries.table_face(session.table),
        "session": queries.session_face(session),
        **queries.cart(session, guest),
    }


def page_context(session: queries.TableSession, items: list[dict[str, Any]]) -> dict[str, Any]:
    # A key for the order that this page may place: the same page sent twice is one order (decision 1.7).
    return {
        "is_open": queries.is_open(session),
        "nothing_left": not any(item["available"] for item in items),
        "idempotency_key": secrets.token_urlsafe(16),
        "ordered": queries.orders_of_session(session.pk),
    }


class Cart(PageView):
    access = PUBLIC
    throttle_scope = "public"
    template_name = "restaurant/cart.html"

    @extend_schema(
        parameters=[OpenApiParameter("sessionId", OpenApiTypes.UUID, description="Else the one scanned into.")],
        responses={200: serializers.CartFace, **_ERRORS},
    )
    def get(self, request: Request, table_number: str) -> Response:
        number = queries.table_number(table_number)
        self.session = guests.session_of(request, number, request.query_params.get("sessionId"))
        return self._respond(request)

    @extend_schema(request=serializers.CartAddition, responses={200: serializers.CartFace, **_ERRORS})
    def post(self, request: Request, table_number: str) -> Response:
        number = queries.table_number(table_number)
        if isinstance(request.data, QueryDict):
            return self._form(request, request.data, number)
        body = serializers.CartAddition(data=request.data)
        body.is_valid(raise_exception=True)
        self.session = guests.session_of(request, number, body.validated_data.get("sessionId"))
        cart.add(
            session=self.session,
            guest=guests.guest_of(request),
            menu_item_id=body.validated_data["menuItemId"],
            quantity=body.validated_data["quantity"],
        )
        return self._respond(request)

    @extend_schema(request=serializers.CartBody, responses={200: serializers.CartFace, **_ERRORS})
    def put(self, request: Request, table_number: str) -> Response:
        number = queries.table_number(table_number)
        body = serializers.CartBody(data=request.data)
        body.is_valid(raise_exception=True)
        self.session = guests.session_of(request, number, body.validated_data.get("sessionId"))
        cart.replace(session=self.session, guest=guests.guest_of(request), entries=body.validated_data["items"])
        return self._respond(request)

    def _form(self, request: Request, form: QueryDict, number: int) -> Response:
        """A button without JavaScript: `add` on the menu, `again` on an order, and those of the cart's lines."""
        self.session = guests.session_of(request, number)
        guest = guests.guest_of(request)
        added, again = form.get("add"), form.get("again")
        if again:
            cart.add_again(session=self.session, guest=guest, order_id=again)
            page = f"/table/{number}/cart"
        elif added:
            cart.add(session=self.session, guest=guest, menu_item_id=added)
            page = f"/table/{number}?from=cart#item-{added}"
        else:
            cart.replace(session=self.session, guest=guest, entries=entries_after_button(form))
            page = f"/table/{number}/cart"
        return self._respond(request, redirect_to=page)

    def _respond(self, request: Request, *, redirect_to: str = "") -> Response:
        guest = guests.guest_of(request)
        data = face(self.session, guest)
        response = FormResponse(data, redirect_to=redirect_to) if redirect_to else Response(data)
        guests.remember(response, guest=guest, session=self.session, table_number=self.session.table.table_number)
        return response

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return page_context(self.session, data["items"])


def entries_after_button(form: Any) -> list[Entry]:
    """The lines of the form, after what its button says was done to one of them."""
    changes = {form.get("more"): 1, form.get("fewer"): -1, form.get("remove"): -MAX_QUANTITY}
    entries = []
    for raw in serializers.entries_of_form(form):
        if not isinstance(raw["quantity"], int):
            raise ValidationError({"quantity": f"A whole number from 1 to {MAX_QUANTITY} is needed."})
        quantity = min(raw["quantity"] + changes.get(raw["menuItemId"], 0), MAX_QUANTITY)
        note = raw["specialInstructions"].strip().replace("\0", "")[:500]
        entries.append(Entry(raw["menuItemId"], quantity, note))
    return entries
