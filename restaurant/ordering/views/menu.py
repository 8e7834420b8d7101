"""A table's menu, and what has sold out since it was opened."""

import gzip
from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.cache.utils import make_template_fragment_key
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, OpenApiTypes, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty import gateway as loyalty
from qrservice import gateway
from restaurant import staff
from restaurant.errors import TableUnknown, clock_time
from restaurant.menu.models import Allergen, language_of_menu
from restaurant.menu.queries import CACHED_FOR, menu_state
from restaurant.menu.views import allergies, declarations, menu_sections
from restaurant.ordering.models import TableSession
from restaurant.ordering.queries.carts import cart_beside_menu
from restaurant.ordering.queries.orders import has_ordered_at
from restaurant.ordering.queries.sessions import find_session, open_session
from restaurant.ordering.queries.table_menu import MenuAtTable
from restaurant.ordering.queries.usual import usual_of
from restaurant.ordering.serializers.cart import CartEntry
from restaurant.ordering.serializers.table_menu import SoldOutItems, TableMenu
from restaurant.ordering.services import sessions
from restaurant.ordering.views import guests, order_points, suggestions
from restaurant.tables import queries as tables_queries
from restaurant.tables.models import Table
from web import venue
from web.fields import ErrorResponse
from web.forms import is_page
from web.permissions import PUBLIC
from web.prefetch import is_prefetch
from web.views import JSONView, ObjectResponse, PageView

ANY_TABLE = "/table/{table_number}"
# In the templates, where a part that is rendered apart is put into the cached page.
MENU_MARKER, USUAL_MARKER, CART_MARKER = b"<!-- menu -->", b"<!-- usual -->", b"<!-- cart -->"


class PartyMoved(Exception):
    """The phone's party sits at another table now."""

    def __init__(self, session: TableSession) -> None:
        super().__init__()
        self.session = session


class Menu(PageView):
    """`GET /table/{tableNumber}`: a scan, the table's session and the menu."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = "restaurant/ordering/menu.html"

    @extend_schema(
        parameters=[
            OpenApiParameter(
                allergies.COOKIE,
                OpenApiTypes.STR,
                description="Of the page: allergens, with commas; dishes that have them are set apart from now on.",
            )
        ],
        responses={
            200: TableMenu,
            (404, "text/plain"): OpenApiTypes.STR,
            503: OpenApiResponse(description="To a prefetch, which opens nothing."),
        },
    )
    def get(self, request: Request, table_number: str) -> HttpResponse:
        if is_prefetch(request.META):
            # A browser discards a prefetch that failed, and sends the request again when the user opens the page.
            return HttpResponse(status=503, headers={"Cache-Control": "no-store"})
        self.guest = guests.guest_of(request)
        try:
            self.table, self.session, has_cart = self._scan(request, tables_queries.parse_table_number(table_number))
        except PartyMoved as moved:
            page = f"/table/{moved.session.table.table_number}?from=cart"
            return guests.lead_to(request, moved.session, page)
        except TableUnknown as error:
            if is_page(request):
                raise
            return HttpResponse(str(error.detail), status=404, content_type="text/plain; charset=utf-8")
        self.menu, self.now = menu_state(), timezone.now()
        self.until = self.menu.closed_until(self.now)
        chosen = allergies.chosen_in(request) if is_page(request) else None
        if is_page(request):
            self.without = allergies.allergies_of(request) if chosen is None else chosen
            response = self._page(request, has_cart=has_cart)
        else:
            shown = MenuAtTable(self.table, self.session, self.menu, self.now, self.until)
            response = ObjectResponse(TableMenu(shown))
        patch_vary_headers(response, ["Cookie"])
        guests.set_cookies(response, guest=self.guest, session=self.session, table_number=self.table.table_number)
        if chosen is not None:
            allergies.set_cookie(response, chosen)
        return response

    def _scan(self, request: Request, number: int) -> tuple[Table, TableSession | None, bool]:
        """The table, the session that this request opened, continued or found, and whether a cart may be in it.

        Members of staff who look at it open nothing and count nothing, nor do the previewers of a link that a guest
        sends to friends. Raises TableUnknown, PartyMoved.
        """
        is_nobody = request.method == "HEAD" or gateway.is_bot(request.headers.get("User-Agent", ""))
        if is_nobody or staff.may(request, staff.CLOSE_SESSION):
            table = tables_queries.table(number)
            return table, open_session(table), False
        visit = self._visit(request, number)
        return visit.session.table, visit.session, visit.has_cart and is_page(request)

    def _visit(self, request: Request, number: int) -> sessions.Visit:
        """A scan, unless the guest comes back from the cart. Raises TableUnknown, PartyMoved."""
        is_back = request.query_params.get("from") == "cart"
        session = guests.open_session_of(request, number) if is_back else None
        if session is not None:
            return sessions.Visit(session, has_cart=True)
        own_id = request.COOKIES.get(guests.SESSION_COOKIE)
        visit = sessions.continue_own(table_number=number, own_id=own_id, guest=self.guest)
        if visit is None and is_page(request):
            moved = find_session(number, own_id, follow=True)
            is_elsewhere = moved is not None and moved.is_open_to_party and moved.table.table_number != number
            if moved is not None and is_elsewhere and not has_ordered_at(number, self.guest):
                raise PartyMoved(moved)
        if visit is None:
            visit = sessions.Visit(sessions.open_or_continue(table_number=number), has_cart=False)
            if visit.session.table.table_number != number and is_page(request):
                raise PartyMoved(visit.session)  # which sits at tables that are pushed together
        return visit

    # --- the page -------------------------------------------------------------------------------------
    # It is cached by the menu's version: the dishes by the filter, for all tables; what is around them by table; and
    # both together, compressed. What the phone has chosen is on the page once, as JSON.

    def _page(self, request: Request, *, has_cart: bool) -> HttpResponse:
        """Most phones have chosen nothing yet: theirs is cached compressed, and GZipMiddleware leaves it as it is."""
        self.cart = None
        if has_cart and self.session:
            self.cart = cart_beside_menu(self.session, self.guest, self.menu, self.now)
        self.card = order_points.card_of(request)
        is_plain = not (self.cart and self.cart.lines) and not self.without and not self.card
        if not is_plain or "gzip" not in request.headers.get("Accept-Encoding", ""):
            return HttpResponse(self._html())
        body = self._cached("menu_compressed", lambda: gzip.compress(self._html()), *self._page_varies_by())
        response = HttpResponse(body, headers={"Content-Encoding": "gzip"})
        patch_vary_headers(response, ["Accept-Encoding"])
        return response

    def _html(self) -> bytes:
        """The page that all phones share, with the parts of the table and of the phone."""
        own = self._usual()
        if self.card:
            page = self._render_page()
        else:
            page = self._cached("menu_page", self._render_page, *self._page_varies_by())
        main = self._cached("menu_main", lambda: self._render_main(has_usual=bool(own)), bool(own))
        whole = page.replace(CART_MARKER, self._render_cart(), 1).replace(MENU_MARKER, main, 1)
        here = f"/table/{self.table.table_number}"
        return whole.replace(USUAL_MARKER, own, 1).replace(ANY_TABLE.encode(), here.encode())

    def _cached(self, name: str, render: Callable[[], bytes], *varies_by: object) -> bytes:
        key = make_template_fragment_key(name, [*self._menu_varies_by, *varies_by])
        html: Any = cache.get_or_set(key, render, CACHED_FOR)
        return bytes(html)

    @cached_property
    def _menu_varies_by(self) -> tuple[object, ...]:
        moment = self.menu.catalogue.moment(self.now)
        languages = (get_language(), language_of_menu())
        return self.menu.version, moment, self.until, self.without, languages, settings.CURRENCY

    def _page_varies_by(self) -> tuple[object, ...]:
        return self.table.table_number, self.table.section, self._orders(), venue.name(), venue.current()

    def _orders(self) -> int:
        """The number of orders that the table has placed."""
        return self.session.total_orders if self.session else 0

    def _render_page(self) -> bytes:
        context: dict[str, Any] = {
            "table": self.table,
            "orders": self._orders(),
            "sections": menu_sections.names(self.menu.catalogue, self.now),
            "card": self.card,
        }
        if self.card:
            context["codes"] = loyalty.codes_to_use(self.card)
            context["is_collecting"] = order_points.is_collecting(self.request)
        return _render(self.template_name, context, self.request)

    def _render_cart(self) -> bytes:
        items = CartEntry(self.cart.lines, many=True).data if self.cart else []
        context = {"table": self.table, "cart": self.cart or {"count": 0, "total": 0}, "items": items}
        return _render("restaurant/ordering/_menu_cart.html", context)

    def _usual(self) -> bytes:
        """The usual dishes of the guest with this phone's card, as a row of favourites; empty for most phones."""
        if self.card is None:
            return b""
        ids = usual_of(self.card.reference).times
        dishes = suggestions.usual(self.menu.catalogue, self.now, self.without, list(ids))
        context = {"favourites": dishes, "is_usual": True, "closed": bool(self.until), "table_path": ANY_TABLE}
        return _render("restaurant/ordering/_menu_favourites.html", context) if dishes else b""

    def _render_main(self, *, has_usual: bool) -> bytes:
        context = {
            "favourites": [] if has_usual else suggestions.favourites(self.menu.catalogue, self.now, self.without),
            "has_usual": has_usual,
            "sections": menu_sections.sections(self.menu.catalogue, self.now, self.without),
            "closed": bool(self.until),
            "until": self.until,
            "again": clock_time(self.until) if self.until else "",
            "why": self.menu.why_closed(self.now),
            "without": declarations.names(self.without),
            "allergens": [(name, label, name in self.without) for name, label in Allergen.choices],
            "table_path": ANY_TABLE,
        }
        return _render("restaurant/ordering/_menu_main.html", context)


def _render(template: str, context: dict[str, Any], request: Request | None = None) -> bytes:
    return render_to_string(template, context, request=request).encode()


class SoldOut(JSONView):
    """`GET /table/{tableNumber}/sold-out`: what open pages must not offer any more. Phones poll it."""

    access = PUBLIC
    throttle_scope = "sold_out"  # by address, with room for every phone of a full house

    @extend_schema(responses={200: SoldOutItems, **dict.fromkeys((404, 429), ErrorResponse)})
    def get(self, request: Request, table_number: str) -> Response:
        tables_queries.parse_table_number(table_number)
        sold_out = menu_state().catalogue.sold_out(timezone.now())
        return Response({"soldOut": sold_out}, headers={"Cache-Control": "no-store"})
