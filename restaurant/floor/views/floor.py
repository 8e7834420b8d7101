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
from restaurant.floor.views import areas
from restaurant.live import LiveView, socket_url
from restaurant.menu import queries as menu_queries
from restaurant.ordering import models as ordering_models
from restaurant.ordering import queries as ordering_queries
from restaurant.ordering.serializers.sessions import CloseBody, SessionMetrics, SessionState
from restaurant.tables import queries as tables_queries
from web.fields import ErrorResponse
from web.forms import is_page
from web.views import FormResponse, ObjectResponse, PageView

VIEWS = ("plan", "list")
VIEW_COOKIE = "floorView"  # how this device shows the tables; floor.js writes it too
YEAR = 365 * 24 * 60 * 60  # seconds


class Floor(LiveView):
    """`GET /floor`: what needs a waiter now, and every table with its open session."""

    access = staff.CLOSE_SESSION
    template_name = "restaurant/floor/floor.html"
    context_object_name = "floor"

    @extend_schema(responses={200: FloorState, **dict.fromkeys((401, 403), ErrorResponse)})
    def get(self, request: Request) -> Response:
        floor = queries.floor(only_recent=is_page(request))
        response = ObjectResponse(FloorState(floor), headers={"Cache-Control": "private, no-cache"})
        if (view := request.query_params.get("view")) in VIEWS:
            response.set_cookie(VIEW_COOKIE, view, max_age=YEAR, path=request.path, samesite="Lax")
        return response

    def page_context(self, floor: queries.Floor) -> dict[str, Any]:
        """`?section=` leaves one section on the page; one that no table has, all. `?view=` is a plan or a list."""
        section = self.request.query_params.get("section", "")
        section = section if section in floor.sections else ""
        shown = floor.of_section(section) if section else floor
        has_plan = any(each.table.plan_column for each in shown.tables)
        view = self.request.query_params.get("view") or self.request.COOKIES.get(VIEW_COOKIE)
        return {
            "floor": shown,
            "areas": areas.areas(shown, tables_queries.room_features() if has_plan else []),
            "has_plan": has_plan,
            "shown_as": view if view in VIEWS else VIEWS[0],
            "sections": floor.sections,
            "section": section,
            "elsewhere": floor.needs - shown.needs,
            "tomorrow": menu_queries.tomorrow(timezone.now()),
            "late_after": settings.KITCHEN_LATE_MINUTES,
            "reasons": ordering_models.OrderChange.Reason.choices,
            "socket_url": f"{socket_url(self.request)}/floor",
            "path": self.request.path + (f"?{urlencode({'section': section})}" if section else ""),
            "may_arrange": staff.may(self.request, staff.CHANGE_TABLE),
            "takes_payment": staff.may(self.request, staff.TAKE_PAYMENT),
            "works_kitchen": staff.may(self.request, staff.WORK_KITCHEN),
        }


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
