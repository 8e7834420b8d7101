"""A table: its menu for guests, its making and the closing of its session for staff."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, OpenApiTypes, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from qrservice import gateway
from restaurant import queries, serializers
from restaurant.errors import TableUnknown
from restaurant.services import sessions, tables
from restaurant.views import guests


def _is_prefetch(request: Request) -> bool:
    return "prefetch" in (request.headers.get("Sec-Purpose", "") + request.headers.get("Purpose", "")).lower()


class Menu(APIView):
    """`GET /table/{tableNumber}`: a scan, the table's session and the menu (document 3)."""

    access = "public"
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
        if _is_prefetch(request):
            # Opens nothing (decision 5.2); a browser drops what it could not prefetch, and asks again for real.
            return HttpResponse(status=503, headers={"Cache-Control": "no-store"})
        try:
            table = queries.table(queries.table_number(table_number))
        except TableUnknown as error:
            if request.accepted_renderer.format == "html":
                raise
            return HttpResponse(str(error.detail), status=404, content_type="text/plain; charset=utf-8")
        session = None
        if request.query_params.get("from") == "cart":  # going back is not a scan (decision 5.8)
            session = guests.own_open_session(request, table)
        if session is None and request.method == "HEAD":
            session = sessions.current(table)
        elif session is None:
            session = sessions.open_or_continue(table=table)
        self.session, self.guest = session, guests.guest_of(request)
        face = {
            "table": queries.table_face(table),
            "session": queries.session_face(session) if session else None,
            "menu": queries.menu(),
        }
        response = Response(face)
        guests.remember(response, guest=self.guest, session=session, table_number=table.table_number)
        return response

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        empty: dict[str, Any] = {"items": [], "count": 0, "total": 0}
        cart = queries.cart(self.session, self.guest) if self.session else empty
        return {
            # Pairs: a template would take a category called "items" for the dictionary's method.
            "categories": list(data["menu"].items()),
            "has_ordered": bool(self.session and self.session.total_orders),
            "cart": cart,
            "in_cart": {item["menuItemId"]: item["quantity"] for item in cart["items"]},
        }


class SoldOut(APIView):
    """`GET /table/{tableNumber}/sold-out`: what an open menu must not offer any more. Phones ask every few seconds."""

    access = "public"
    throttle_scope = "public"

    def throttle_identity(self, request: Request) -> str | None:
        # By phone: those of a full house ask from one address.
        return f"phone-{guests.guest_of(request)}" if guests.GUEST_COOKIE in request.COOKIES else None

    @extend_schema(responses={200: serializers.Availability, **dict.fromkeys((404, 429), serializers.Error)})
    def get(self, request: Request, table_number: str) -> Response:
        queries.table_number(table_number)
        return Response({"soldOut": queries.sold_out()}, headers={"Cache-Control": "no-store"})


class Tables(APIView):
    """`POST /tables`: a table with its code (decision 5.1)."""

    access = "restaurant.add_table"

    @extend_schema(
        request=serializers.TableBody,
        responses={201: serializers.NewTable, **dict.fromkeys((409, 503), serializers.Error)},
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
