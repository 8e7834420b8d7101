"""Creating tables."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant.serializers.tables import NewTable, TableBody
from restaurant.services import tables
from web.fields import ErrorResponse
from web.views import JSONView


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
