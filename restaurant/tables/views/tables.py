"""Creating tables."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.tables import queries
from restaurant.tables.serializers.tables import (
    MOST_AT_ONCE,
    AddedTables,
    NewTable,
    TableBody,
    TableRangeBody,
    TablesBySection,
)
from restaurant.tables.services import tables
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, notify
from web.views import FormResponse, JSONView, Page, PageView


class Tables(JSONView):
    """`POST /tables`: a table with its code."""

    access = staff.ADD_TABLE

    @extend_schema(request=TableBody, responses={201: NewTable, **dict.fromkeys((409, 503), ErrorResponse)})
    def post(self, request: Request) -> Response:
        body = TableBody(data=request.data)
        body.is_valid(raise_exception=True)
        values = body.validated_data
        table = tables.create(
            table_number=values["tableNumber"], section=values["section"], capacity=values["capacity"]
        )
        return Response(NewTable(table).data, status=201)


class TableRange(PageView):
    """`/tables/range`: several tables at once. Sent twice, it adds them once."""

    access = staff.ADD_TABLE
    template_name = "restaurant/tables/table_range.html"
    error_statuses = frozenset({400, 502, 503})

    @extend_schema(responses={200: TablesBySection, **dict.fromkeys((401, 403), ErrorResponse)})
    def get(self, request: Request) -> Response:
        return Response(TablesBySection(queries.tables_by_section()).data)

    @extend_schema(
        request=TableRangeBody, responses={201: AddedTables, **dict.fromkeys((400, 401, 403, 503), ErrorResponse)}
    )
    def post(self, request: Request) -> Response:
        body = TableRangeBody(
            data=body_of(request, numbers=("from", "to", "capacity"), optional=("section", "capacity"))
        )
        body.is_valid(raise_exception=True)
        values = body.validated_data
        result = tables.create_range(
            first=values["from"], last=values["to"], section=values["section"], capacity=values["capacity"]
        )
        data = AddedTables(result).data
        _tell(request, data)
        return FormResponse(data, redirect_to=_page_after(data, form_fields(request) or {}), status=201)

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        asked = self.request.query_params
        numbers = {"from": data["next"], "to": ""}
        return {**_of_page(data), "entered": {**numbers, **asked.dict()}, "added": asked.get("added", "")}

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        data = TablesBySection(queries.tables_by_section()).data
        return Page(self.template_name, {**data, **_of_page(data), "entered": form_fields(self.request)})


def _of_page(data: dict[str, Any]) -> dict[str, Any]:
    return {
        "by_section": [(each["section"], in_ranges(each["numbers"])) for each in data["sections"]],
        "without": in_ranges(data["withoutCode"]),
        "most": MOST_AT_ONCE,
    }


def _tell(request: Request, data: dict[str, Any]) -> None:
    """In the messages of the next page."""
    for name, level, sentence in (
        ("added", messages.SUCCESS, ngettext("Added: table %(all)s.", "Added: tables %(all)s.", len(data["added"]))),
        ("kept", messages.INFO, _("There already, and left as before: %(all)s.")),
        ("refused", messages.WARNING, _("Not added, because no code could be made: %(all)s. Please send this again.")),
    ):
        if data[name]:
            notify(request, sentence % {"all": in_ranges(data[name])}, level)
    if data["warning"]:
        notify(request, data["warning"], messages.WARNING)


def _page_after(data: dict[str, Any], form: dict[str, str]) -> str:
    """With the cards of what was added to print, and the form filled in for what could not be.

    Who came from the plan of the floor goes back there, to the section of the tables, once all of them are added.
    """
    query: dict[str, Any] = {}
    if data["added"]:
        query["added"] = ",".join(map(str, data["added"]))
    if form.get("plan"):
        if data["added"] and not data["refused"]:
            return f"{reverse('floor_plan')}?{urlencode({'section': form.get('section', '').strip(), **query})}"
        query["plan"] = "1"
    if data["refused"]:
        query |= {"from": data["refused"][0], "to": data["refused"][-1]}
        query |= {name: form[name] for name in ("section", "capacity") if form.get(name)}
    page = reverse("table_range")
    return f"{page}?{urlencode(query)}" if query else page


def in_ranges(numbers: Iterable[int]) -> str:
    """Ascending numbers, those that follow each other as one range."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    return ", ".join("–".join(map(str, each)) for each in ranges)


class Code(PageView):
    """`POST /tables/{tableNumber}/code`: a new code for the table. The printed one leads nowhere any more."""

    access = staff.CHANGE_TABLE
    template_name = "restaurant/floor/floor.html"

    @extend_schema(request=None, responses={200: NewTable, **dict.fromkeys((401, 403, 404, 503), ErrorResponse)})
    def post(self, request: Request, table_number: str) -> Response:
        table = tables.replace_code(table_number=queries.table_number(table_number))
        return FormResponse(NewTable(table).data, redirect_to=f"/tables/print?numbers={table.table_number}")
