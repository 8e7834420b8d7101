"""A table's menu, and what has sold out since it was opened."""

import gzip
import time
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.cache.utils import make_template_fragment_key
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, OpenApiTypes, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from qrservice import gateway
from restaurant import staff
from restaurant.errors import TableUnknown, clock_time
from restaurant.menu import models as menu_models
from restaurant.menu import queries as menu_queries
from restaurant.menu.views import allergies, declarations
from restaurant.menu.views.menu_sections import SectionOnPage, sections
from restaurant.ordering import queries
from restaurant.ordering.models import TableSession
from restaurant.ordering.serializers.cart import CartEntry
from restaurant.ordering.serializers.sessions import SessionSummary
from restaurant.ordering.serializers.table_menu import MenuByCategory, SoldOutItems, TableMenu
from restaurant.ordering.services import sessions
from restaurant.ordering.views import collecting, guests
from restaurant.ordering.views.favourites import favourites, usual
from restaurant.tables import queries as tables_queries
from restaurant.tables.models import Table
from restaurant.tables.serializers.tables import TableSummary
from web import venue
from web.fields import ErrorResponse
from web.forms import is_page
from web.permissions import PUBLIC
from web.prefetch import is_prefetch
from web.views import JSONView, PageView

CACHED_FOR = menu_queries.CACHED_FOR
ANY_TABLE = "/table/{table_number}"
PLACE_OF_USUAL = "<!-- usual -->"  # in what all phones share; a guest's own dishes replace the house's favourites


class PartyMoved(Exception):
    """The phone's party sits at another table now."""

    def __init__(self, session: TableSession) -> None:
        super().__init__()
        self.session = session


class Menu(PageView):
    """`GET /table/{tableNumber}`: a scan, the table's session and the menu.

    The whole page is cached for phones with an empty cart, no filter and no card, which are most: by version and table.
    For the others each category is cached, by the filter. What the phone has chosen is on the page once, as JSON.
    """

    access = PUBLIC
    throttle_scope = "public"
    template_name = "restaurant/ordering/menu.html"
    cart: queries.Cart | None

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
            self.table, self.session, has_cart = self._scan(request, tables_queries.table_number(table_number))
        except PartyMoved as moved:
            page = f"/table/{moved.session.table.table_number}?from=cart"
            return guests.lead_to(request, moved.session, page)
        except TableUnknown as error:
            if is_page(request):
                raise
            return HttpResponse(str(error.detail), status=404, content_type="text/plain; charset=utf-8")
        self.menu, self.now = menu_queries.menu_state(), timezone.now()
        self.cart = None
        if has_cart and self.session:
            self.cart = queries.cart_beside_menu(self.session, self.guest, self.menu, self.now)
        self.card = collecting.card_of(request) if is_page(request) else None
        asked = allergies.chosen_in(request) if is_page(request) else None
        self.without = allergies.allergies_of(request) if asked is None else asked
        response = self._cached_page() if self._is_cacheable(request) else Response(self._data())
        patch_vary_headers(response, ["Cookie"])
        guests.set_cookies(response, guest=self.guest, session=self.session, table_number=self.table.table_number)
        if asked is not None:
            allergies.set_cookie(response, asked)
        return response

    def _scan(self, request: Request, number: int) -> tuple[Table, TableSession | None, bool]:
        """The table, the session that this request opened, continued or only found; whether a cart may be in it.

        Members of staff who look at it open nothing and count nothing, nor do the previewers of a link that a guest
        sends to friends. Raises TableUnknown, PartyMoved.
        """
        is_nobody = request.method == "HEAD" or gateway.is_bot(request.headers.get("User-Agent", ""))
        if is_nobody or staff.may(request, staff.CLOSE_SESSION):
            table = tables_queries.table(number)
            return table, queries.open_session(table), False
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
            moved = queries.find_session(number, own_id, follow=True)
            if moved is not None and moved.is_open_to_party and moved.table.table_number != number:
                raise PartyMoved(moved)
        return visit or sessions.open_or_continue(table_number=number, guest=self.guest)

    def _data(self) -> dict[str, Any]:
        """Without the menu for a page, whose dishes are cached."""
        table = {"table": TableSummary(self.table).data}
        if is_page(self.request):
            return table
        until = self.menu.closed_until(self.now)
        return {
            **table,
            "session": SessionSummary(self.session).data if self.session else None,
            "menu": records(self.menu, self.now),
            **({"closed": {"until": until}} if until else {}),
        }

    # --- the page -------------------------------------------------------------------------------------

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return {
            "cart": self.cart or {"count": 0, "total": 0},
            "cart_items": CartEntry(self.cart.lines, many=True).data if self.cart else [],
            **collecting.menu_context(self.request, self.card),
            "orders": self._orders(),
            "sections": self._sections(),
            "main": self._main(),
        }

    def _sections(self) -> list[SectionOnPage]:
        period = int(time.time() // CACHED_FOR)
        return page_sections(self.menu.version, settings.FORMAT_LANGUAGE, self._moment, tuple(self.without), period)

    @cached_property
    def _moment(self) -> tuple[Any, ...]:
        return self.menu.catalogue.moment(self.now)

    def _main(self) -> SafeString:
        """The dishes, and the search and the filter above them. All phones and all tables share what is cached."""
        own = self._usual()
        until = self.menu.closed_until(self.now)
        formats = (settings.FORMAT_LANGUAGE, settings.CURRENCY)
        varies_by = [self.menu.version, self._moment, self.without, until, *formats, bool(own)]
        key = make_template_fragment_key("menu_main", varies_by)
        html = cache.get_or_set(key, lambda: self._render_main(until, has_usual=bool(own)), CACHED_FOR)
        whole = str(html).replace(PLACE_OF_USUAL, own, 1)
        return SafeString(whole.replace(ANY_TABLE, f"/table/{self.table.table_number}"))

    def _usual(self) -> str:
        """What the guest with the card of this phone has had most, as the row of favourites; empty for most."""
        ids = list(queries.usual_of(self.card.reference).times) if self.card else []
        dishes = usual(self.menu.catalogue, self.now, self.without, ids)
        closed = self.menu.is_closed(self.now)
        context = {"favourites": dishes, "is_usual": True, "closed": closed, "table_path": ANY_TABLE}
        return render_to_string("restaurant/ordering/_menu_favourites.html", context) if dishes else ""

    def _render_main(self, until: datetime | None, *, has_usual: bool) -> SafeString:
        context = {
            "favourites": [] if has_usual else favourites(self.menu.catalogue, self.now, self.without),
            "has_usual": has_usual,
            "place_of_usual": SafeString(PLACE_OF_USUAL),
            "sections": self._sections(),
            "closed": self.menu.is_closed(self.now),
            "until": until,
            "again": clock_time(until) if until else "",
            "without": declarations.names(self.without),
            "allergens": [(each, names, each in self.without) for each, names in menu_models.Allergen.choices],
            "table_path": ANY_TABLE,
        }
        return render_to_string("restaurant/ordering/_menu_main.html", context)

    def _orders(self) -> int:
        """How many the table has placed."""
        return self.session.total_orders if self.session else 0

    def _is_cacheable(self, request: Request) -> bool:
        is_plain = not (self.cart and self.cart.lines) and not self.without and not self.card
        return is_page(request) and is_plain and "gzip" in request.headers.get("Accept-Encoding", "")

    def _cached_page(self) -> HttpResponse:
        """The compressed page without anything of this phone. GZipMiddleware leaves it as it is."""
        varies_by = [
            self.menu.version,
            self._moment,
            self.menu.closed_until(self.now),
            self.table.table_number,
            self.table.section,
            self._orders(),
            settings.FORMAT_LANGUAGE,
            settings.CURRENCY,
            venue.name(),
            venue.current(),
        ]
        key = make_template_fragment_key("menu_page", varies_by)
        body = cache.get_or_set(key, self._render_page, CACHED_FOR)
        response = HttpResponse(body, headers={"Content-Encoding": "gzip"})
        patch_vary_headers(response, ["Accept-Encoding"])
        return response

    def _render_page(self) -> bytes:
        data = self._data()
        context = {**data, **self.page_context(data)}
        return gzip.compress(render_to_string(self.template_name, context, request=self.request).encode())


def records(menu: menu_queries.MenuState, now: datetime) -> dict[str, list[dict[str, Any]]]:
    """What guests can have now by category, as `TableMenu` describes it."""
    moment, age = menu.catalogue.moment(now), int(time.time() // CACHED_FOR)
    kept = cached_menu(menu.version, settings.FORMAT_LANGUAGE, moment, age)
    return dict(kept)


@lru_cache(maxsize=8)
def cached_menu(
    version: int | None, language: str | None, moment: tuple[Any, ...], period: int
) -> dict[str, list[dict[str, Any]]]:
    """In memory: Django's cache would unpickle hundreds of items for every page. `period` ends what is cached."""
    offered = menu_queries.catalogue(version).offered(timezone.now())
    menu: dict[str, list[dict[str, Any]]] = MenuByCategory().to_representation(
        {section.name: dishes for section, dishes in offered}
    )
    return menu


@lru_cache(maxsize=16)
def page_sections(
    version: int | None, language: str | None, moment: tuple[Any, ...], without: tuple[str, ...], period: int
) -> list[SectionOnPage]:
    """As `cached_menu`, for the page."""
    return sections(menu_queries.catalogue(version), timezone.now(), without)


class SoldOut(JSONView):
    """`GET /table/{tableNumber}/sold-out`: what open pages must not offer any more. Phones poll it."""

    access = PUBLIC
    throttle_scope = "sold_out"  # by address, with room for every phone of a full house

    @extend_schema(responses={200: SoldOutItems, **dict.fromkeys((404, 429), ErrorResponse)})
    def get(self, request: Request, table_number: str) -> Response:
        tables_queries.table_number(table_number)
        sold_out = menu_queries.menu_state().catalogue.sold_out(timezone.now())
        return Response({"soldOut": sold_out}, headers={"Cache-Control": "no-store"})
