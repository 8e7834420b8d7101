"""Who looks after which tables, and who goes to a call or an order."""

from typing import Any

from django.http import QueryDict
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.floor import serializers
from restaurant.floor.queries.owners import tables_with_owners
from restaurant.floor.services.owners import take_tables
from restaurant.ordering.queries.orders import staff_names
from restaurant.ordering.services import calls, order_steps
from web.fields import ErrorResponse, FormText
from web.forms import valid
from web.views import FormResponse, ObjectResponse, Page, PageView


class Mine(PageView):
    """`/floor/mine`: the caller's tables. POST has them be these tables, or those of these sections, or both."""

    access = staff.CLOSE_SESSION
    template_name = "restaurant/floor/my_tables.html"
    context_object_name = "mine"

    @extend_schema(responses={200: serializers.Mine, **dict.fromkeys((401, 403), ErrorResponse)})
    def get(self, request: Request) -> Response:
        return ObjectResponse(serializers.Mine(self._mine()))

    @extend_schema(
        request=serializers.MineBody,
        responses={200: serializers.Mine, **dict.fromkeys((400, 401, 403), ErrorResponse)},
    )
    def post(self, request: Request) -> Response:
        values = valid(serializers.MineBody(data=_body(request)))
        tables = take_tables(user=request.user, numbers=values.get("tables", []), sections=values.get("sections", []))
        return FormResponse(serializers.Mine({"tables": tables}), redirect_to="/floor")

    def _mine(self) -> dict[str, list[int]]:
        me = staff.name_of(self.request)
        return {"tables": [table.table_number for table, owner in tables_with_owners() if owner == me]}

    def page_context(self, mine: dict[str, list[int]]) -> dict[str, Any]:
        areas: dict[str, list[tuple[Any, str]]] = {}
        for table, owner in tables_with_owners():
            areas.setdefault(table.section, []).append((table, owner))
        return {"areas": areas, "me": staff.name_of(self.request), "names": dict(staff_names())}

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return staff.refused(self.request, "/floor/mine")


def _body(request: Request) -> Any:
    """Return the body in the shape of JSON. A form in which nothing is ticked gives all tables back."""
    data: Any = request.data
    if not isinstance(data, QueryDict):
        return data
    return {"tables": list(map(FormText, data.getlist("tables"))), "sections": data.getlist("sections")}


class TakeCall(PageView):
    """`POST /calls/{callId}/take`: the caller goes there, unless somebody does: the first who takes it has it."""

    access = staff.CLOSE_SESSION
    template_name = "restaurant/floor/floor.html"

    @extend_schema(
        request=None, responses={200: serializers.TakenCall, **dict.fromkeys((401, 403, 404), ErrorResponse)}
    )
    def post(self, request: Request, call_id: str) -> Response:
        call = calls.take(call_id=call_id, user=request.user)
        return FormResponse(serializers.TakenCall(call), redirect_to=staff.page_before(request, "/floor"))


class TakeOrder(PageView):
    """`POST /orders/{orderId}/take`: the caller approves it, or carries what is ready; as with a call."""

    access = staff.CLOSE_SESSION
    template_name = "restaurant/floor/floor.html"

    @extend_schema(
        request=None, responses={200: serializers.TakenOrder, **dict.fromkeys((401, 403, 404), ErrorResponse)}
    )
    def post(self, request: Request, order_id: str) -> Response:
        taken_by = order_steps.take(order_id=order_id, user=request.user)
        taken = serializers.TakenOrder({"orderId": order_id, "takenBy": taken_by})
        return FormResponse(taken, redirect_to=staff.page_before(request, "/floor"))
