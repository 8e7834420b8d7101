"""`/table/{n}/cart`: what this phone has chosen.

GET reads it, POST adds one item, PATCH says how many of one line there are (the menu's steppers), PUT replaces all (the
cart's page). The form of the cart's page POSTs all lines, and the name of the button that sent it.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, QueryDict
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, OpenApiTypes, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.errors import CartChanged, KitchenClosed, SessionUnknown, TableUnknown, clock_time, worded_for_guests
from restaurant.menu.models import Allergen
from restaurant.menu.views.allergies import allergies_of
from restaurant.ordering import models, queries
from restaurant.ordering.serializers.cart import CartAddition, CartBody, CartConflict, CartContents, CartLineChange
from restaurant.ordering.services import cart
from restaurant.ordering.views import cart_form, cart_lines, cart_undo, dish, guests, order_points, suggestions
from restaurant.tables import queries as tables_queries
from web import idempotency
from web.fields import ErrorResponse, is_uuid
from web.forms import is_page
from web.permissions import PUBLIC
from web.views import FormResponse, ObjectResponse, Page

_ERRORS = dict.fromkeys((403, 404, 409), ErrorResponse)


def page_context(
    request: Request,
    cart: queries.Cart,
    *,
    told: Sequence[str] | None = None,
    prices_seen: Mapping[str, Decimal] | None = None,
) -> dict[str, Any]:
    """`told`: the allergies that the kitchen is told of, by default all of the phone's. `prices_seen`: by line."""
    session, allergies = cart.session, allergies_of(request)
    is_open = guests.is_open_to(request, session)
    # Staff may order all the same.
    until = None if staff.may(request, staff.CLOSE_SESSION) else cart.menu.closed_until(timezone.now())
    return {
        "table": session.table,
        "session": session,
        "cart": cart,
        "lines": cart_lines.lines(cart, allergies=allergies, prices_seen=prices_seen or {}),
        "allergies": [
            {"name": name, "label": label, "is_told": told is None or name in told}
            for name, label in Allergen.choices
            if name in allergies
        ],
        **order_points.cart_context(request, cart.total),
        "closed": str(KitchenClosed(until=until).detail) if until else "",
        "again": clock_time(until) if until else "",
        "is_open": is_open,
        "nothing_left": not cart.orderable,
        # For the order that this page may place: sent twice, it is one order.
        "idempotency_key": idempotency.new_key(),
        "ordered": queries.orders_for_guest(session, guests.guest_of(request), with_dishes=True),
        "suggestions": suggestions.beside_cart(cart, timezone.now(), allergies) if is_open and not until else [],
        "approval": queries.approval(session, queries.ordering_rules()),
        "can_call": session.ended_at is None,
        "open_calls": queries.open_call_times(session),
    }


def error_page(
    request: Request, table_number: str, template: str, *, prices_seen: Mapping[str, Decimal] | None = None
) -> Page | None:
    """The cart's page for a refused form; None if the phone has no session here."""
    if not isinstance(request.data, QueryDict):
        return None
    try:
        number = tables_queries.parse_table_number(table_number)
        session = guests.session_of(request, number, request.data.get("sessionId"))
    except (TableUnknown, SessionUnknown):
        return None
    cart = queries.cart(session, guests.guest_of(request))
    told = request.data.getlist("allergies") if "allergiesShown" in request.data else None
    return Page(template, page_context(request, cart, told=told, prices_seen=prices_seen))


class Cart(guests.GatedView):
    access = PUBLIC
    throttle_scope = "public"
    template_name = "restaurant/ordering/cart.html"

    @extend_schema(
        parameters=[OpenApiParameter("sessionId", OpenApiTypes.UUID, description="Else the one scanned into.")],
        responses={200: CartContents, **_ERRORS},
    )
    def get(self, request: Request, table_number: str) -> HttpResponse:
        number = tables_queries.parse_table_number(table_number)
        self.session = self._session(request, number, request.query_params.get("sessionId"))
        present = self.session.table.table_number
        if present != number and is_page(request):
            return guests.lead_to(request, self.session, f"/table/{present}/cart")
        return self._respond(request)

    @extend_schema(request=CartAddition, responses={200: CartContents, **_ERRORS})
    def post(self, request: Request, table_number: str) -> Response:
        number = tables_queries.parse_table_number(table_number)
        if isinstance(request.data, QueryDict):
            return self._form(request, request.data, number)
        body = CartAddition(data=request.data)
        body.is_valid(raise_exception=True)
        values = body.validated_data
        self.session = self._session(request, number, values.pop("session_id"))
        cart.add(session=self.session, guest=guests.guest_of(request), **values)
        return self._respond(request)

    @extend_schema(request=CartBody, responses={200: CartContents, **_ERRORS, 409: CartConflict})
    def put(self, request: Request, table_number: str) -> Response:
        number = tables_queries.parse_table_number(table_number)
        body = CartBody(data=request.data)
        body.is_valid(raise_exception=True)
        values = body.validated_data
        self.session = self._session(request, number, values.get("sessionId"))
        guest, version = guests.guest_of(request), values["cartVersion"]
        cart.replace(session=self.session, guest=guest, entries=values["items"], version=version)
        return self._respond(request)

    @extend_schema(request=CartLineChange, responses={200: CartContents, **_ERRORS})
    def patch(self, request: Request, table_number: str) -> Response:
        number = tables_queries.parse_table_number(table_number)
        body = CartLineChange(data=request.data)
        body.is_valid(raise_exception=True)
        values = body.validated_data
        self.session = self._session(request, number, values.pop("session_id"))
        cart.set_quantity(session=self.session, guest=guests.guest_of(request), **values)
        return self._respond(request)

    @staticmethod
    def _session(request: Request, number: int, session_id: str | None = None) -> models.TableSession:
        session = guests.session_of(request, number, session_id)
        guests.require_scan(request, session)
        return session

    def _form(self, request: Request, form: QueryDict, number: int) -> Response:
        """A button without JavaScript: `add` on the menu, `again` on an order, and those of the cart's lines."""
        self.session = self._session(request, number, form.get("sessionId"))
        guest = guests.guest_of(request)
        number = self.session.table.table_number
        page = f"/table/{number}/cart"
        if order_id := form.get("again"):
            cart.add_again(session=self.session, guest=guest, order_id=order_id)
        elif item_id := form.get("add"):
            with worded_for_guests():
                cart.add(session=self.session, guest=guest, entry=cart.Entry(item_id))
            page = f"/table/{number}?from=cart#item-{item_id}"
            if is_uuid(beside := form.get("beside", "")):
                page = f"/table/{number}/dishes/{beside}?added={item_id}#goes-with-name"
        elif "undo" in form:
            if removed := cart_undo.removed_line(request):
                with worded_for_guests():
                    cart.add(session=self.session, guest=guest, entry=removed)
        elif dish.is_form(form):
            page = dish.save_form(form, self.session, guest)
        else:
            with worded_for_guests():
                entries, version = cart_form.entries_after_button(form), form.get("cartVersion", "")
                cart.replace(session=self.session, guest=guest, entries=entries, version=version)
                if item_id := form.get("addBeside"):
                    cart.add(session=self.session, guest=guest, entry=cart.Entry(item_id))
            untold = [each for each in form.getlist("allergiesShown") if each not in form.getlist("allergies")]
            page += f"?{urlencode({'untold': ','.join(untold)})}" if untold else ""
        response = self._respond(request, redirect_to=page)
        cart_undo.remember(request, response, cart_form.removed_by_button(form), number)
        return response

    def _respond(self, request: Request, *, redirect_to: str = "") -> Response:
        guest = guests.guest_of(request)
        contents = CartContents(queries.cart(self.session, guest))
        response = FormResponse(contents, redirect_to=redirect_to) if redirect_to else ObjectResponse(contents)
        # An address that names an old bill must not make it the phone's own.
        session = self.session if guests.is_open_to(self.request, self.session) else None
        guests.set_cookies(response, guest=guest, session=session, table_number=self.session.table.table_number)
        if self.request.method in ("PUT", "POST"):
            order_points.remember(self.request, response)
        return response

    def page_context(self, cart: queries.Cart) -> dict[str, Any]:
        untold = self.request.query_params.get("untold", "").split(",")
        told = [each for each in allergies_of(self.request) if each not in untold]
        return {
            **page_context(self.request, cart, told=told),
            "removed": cart_undo.removed_name(self.request),
            # A script has been told so, and has opened the page anew.
            "changed": str(CartChanged.default_detail) if "changed" in self.request.query_params else "",
        }

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        if status == 403:
            return super().error_page(error, status)
        number = self.kwargs["table_number"]
        return dish.error_page(self.request, number) or error_page(self.request, number, self.template_name)
