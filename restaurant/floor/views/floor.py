"""The floor: which tables have guests, and the end of a table's session."""

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.billing import queries as billing_queries
from restaurant.billing.services import closing
from restaurant.floor import queries
from restaurant.floor.serializers import FloorState
from restaurant.floor.views import floor_tiles
from restaurant.live import LiveView, socket_url
from restaurant.menu import models as menu_models
from restaurant.menu import queries as menu_queries
from restaurant.ordering import models as ordering_models
from restaurant.ordering import queries as ordering_queries
from restaurant.ordering.serializers.sessions import CloseBody, SessionMetrics, SessionState
from restaurant.tables import queries as tables_queries
from web.fields import ErrorResponse
from web.forms import is_page
from web.views import FormResponse, ObjectResponse, PageView

WAITING_SHOWN = 5  # tables that wait longest
VIEWS = ("plan", "list")
VIEW_COOKIE = "floorView"  # how this device shows the tables; floor.js writes it too
YEAR = 365 * 24 * 60 * 60  # seconds


class Floor(LiveView):
    """`GET /floor`: what needs a waiter now, and every table with its open session."""

    access = staff.CLOSE_SESSION
    template_name = "restaurant/floor/floor.html"

    @extend_schema(responses={200: FloorState, **dict.fromkeys((401, 403), ErrorResponse)})
    def get(self, request: Request) -> Response:
        self.floor = queries.floor(only_recent=is_page(request))
        has_plan = is_page(request) and any(each.table.plan_column for each in self.floor.tables)
        self.features = tables_queries.room_features() if has_plan else []
        response = Response(FloorState(self.floor).data, headers={"Cache-Control": "private, no-cache"})
        if (view := request.query_params.get("view")) in VIEWS:
            response.set_cookie(VIEW_COOKIE, view, max_age=YEAR, path=request.path, samesite="Lax")
        return response

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        """`?section=` leaves one section on the page; one that no table has, all. `?view=` is a plan or a list."""
        data = floor_tiles.with_more(data, self.floor)
        sections = list(dict.fromkeys(table["section"] for table in data["tables"] if table["section"]))
        section = self.request.query_params.get("section", "")
        section = section if section in sections else ""
        shown = floor_tiles.of_section(data, section) if section else data
        areas = floor_tiles.areas(shown, self.features)
        kept = floor_tiles.with_left(shown["keptForLater"])
        view = self.request.query_params.get("view") or self.request.COOKIES.get(VIEW_COOKIE)
        return {
            **shown,
            "pausedUntil": data.get("pausedUntil"),
            "closedUntil": data.get("closedUntil"),
            "lateDockets": data.get("lateDockets"),
            "sold_out": [_sold_out(item) for item in self.floor.sold_out],
            "tomorrow": menu_queries.tomorrow(timezone.now()),
            "held": floor_tiles.with_left(shown["held"]),
            "ready": floor_tiles.with_left(shown["ready"]),
            "kept": kept[: floor_tiles.KEPT_SHOWN],
            "more_kept": kept[floor_tiles.KEPT_SHOWN :],
            "socket_url": f"{socket_url(self.request)}/floor",
            "counted": floor_tiles.counted(shown),
            "has_tables": bool(data["tables"]),
            "areas": areas,
            "has_plan": any(area.has_plan for area in areas),
            "shown_as": view if view in VIEWS else VIEWS[0],
            "may_arrange": staff.may(self.request, staff.CHANGE_TABLE),
            "left_open": shown["leftOpen"][: floor_tiles.LEFT_OPEN_SHOWN],
            "more_left_open": shown["leftOpen"][floor_tiles.LEFT_OPEN_SHOWN :],
            "waiting": floor_tiles.waiting_longest(shown, WAITING_SHOWN),
            "late_after": settings.KITCHEN_LATE_MINUTES,
            "sections": sections,
            "section": section,
            "elsewhere": floor_tiles.needs(data) - floor_tiles.needs(shown),
            "path": self.request.path + (f"?{urlencode({'section': section})}" if section else ""),
            "sessions_of_calls": {str(call.pk): str(call.session_id) for call in self.floor.calls},
            "reasons": ordering_models.OrderChange.Reason.choices,
            "takes_payment": staff.may(self.request, staff.TAKE_PAYMENT),
            "works_kitchen": staff.may(self.request, staff.WORK_KITCHEN),
        }


def _sold_out(item: menu_models.MenuItem) -> dict[str, Any]:
    """As `GET /menu/availability` has it."""
    return {"id": item.pk, "name": item.name, "until": item.sold_out_until, "portions": item.portions}


class Close(PageView):
    """`/table/{tableNumber}/close`: POST ends the session; GET shows its metrics, before and after that."""

    access = staff.CLOSE_SESSION
    template_name = "restaurant/floor/session.html"
    context_object_name = "session"

    @extend_schema(
        parameters=[OpenApiParameter("sessionId", str, required=True)],
        responses={200: SessionState, **dict.fromkeys((401, 403, 404), ErrorResponse)},
    )
    def get(self, request: Request, table_number: str) -> Response:
        number = tables_queries.table_number(table_number)
        session = ordering_queries.session_metrics(number, request.query_params.get("sessionId", ""))
        return ObjectResponse(SessionState(session))

    def page_context(self, session: ordering_models.TableSession) -> dict[str, Any]:
        bill = billing_queries.bill(session)
        ordered = ordering_queries.orders_of_session(session, with_dishes=True)
        return {"ordered": ordered, "due": bill.due, "held": ordered.held, "kept": ordered.kept}

    @extend_schema(
        request=CloseBody,
        responses={200: SessionMetrics, **dict.fromkeys((400, 401, 403, 404), ErrorResponse)},
    )
    def post(self, request: Request, table_number: str) -> Response:
        body = CloseBody(data=request.data)
        body.is_valid(raise_exception=True)
        number = tables_queries.table_number(table_number)
        session_id = body.validated_data["sessionId"]
        session = closing.close_session(table_number=number, session_id=session_id, user=request.user)
        return FormResponse(SessionMetrics(session), redirect_to=f"{request.path}?sessionId={session.pk}")
