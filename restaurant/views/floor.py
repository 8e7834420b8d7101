"""The floor: which tables have guests, and the end of a table's session."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import queries
from restaurant.serializers.floor import FloorState, MoveBody, MovedSession
from restaurant.serializers.sessions import CloseBody, SessionMetrics, SessionState
from restaurant.services import moves, sessions
from restaurant.views import staff
from web.fields import ErrorResponse
from web.forms import body_of
from web.views import FormResponse, PageView


class Floor(PageView):
    """`GET /floor`: every table with its open session, for waiters."""

    access = staff.CLOSE_SESSION
    template_name = "restaurant/floor.html"

    @extend_schema(responses={200: FloorState, **dict.fromkeys((401, 403), ErrorResponse)})
    def get(self, request: Request) -> Response:
        return Response(FloorState(queries.floor()).data, headers={"Cache-Control": "private, no-cache"})

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        busy = [table for table in data["tables"] if table["session"]]
        return {"busy": busy, "free": [table for table in data["tables"] if not table["session"]]}


class Close(PageView):
    """`/table/{tableNumber}/close`: POST ends the session; GET shows its metrics, before and after that."""

    access = staff.CLOSE_SESSION
    template_name = "restaurant/session.html"

    @extend_schema(
        parameters=[OpenApiParameter("sessionId", str, required=True)],
        responses={200: SessionState, **dict.fromkeys((401, 403, 404), ErrorResponse)},
    )
    def get(self, request: Request, table_number: str) -> Response:
        number = queries.table_number(table_number)
        self.session = queries.session_metrics(number, request.query_params.get("sessionId", ""))
        return Response(SessionState(self.session).data)

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return {"ordered": queries.orders_of_session(self.session)}

    @extend_schema(
        request=CloseBody,
        responses={200: SessionMetrics, **dict.fromkeys((400, 401, 403, 404), ErrorResponse)},
    )
    def post(self, request: Request, table_number: str) -> Response:
        body = CloseBody(data=request.data)
        body.is_valid(raise_exception=True)
        number = queries.table_number(table_number)
        session = sessions.close(table_number=number, session_id=body.validated_data["sessionId"])
        return FormResponse(SessionMetrics(session).data, redirect_to=f"{request.path}?sessionId={session.pk}")


class Move(PageView):
    """`POST /table/{tableNumber}/move`: the party sits at another table, or joins the one there."""

    access = staff.CLOSE_SESSION
    template_name = "restaurant/session.html"

    @extend_schema(
        request=MoveBody,
        responses={200: MovedSession, **dict.fromkeys((400, 401, 403, 404, 409), ErrorResponse)},
    )
    def post(self, request: Request, table_number: str) -> Response:
        number = queries.table_number(table_number)
        body = MoveBody(data=body_of(request, numbers=("to",)))
        body.is_valid(raise_exception=True)
        values = body.validated_data
        session = moves.move(table_number=number, session_id=values["sessionId"], to=values["to"], user=request.user)
        return FormResponse(MovedSession(session).data, redirect_to="/floor")
