"""`/table/{n}/cart`: what this phone has chosen.

GET reads it, POST adds one item, PATCH says how many of one line there are (the menu's steppers), PUT replaces all (the
cart's page). The form of the cart's page POSTs all lines, and the name of the button that sent it.
"""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, QueryDict
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, OpenApiTypes, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from restaurant import staff
from restaurant.errors import CartChanged, KitchenClosed, SessionUnknown, TableUnknown, clock_time, worded_for_guests
from restaurant.menu.models import Allergen
from restaurant.menu.views.allergies import allergies_of
from restaurant.ordering.models import TableSession
from restaurant.ordering.queries import carts as cart_queries
from restaurant.ordering.queries.orders import approval, orders_for_guest
from restaurant.ordering.queries.sessions import open_call_times
from restaurant.ordering.serializers.cart import CartAddition, CartBody, CartConflict, CartContents, CartLineChange
from restaurant.ordering.services import cart
from restaurant.ordering.views import cart_form, cart_lines, cart_undo, dish, guests, order_points, suggestions
from restaurant.tables.queries import parse_table_number
from web import idempotency
from web.fields import ErrorResponse, is_uuid
from web.forms import is_page, valid
from web.permissions import PUBLIC
from web.views import FormResponse, ObjectResponse, Page

_ERRORS = dict.fromkeys((403, 404, 409), ErrorResponse)


TEMPLATE = "restaurant/ordering/cart.html"


def page_context(
    request: Request,
    cart: cart_queries.Cart,
    *,
    for_kitchen: Sequence[str] | None = None,
    prices_seen: Mapping[str, Decimal] | None = None,
) -> dict[str, Any]:
    """The context of the cart's page.

    `for_kitchen` are the allergies that the kitchen hears of, by default all of the phone's; `prices_seen` is by line.
    """
    session, allergies, now = cart.session, allergies_of(request), timezone.now()
    is_open = guests.is_open_to(request, session)
    # Staff may order all the same.
    until = None if staff.may(request, staff.CLOSE_SESSION) else cart.menu.closed_until(now)
    return {
        "table": session.table,
        "session": session,
        "cart": cart,
        "lines": cart_lines.lines(cart, allergies=allergies, prices_seen=prices_seen or {}),
        "allergies": [
            (name, label, for_kitchen is None or name in for_kitchen)
            for name, label in Allergen.choices
            if name in allergies
        ],
        **order_points.cart_context(request, cart.total),
        "closed": str(KitchenClosed(until=until, why=cart.menu.why_closed(now)).detail) if until else "",
        "again": clock_time(until) if until else "",
        "is_open": is_open,
        "nothing_left": not cart.orderable,
        # For the order that this page may place: sent twice, it is one order.
        "idempotency_key": idempotency.new_key(),
        "ordered": orders_for_guest(session, guests.guest_of(request), with_dishes=True),
        "suggestions": suggestions.beside_cart(cart, now, allergies) if is_open and not until else [],
        "approval": approval(session),
        "can_call": session.ended_at is None,
        "open_calls": open_call_times(session),
    }


def error_page(request: Request, table_number: str, *, prices_seen: Mapping[str, Decimal] | None = None) -> Page | None:
    """The cart's page for a refused form; None if the phone has no session here."""
    if not isinstance(request.data, QueryDict):
        return None
    try:
        session = guests.session_of(request, parse_table_number(table_number), request.data.get("sessionId"))
    except (TableUnknown, SessionUnknown):
        return None
    cart = cart_queries.cart_of(session, guests.guest_of(request))
    for_kitchen = request.data.getlist("allergies") if "allergiesShown" in request.data else None
    return Page(TEMPLATE, page_context(request, cart, for_kitchen=for_kitchen, prices_seen=prices_seen))


class Cart(guests.GatedView):
    access = PUBLIC
    throttle_scope = "public"
    template_name = TEMPLATE

    @extend_schema(
        parameters=[OpenApiParameter("sessionId", OpenApiTypes.UUID, description="Else the one scanned into.")],
        responses={200: CartContents, **_ERRORS},
    )
    def get(self, request: Request, table_number: str) -> HttpResponse:
        number = parse_table_number(table_number)
        self.session = self._session(request, number, request.query_params.get("sessionId"))
        present = self.session.table.table_number
        if present != number and is_page(request):
            return guests.lead_to(request, self.session, f"/table/{present}/cart")
        return self._respond(request)

    @extend_schema(request=CartAddition, responses={200: CartContents, **_ERRORS})
    def post(self, request: Request, table_number: str) -> Response:
        if isinstance(request.data, QueryDict):
            return self._press_button(request, request.data, parse_table_number(table_number))
        return self._change(request, table_number, CartAddition, cart.add)

    @extend_schema(request=CartBody, responses={200: CartContents, **_ERRORS, 409: CartConflict})
    def put(self, request: Request, table_number: str) -> Response:
        return self._change(request, table_number, CartBody, cart.replace)

    @extend_schema(request=CartLineChange, responses={200: CartContents, **_ERRORS})
    def patch(self, request: Request, table_number: str) -> Response:
        return self._change(request, table_number, CartLineChange, cart.set_quantity)

    def _change(
        self, request: Request, table_number: str, body_class: type[Serializer[Any]], change: Callable[..., None]
    ) -> Response:
        number = parse_table_number(table_number)
        values = valid(body_class(data=request.data))
        self.session = self._session(request, number, values.pop("session_id", None))
        change(session=self.session, guest=guests.guest_of(request), **values)
        return self._respond(request)

    @staticmethod
    def _session(request: Request, number: int, session_id: str | None) -> TableSession:
        session = guests.session_of(request, number, session_id)
        guests.require_scan(request, session)
        return session

    def _press_button(self, request: Request, form: QueryDict, number: int) -> Response:
        """A button without JavaScript: `add` on the menu, `again` on an order, and those of the cart's lines."""
        self.session = self._session(request, number, form.get("sessionId"))
        guest = guests.guest_of(request)
        if dish.is_form(form):
            page = dish.save_form(form, self.session, guest)
        elif order_id := form.get("again"):
            cart.add_again(session=self.session, guest=guest, order_id=order_id)
            page = self._path
        else:
            with worded_for_guests():
                page = self._press(form, guest)
        response = self._respond(request, redirect_to=page)
        removed = cart_form.removed_by_button(form)
        cart_undo.remember(request, response, removed, self.session.table.table_number)
        return response

    @property
    def _path(self) -> str:
        return f"/table/{self.session.table.table_number}/cart"

    def _press(self, form: QueryDict, guest: str) -> str:
        """Change the cart; return the page to show next."""
        if item_id := form.get("add"):
            cart.add(session=self.session, guest=guest, entry=cart.Entry(item_id))
            beside = form.get("beside", "")
            page = (
                f"/dishes/{beside}?added={item_id}#goes-with-name" if is_uuid(beside) else f"?from=cart#item-{item_id}"
            )
            return f"/table/{self.session.table.table_number}{page}"
        if "undo" in form:
            if removed := cart_undo.removed_line(self.request):
                cart.add(session=self.session, guest=guest, entry=removed)
            return self._path
        entries, version = cart_form.entries_after_button(form), form.get("cartVersion", "")
        cart.replace(session=self.session, guest=guest, entries=entries, version=version)
        if item_id := form.get("addBeside"):
            cart.add(session=self.session, guest=guest, entry=cart.Entry(item_id))
        unticked = [name for name in form.getlist("allergiesShown") if name not in form.getlist("allergies")]
        return f"{self._path}?{urlencode({'untold': ','.join(unticked)})}" if unticked else self._path

    def _respond(self, request: Request, *, redirect_to: str = "") -> Response:
        guest = guests.guest_of(request)
        contents = CartContents(cart_queries.cart_of(self.session, guest))
        response = FormResponse(contents, redirect_to=redirect_to) if redirect_to else ObjectResponse(contents)
        # An address that names an old bill must not make it the phone's own.
        session = self.session if guests.is_open_to(request, self.session) else None
        guests.set_cookies(response, guest=guest, session=session, table_number=self.session.table.table_number)
        if request.method in ("PUT", "POST"):
            order_points.remember_choice(request, response)
        return response

    def page_context(self, cart: cart_queries.Cart) -> dict[str, Any]:
        unticked = self.request.query_params.get("untold", "").split(",")
        for_kitchen = [name for name in allergies_of(self.request) if name not in unticked]
        return {
            **page_context(self.request, cart, for_kitchen=for_kitchen),
            "removed": cart_undo.removed_name(self.request),
            # A script has been told so, and has opened the page anew.
            "changed": str(CartChanged.default_detail) if "changed" in self.request.query_params else "",
        }

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        if status == 403:
            return super().error_page(error, status)
        number = self.kwargs["table_number"]
        return dish.error_page(self.request, number) or error_page(self.request, number)
