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
from restaurant.tables.services import tables as services
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, notify, valid
from web.views import FormResponse, JSONView, ObjectResponse, Page, PageView


class Tables(JSONView):
    """`POST /tables`: a table with its code."""

    access = staff.ADD_TABLE

    @extend_schema(request=TableBody, responses={201: NewTable, **dict.fromkeys((409, 503), ErrorResponse)})
    def post(self, request: Request) -> Response:
        values = valid(TableBody(data=request.data))
        return Response(NewTable(services.create(**values)).data, status=201)


class TableRange(PageView):
    """`/tables/range`: several tables at once. Sent twice, it adds them once."""

    access = staff.ADD_TABLE
    template_name = "restaurant/tables/table_range.html"
    error_statuses = frozenset({400, 502, 503})

    @extend_schema(responses={200: TablesBySection, **dict.fromkeys((401, 403), ErrorResponse)})
    def get(self, request: Request) -> Response:
        return ObjectResponse(TablesBySection(queries.tables_by_section()))

    @extend_schema(
        request=TableRangeBody, responses={201: AddedTables, **dict.fromkeys((400, 401, 403, 503), ErrorResponse)}
    )
    def post(self, request: Request) -> Response:
        sent = body_of(request, numbers=("from", "to", "capacity"), optional=("section", "capacity"))
        values = valid(TableRangeBody(data=sent))
        result = services.create_range(**values)
        _notify(request, result)
        page = _page_after(result, form_fields(request) or {})
        return FormResponse(AddedTables(result), redirect_to=page, status=201)

    def page_context(self, tables: queries.TablesBySection) -> dict[str, Any]:
        query = self.request.query_params
        entered = {"from": tables.next, "to": "", **query.dict()}
        return {**_stored_tables(tables), "entered": entered, "added": query.get("added", "")}

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        context = _stored_tables(queries.tables_by_section())
        return Page(self.template_name, {**context, "entered": form_fields(self.request)})


def _stored_tables(tables: queries.TablesBySection) -> dict[str, Any]:
    return {
        "by_section": [(section.section, in_ranges(section.numbers)) for section in tables.sections],
        "without": in_ranges(tables.without_code),
        "most": MOST_AT_ONCE,
    }


def _notify(request: Request, result: services.AddedTables) -> None:
    """Say in the messages of the next page which tables were added."""
    added = ngettext("Added: table %(all)s.", "Added: tables %(all)s.", len(result.added))
    refused = _("Not added, because no code could be made: %(all)s. Please send this again.")
    for numbers, level, sentence in (
        (result.added, messages.SUCCESS, added),
        (result.kept, messages.INFO, _("There already, and left as before: %(all)s.")),
        (result.refused, messages.WARNING, refused),
    ):
        if numbers:
            notify(request, sentence % {"all": in_ranges(numbers)}, level)
    if result.error:
        notify(request, str(result.error.sentence), messages.WARNING)


def _page_after(result: services.AddedTables, form: dict[str, str]) -> str:
    """Return the address of the page that offers to print the added tables' cards and to try again what was refused.

    Who came from the plan of the floor goes back there, to the section of the tables, once all of them are added.
    """
    query: dict[str, Any] = {"added": ",".join(map(str, result.added))} if result.added else {}
    if form.get("plan"):
        if result.added and not result.refused:
            return f"{reverse('floor_plan')}?{urlencode({'section': form.get('section', '').strip(), **query})}"
        query["plan"] = "1"
    if result.refused:
        query |= {"from": result.refused[0], "to": result.refused[-1]}
        query |= {name: form[name] for name in ("section", "capacity") if form.get(name)}
    page = reverse("table_range")
    return f"{page}?{urlencode(query)}" if query else page


def in_ranges(numbers: Iterable[int]) -> str:
    """Write ascending numbers, those that follow each other as one range."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    return ", ".join("–".join(map(str, ends)) for ends in ranges)


class Code(PageView):
    """`POST /tables/{tableNumber}/code`: a new code for the table. The printed one leads nowhere any more."""

    access = staff.CHANGE_TABLE
    template_name = "restaurant/floor/floor.html"

    @extend_schema(request=None, responses={200: NewTable, **dict.fromkeys((401, 403, 404, 503), ErrorResponse)})
    def post(self, request: Request, table_number: str) -> Response:
        table = services.replace_code(table_number=queries.parse_table_number(table_number))
        return FormResponse(NewTable(table), redirect_to=f"/tables/print?numbers={table.table_number}")
