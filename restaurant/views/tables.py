"""Creating tables."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import queries
from restaurant.serializers.tables import NewTable, TableBody
from restaurant.services import tables
from web.fields import ErrorResponse
from web.views import FormResponse, JSONView, PageView


class Tables(JSONView):
    """`POST /tables`: a table with its code."""

    access = "restaurant.add_table"

    @extend_schema(request=TableBody, responses={201: NewTable, **dict.fromkeys((409, 503), ErrorResponse)})
    def post(self, request: Request) -> Response:
        body = TableBody(data=request.data)
        body.is_valid(raise_exception=True)
        values = body.validated_data
        table = tables.create(
            table_number=values["tableNumber"], section=values["section"], capacity=values["capacity"]
        )
        return Response(NewTable(table).data, status=201)


class Code(PageView):
    """`POST /tables/{tableNumber}/code`: a new code for the table. The printed one leads nowhere any more."""

    access = "restaurant.change_table"
    template_name = "restaurant/floor.html"

    @extend_schema(request=None, responses={200: NewTable, **dict.fromkeys((401, 403, 404, 503), ErrorResponse)})
    def post(self, request: Request, table_number: str) -> Response:
        table = tables.replace_code(table_number=queries.table_number(table_number))
        return FormResponse(NewTable(table).data, redirect_to=f"/tables/print?numbers={table.table_number}")
