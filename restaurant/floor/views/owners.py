"""Who looks after which tables, and who goes to a call or an order."""

from typing import Any

from django.http import QueryDict
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.floor import serializers
from restaurant.floor.queries.tables import tables_with_sessions
from restaurant.floor.services.owners import take_tables
from restaurant.floor.views.areas import areas_of
from restaurant.ordering.queries.orders import staff_names
from restaurant.ordering.services import calls, order_steps
from web.fields import ErrorResponse, FormText
from web.forms import valid
from web.views import FormResponse, ObjectResponse, Page, PageView

TAKEN = {200: serializers.Taken, **dict.fromkeys((401, 403, 404), ErrorResponse)}


class Mine(PageView):
    """`/floor/mine`: the caller's tables. POST has them be these tables, or those of these sections, or both."""

    access = staff.CLOSE_SESSION
    template_name = "restaurant/floor/my_tables.html"
    context_object_name = "mine"

    @extend_schema(responses={200: serializers.Mine, **dict.fromkeys((401, 403), ErrorResponse)})
    def get(self, request: Request) -> Response:
        tiles, me = tables_with_sessions(), staff.name_of(request)
        own = [tile.table.table_number for tile in tiles if tile.owner == me]
        return ObjectResponse(serializers.Mine({"tables": own, "tiles": tiles}))

    @extend_schema(
        request=serializers.MineBody,
        responses={200: serializers.Mine, **dict.fromkeys((400, 401, 403), ErrorResponse)},
    )
    def post(self, request: Request) -> Response:
        values = valid(serializers.MineBody(data=_body(request)))
        tables = take_tables(user=request.user, numbers=values.get("tables", []), sections=values.get("sections", []))
        return FormResponse(serializers.Mine({"tables": tables}), redirect_to="/floor")

    def page_context(self, mine: dict[str, Any]) -> dict[str, Any]:
        areas = areas_of(mine["tiles"], [])
        return {"areas": areas, "me": staff.name_of(self.request), "names": dict(staff_names())}

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return staff.refused(self.request, "/floor/mine")


def _body(request: Request) -> Any:
    """Return the body in the shape of JSON. A form in which nothing is ticked gives all tables back."""
    data: Any = request.data
    if not isinstance(data, QueryDict):
        return data
    return {"tables": list(map(FormText, data.getlist("tables"))), "sections": data.getlist("sections")}


class Take(PageView):
    """The caller goes there, unless somebody does: the first who takes it has it."""

    access = staff.CLOSE_SESSION
    template_name = "restaurant/floor/floor.html"

    def _taken(self, pk: str, taken_by: str) -> Response:
        page = staff.page_before(self.request, "/floor")
        return FormResponse(serializers.Taken({"id": pk, "takenBy": taken_by}), redirect_to=page)


class TakeCall(Take):
    """`POST /calls/{callId}/take`"""

    @extend_schema(request=None, responses=TAKEN)
    def post(self, request: Request, call_id: str) -> Response:
        return self._taken(call_id, calls.take(call_id=call_id, user=request.user))


class TakeOrder(Take):
    """`POST /orders/{orderId}/take`: to approve it, or to carry what is ready."""

    @extend_schema(request=None, responses=TAKEN)
    def post(self, request: Request, order_id: str) -> Response:
        return self._taken(order_id, order_steps.take(order_id=order_id, user=request.user))
