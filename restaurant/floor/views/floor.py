"""The floor: which tables have guests, and the end of a table's session."""

from typing import Any
from urllib.parse import urlencode

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.billing.queries import bill_of
from restaurant.billing.services.closing import close_session
from restaurant.floor.queries.floor import Floor, current_floor
from restaurant.floor.serializers import FloorState
from restaurant.floor.views.areas import areas_of
from restaurant.floor.views.floor_tables import EVERYTHING_COOKIE, everything, form_parts
from restaurant.kitchen.views import PAUSES
from restaurant.live import LiveView, socket_url
from restaurant.menu.queries import tomorrow
from restaurant.ordering.models import TableSession
from restaurant.ordering.queries.orders import orders_of_session, staff_names
from restaurant.ordering.queries.sessions import session_metrics
from restaurant.ordering.serializers.sessions import CloseBody, SessionMetrics, SessionState
from restaurant.tables.models import RoomFeature
from restaurant.tables.queries import parse_table_number
from web.fields import ErrorResponse
from web.forms import is_page, valid
from web.views import FormResponse, ObjectResponse, PageView

VIEWS = ("plan", "list")
VIEW_COOKIE = "floorView"  # how this device shows the tables; floor/floor.js writes it too
YEAR = 365 * 24 * 60 * 60  # seconds


class FloorPage(LiveView):
    """`GET /floor`: what needs a waiter now, and every table with its open session."""

    access = staff.CLOSE_SESSION
    template_name = "restaurant/floor/floor.html"
    context_object_name = "floor"

    @extend_schema(responses={200: FloorState, **dict.fromkeys((401, 403), ErrorResponse)})
    def get(self, request: Request) -> Response:
        floor = current_floor(for_page=is_page(request))
        response = ObjectResponse(FloorState(floor), headers={"Cache-Control": "private, no-cache"})
        if (view := request.query_params.get("view")) in VIEWS:
            response.set_cookie(VIEW_COOKIE, view, max_age=YEAR, path=request.path, samesite="Lax")
        if (shown := request.query_params.get("all")) in ("0", "1"):
            response.set_cookie(EVERYTHING_COOKIE, shown, max_age=YEAR, path=request.path, samesite="Lax")
        return response

    def page_context(self, floor: Floor) -> dict[str, Any]:
        """`?section=` leaves one section on the page; one that no table has, all. `?view=` is a plan or a list.

        The page begins with what is for the user; with `?all=1` with everything.
        """
        section = self.request.query_params.get("section", "")
        section = section if section in floor.sections else ""
        me, is_everything = staff.name_of(self.request), everything(self.request)
        mine, others = floor.seen_by(me, everything=is_everything)
        shown, mine_here, others_here = (
            each.of_section(section) if section else each for each in (floor, mine, others)
        )
        has_plan = any(table.table.place for table in shown.tables)
        path = self.request.path + (f"?{urlencode({'section': section})}" if section else "")
        view = self.request.query_params.get("view") or self.request.COOKIES.get(VIEW_COOKIE)
        return {
            "floor": shown,
            "mine": mine_here,
            "others": others_here,
            "own": [table.table.table_number for table in floor.tables if table.owner == me],
            "me": me,
            "names": dict(staff_names()) if floor.is_shared_out else {},
            "offers_take": floor.is_shared_out,
            "everything": is_everything,
            "areas": areas_of(shown.tables, list(RoomFeature.objects.all()) if has_plan else []),
            "has_plan": has_plan,
            "shown_as": view if view in VIEWS else VIEWS[0],
            "sections": floor.sections,
            "section": section,
            "elsewhere": mine.needs - mine_here.needs,
            "tomorrow": tomorrow(timezone.now()),
            "socket_url": f"{socket_url(self.request)}/floor",
            "path": path,
            **form_parts(self.request, path),
            "may_arrange": staff.may(self.request, staff.CHANGE_TABLE),
            "takes_payment": staff.may(self.request, staff.TAKE_PAYMENT),
            "works_kitchen": staff.may(self.request, staff.WORK_KITCHEN),
            "pauses": PAUSES,
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
        session = session_metrics(parse_table_number(table_number), request.query_params.get("sessionId", ""))
        return ObjectResponse(SessionState(session))

    def page_context(self, session: TableSession) -> dict[str, Any]:
        ordered = orders_of_session(session, with_dishes=True)
        counts = {"held": ordered.held, "kept": ordered.kept}
        return {"ordered": ordered, "due": bill_of(session).due, **counts, "never_fired": ordered.never_fired}

    @extend_schema(
        request=CloseBody,
        responses={200: SessionMetrics, **dict.fromkeys((400, 401, 403, 404), ErrorResponse)},
    )
    def post(self, request: Request, table_number: str) -> Response:
        values = valid(CloseBody(data=request.data))
        session = close_session(
            table_number=parse_table_number(table_number),
            session_id=values["sessionId"],
            user=request.user,
        )
        return FormResponse(SessionMetrics(session), redirect_to=f"{request.path}?sessionId={session.pk}")
