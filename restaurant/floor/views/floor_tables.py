"""One table of the floor: its party with orders, calls and bill, and where else it could sit."""

from typing import Any
from urllib.parse import urlencode

from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.billing.queries import payment_events
from restaurant.floor import serializers
from restaurant.floor.queries.tables import TableDetail, TableOnFloor, table_detail, tables_with_sessions
from restaurant.floor.services.moves import free, move, separate
from restaurant.live import LiveView, socket_url
from restaurant.ordering.models import MAX_COVERS, Order, OrderChange, TableSession
from restaurant.ordering.queries import timeline
from restaurant.ordering.queries.orders import orders_by_phone, staff_names
from restaurant.ordering.queries.sessions import open_session
from restaurant.ordering.services.courses import fire
from restaurant.ordering.services.sessions import set_covers
from restaurant.tables.queries import parse_table_number, table
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, is_page, valid
from web.views import FormResponse, ObjectResponse, Page, PageView

EVERYTHING_COOKIE = "floorAll"  # "1" or "0"
COVERS_AT_ONCE = range(1, 7)  # by one tap; more are typed


class FloorTable(LiveView):
    """`GET /floor/tables/{tableNumber}`: the table's open session, or that of `?sessionId=`. Opens none."""

    access = staff.CLOSE_SESSION
    template_name = "restaurant/floor/floor_table.html"
    context_object_name = "detail"

    @extend_schema(
        parameters=[OpenApiParameter("sessionId", str, description="Of a session that was left open.")],
        responses=serializers.TableState,
    )
    def get(self, request: Request, table_number: str) -> Response:
        number = parse_table_number(table_number)
        detail = table_detail(number, request.query_params.get("sessionId"))
        return ObjectResponse(serializers.TableState(detail), headers={"Cache-Control": "private, no-cache"})

    def page_context(self, detail: TableDetail) -> dict[str, Any]:
        """`?join=` is the number of a table: its party and this one are about to become one."""
        party = TableOnFloor(detail.table, detail.session).joined
        others = [other for other in tables_with_sessions() if other.table != detail.table]
        join = self.request.query_params.get("join", "")
        path = page_of(detail.table.table_number, detail.session, self.request)
        me = staff.name_of(self.request)
        for call in detail.calls:
            call.rings = not call.taken_by_name and (everything(self.request) or call.is_for(me))
        return {
            "socket_url": f"{socket_url(self.request)}/floor",
            "covers_at_once": COVERS_AT_ONCE,
            "most_covers": MAX_COVERS,
            "names": dict(staff_names()),
            "me": me,
            "offers_take": bool(detail.owner) or any(call.taken_by_name for call in detail.calls),
            "timeline": _timeline(detail),
            "has_other_first": self._waits_for_staff(detail),
            "is_open": detail.session is not None and detail.session.is_open,
            "free": [other for other in others if other.session is None and other.joined is None],
            "party": party,
            "phones": orders_by_phone(party) if party else [],
            "taken": [other for other in others if other.session is not None],
            "join": next((other for other in others if other.session and str(other.table.table_number) == join), None),
            "path": path,
            **form_parts(self.request, path),
            "works_kitchen": staff.may(self.request, staff.WORK_KITCHEN),
            "takes_payment": staff.may(self.request, staff.TAKE_PAYMENT),
            "for_bill": self._bill_query(detail),
            "may_replace_code": staff.may(self.request, staff.CHANGE_TABLE),
        }

    def _bill_query(self, detail: TableDetail) -> str:
        """Return the beginning of the query of the till's page that checks a reward for this bill; empty for none."""
        if not detail.orders or detail.session is None or not self.request.user.has_perm(staff.VALIDATE_REDEMPTION):
            return ""
        return f"for=reward&tableNumber={detail.table.table_number}&sessionId={detail.session.pk}&"

    def _waits_for_staff(self, detail: TableDetail) -> bool:
        """Return whether an order has a button of its own to press first."""
        statuses = {order.status for order in detail.orders if not order.is_kept}
        is_ready = Order.Status.READY in statuses and staff.may(self.request, staff.WORK_KITCHEN)
        is_due = detail.next_course is not None and detail.next_course.is_due
        return is_ready or is_due or Order.Status.HELD in statuses or detail.sends_next


def form_parts(request: Request, path: str) -> dict[str, str]:
    """Return what many forms of a page have: the `fields` of each, and the `refusal` of an order with its reasons."""
    fields = render_to_string("restaurant/floor/_form_fields.html", {"csrf_token": get_token(request), "path": path})
    reasons = {"fields": fields, "reasons": OrderChange.Reason}
    return {"fields": fields, "refusal": render_to_string("restaurant/floor/_form_refusal.html", reasons)}


def _timeline(detail: TableDetail) -> list[timeline.Event]:
    if detail.session is None or detail.bill is None:
        return []
    return timeline.of_session(detail.session, detail.orders, payment_events(detail.bill.payments))


def everything(request: Request) -> bool:
    """Return whether this device shows, and rings for, what is for others like what is the user's."""
    return (request.query_params.get("all") or request.COOKIES.get(EVERYTHING_COOKIE)) == "1"


def page_of(number: int, session: TableSession | None, request: Request) -> str:
    """Return the page's own path. It names the session where the request did."""
    if session is None or not request.query_params.get("sessionId"):
        return f"/floor/tables/{number}"
    return f"/floor/tables/{number}?sessionId={session.pk}"


class _FormOfTable(PageView):
    access = staff.CLOSE_SESSION
    template_name = "restaurant/floor/floor_table.html"

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return staff.refused(self.request, "/floor")


class Covers(_FormOfTable):
    """`POST /table/{tableNumber}/covers`: how many guests sit there."""

    @extend_schema(request=serializers.CoversBody, responses={200: serializers.Covers, 409: ErrorResponse})
    def post(self, request: Request, table_number: str) -> Response:
        number = parse_table_number(table_number)
        values = valid(serializers.CoversBody(data=_covers_body(request)))
        session = set_covers(table_number=number, **values)
        page = staff.page_before(request, f"/floor/tables/{session.table.table_number}")
        return FormResponse(serializers.Covers(session), redirect_to=page)


def _covers_body(request: Request) -> Any:
    """Return the body in the shape of JSON: a form's empty field is null."""
    body = body_of(request, numbers=("covers",))
    return body if form_fields(request) is None else {**body, "covers": body.get("covers") or None}


class Fire(_FormOfTable):
    """`POST /table/{tableNumber}/fire`: the kitchen makes what waits of this course and of earlier ones."""

    @extend_schema(request=serializers.FireBody, responses={200: serializers.Fired, 409: ErrorResponse})
    def post(self, request: Request, table_number: str) -> Response:
        number = parse_table_number(table_number)
        values = valid(serializers.FireBody(data=body_of(request, numbers=("course",))))
        fired = fire(table_number=number, **values, user_name=staff.name_of(request))
        page = staff.page_before(request, f"/floor/tables/{number}")
        return FormResponse(serializers.Fired({"fired": fired}), redirect_to=page)


class Move(_FormOfTable):
    """`POST /table/{tableNumber}/move`: the party sits at another table, or joins the one there."""

    @extend_schema(request=serializers.MoveBody, responses={200: serializers.MovedSession, 409: ErrorResponse})
    def post(self, request: Request, table_number: str) -> Response:
        number = parse_table_number(table_number)
        values = valid(serializers.MoveBody(data=body_of(request, numbers=("to",))))
        if question := self._question(request, number, **values):
            return FormResponse({}, redirect_to=question)
        session = move(table_number=number, **values, user=request.user)
        page = f"/floor/tables/{session.table.table_number}"
        if not session.is_open:
            page += f"?sessionId={session.pk}"
        return FormResponse(serializers.MovedSession(session), redirect_to=page)

    @staticmethod
    def _question(request: Request, number: int, session_id: str, to: int) -> str:
        """Return the page that asks a form's sender whether to join the party that sits at the other table by now.

        Return nothing for programs, for forms whose sender was asked, and if nobody sits there.
        """
        form = form_fields(request)
        if form is None or not is_page(request) or form.get("join") or to == number:
            return ""
        host = open_session(table(to))
        if host is None or str(host.pk) == session_id:
            return ""
        return f"/floor/tables/{number}?{urlencode({'sessionId': session_id, 'join': to})}#join"


class Free(_FormOfTable):
    """`POST /table/{tableNumber}/free`: the table is pushed together with another one no more."""

    @extend_schema(request=None, responses=serializers.FreeTable)
    def post(self, request: Request, table_number: str) -> Response:
        freed = free(table_number=parse_table_number(table_number))
        return FormResponse(serializers.FreeTable(freed), redirect_to=staff.page_before(request, "/floor"))


class Separate(_FormOfTable):
    """`POST /table/{tableNumber}/separate`: guests of a party go back to it, with what they ordered."""

    @extend_schema(request=serializers.SeparateBody, responses={200: serializers.MovedSession, 409: ErrorResponse})
    def post(self, request: Request, table_number: str) -> Response:
        number = parse_table_number(table_number)
        values = valid(serializers.SeparateBody(data=request.data))
        session = separate(table_number=number, order_ids=values["orders"], user=request.user)
        return FormResponse(serializers.MovedSession(session), redirect_to=f"/floor/tables/{number}")
