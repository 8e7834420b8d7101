"""A table: its menu for guests, its making and the closing of its session for staff."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, OpenApiTypes, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from qrservice import gateway
from restaurant import queries, serializers
from restaurant.errors import TableUnknown
from restaurant.services import sessions, tables
from restaurant.views import guests, menu_page
from web.fields import ErrorResponse
from web.permissions import PUBLIC
from web.prefetch import is_prefetch
from web.views import JSONView, PageView


class Menu(PageView):
    """`GET /table/{tableNumber}`: a scan, the table's session and the menu (document 3)."""

    access = PUBLIC
    throttle_scope = "public"
    template_name = "restaurant/menu.html"

    @extend_schema(
        responses={
            200: serializers.MenuFace,
            (404, "text/plain"): OpenApiTypes.STR,
            503: OpenApiResponse(description="To a prefetch, which opens nothing."),
        },
    )
    def get(self, request: Request, table_number: str) -> Any:
        if is_prefetch(request.META):
            # Opens nothing (decision 5.2); a browser drops what it could not prefetch, and asks again for real.
            return HttpResponse(status=503, headers={"Cache-Control": "no-store"})
        guest = guests.guest_of(request)
        try:
            table, session, menu, chosen = self._scan(request, queries.table_number(table_number), guest)
        except TableUnknown as error:
            if request.accepted_renderer.format == "html":
                raise
            return HttpResponse(str(error.detail), status=404, content_type="text/plain; charset=utf-8")
        face: dict[str, Any] = {
            "table": queries.table_face(table),
            "session": queries.session_face(session) if session else None,
            "menu": menu.by_category,
        }
        response: HttpResponse = Response(face)
        if request.accepted_renderer.format == "html":
            has_ordered = bool(session and session.total_orders)
            response = menu_page.page(request, menu=menu, table=face["table"], has_ordered=has_ordered, chosen=chosen)
        guests.remember(response, guest=guest, session=session, table_number=table.table_number)
        return response

    @staticmethod
    def _scan(
        request: Request, number: int, guest: str
    ) -> tuple[queries.Table, queries.TableSession | None, queries.Menu, dict[str, int]]:
        """The table, the session that this request opened, continued or looked at, the menu, and what is in the cart.

        Raises TableUnknown.
        """
        if request.query_params.get("from") == "cart":  # going back is not a scan (decision 5.8)
            own = guests.own_open_session(request, number)
            if own is not None:
                return own.table, own, queries.menu(), queries.chosen(own, guest)
        if request.method == "HEAD":
            table = queries.table(number)
            return table, sessions.current(table), queries.menu(), {}
        scan = sessions.open_or_continue(table_number=number, guest=guest)
        return scan.session.table, scan.session, queries.menu(scan.menu_version), scan.chosen


class SoldOut(JSONView):
    """`GET /table/{tableNumber}/sold-out`: what an open menu must not offer any more. Phones ask every few seconds."""

    access = PUBLIC
    throttle_scope = "public"

    def throttle_identity(self, request: Request) -> str:
        # By phone: those of a full house ask from one address.
        return f"phone-{guests.guest_of(request)}" if guests.GUEST_COOKIE in request.COOKIES else ""

    @extend_schema(responses={200: serializers.Availability, **dict.fromkeys((404, 429), ErrorResponse)})
    def get(self, request: Request, table_number: str) -> Response:
        queries.table_number(table_number)
        return Response({"soldOut": queries.sold_out()}, headers={"Cache-Control": "no-store"})


class Tables(JSONView):
    """`POST /tables`: a table with its code (decision 5.1)."""

    access = "restaurant.add_table"

    @extend_schema(
        request=serializers.TableBody,
        responses={201: serializers.NewTable, **dict.fromkeys((409, 503), ErrorResponse)},
    )
    def post(self, request: Request) -> Response:
        body = serializers.TableBody(data=request.data)
        body.is_valid(raise_exception=True)
        values = body.validated_data
        table = tables.create(
            table_number=values["tableNumber"], section=values["section"], capacity=values["capacity"]
        )
        face = {
            "tableNumber": table.table_number,
            "qrCodeUrl": gateway.image_url(table.qr_code_url),
            "shortUrl": table.short_url,
            "analyticsId": table.qr_analytics_id,
        }
        return Response(face, status=201)
