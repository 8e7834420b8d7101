"""The plan of the floor: where the tables of a section stand, for who may change tables."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import queries
from restaurant.serializers.tables import ArrangedPlan, PlanBody, PlanState
from restaurant.services import plans
from restaurant.views import staff
from web.fields import ErrorResponse, FormText
from web.forms import form_fields, notify
from web.views import FormResponse, Page, PageView

NAMES = ("column", "row")


class FloorPlan(PageView):
    """`/floor/plan`: GET has the places of a section's tables, POST changes them, all or none."""

    access = staff.CHANGE_TABLE
    template_name = "restaurant/floor_plan.html"

    @extend_schema(
        parameters=[OpenApiParameter("section", str, description="The first one, without it.")],
        responses={200: PlanState, **dict.fromkeys((401, 403), ErrorResponse)},
    )
    def get(self, request: Request) -> Response:
        return Response(PlanState(queries.plan_of(request.query_params.get("section", ""))).data)

    @extend_schema(
        request=PlanBody, responses={200: ArrangedPlan, **dict.fromkeys((400, 401, 403, 409), ErrorResponse)}
    )
    def post(self, request: Request) -> Response:
        """A form names all tables of the page and where they were `seen`: those that were left there are not placed."""
        form = form_fields(request)
        body = PlanBody(data=request.data if form is None else _body_of(form))
        body.is_valid(raise_exception=True)
        section = body.validated_data["section"]
        missing = plans.arrange(section=section, placings=_placings(body.validated_data["tables"], form or {}))
        _tell(request, missing)
        plan = queries.plan_of(section)
        data = ArrangedPlan({**{name: getattr(plan, name) for name in plan.__slots__}, "missing": missing}).data
        return FormResponse(data, redirect_to=f"{reverse('floor_plan')}?{urlencode({'section': section})}")

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return _context(data, [_shown(table) for table in data["tables"]])

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """With what was entered, and beside it where others have put the tables that were not touched."""
        form = form_fields(self.request)
        if form is None:
            return None
        data = PlanState(queries.plan_of(form.get("section", ""))).data
        wrong = _wrong(error, form)
        is_seen = status == 409  # the sentence says what others have done
        rows = [_entered(_shown(table), form, is_seen) for table in data["tables"]]
        for row in rows:
            row["wrong"] = wrong.get(row["tableNumber"], {})
            row["sentence"] = next(filter(None, row["wrong"].values()), "")
        return Page(self.template_name, {**data, **_context(data, rows)})


def _context(data: Mapping[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    seen = " ".join(f"{row['tableNumber']}@{row['seen']}" for row in rows)
    return {"rows": rows, "seen": seen, "columns": queries.PLAN_COLUMNS, "most_rows": queries.PLAN_ROWS}


def _shown(table: Mapping[str, Any]) -> dict[str, Any]:
    """The table with its place as text, as a form has it."""
    column, row = ("" if table[name] is None else str(table[name]) for name in NAMES)
    return {**table, "column": column, "row": row, "seen": f"{column},{row}"}


def _entered(shown: dict[str, Any], form: Mapping[str, str], is_seen: bool) -> dict[str, Any]:
    number = shown["tableNumber"]
    entered = [form.get(f"{name}-{number}", "").strip() for name in NAMES]
    seen = _seen(form).get(number)
    if f"column-{number}" not in form or ",".join(entered) == seen:
        return shown
    return {**shown, "column": entered[0], "row": entered[1], "seen": shown["seen"] if is_seen else seen}


def _numbers(form: Mapping[str, str]) -> list[int]:
    return [int(name[7:]) for name in form if re.fullmatch(r"column-[0-9]{1,5}", name)]


def _seen(form: Mapping[str, str]) -> dict[int, str]:
    found = re.findall(r"\b([0-9]{1,5})@([0-9]{1,2},[0-9]{1,2}|,)(?= |$)", form.get("seen", ""))
    return {int(number): place for number, place in found}


def _body_of(form: Mapping[str, str]) -> dict[str, Any]:
    """As JSON would have it."""
    tables = [
        {"tableNumber": number}
        | {name: FormText(text) for name in NAMES if (text := form.get(f"{name}-{number}", "").strip())}
        for number in _numbers(form)
    ]
    return {"section": form.get("section", ""), "tables": tables}


def _placings(places: list[dict[str, Any]], form: Mapping[str, str]) -> dict[int, plans.Placing]:
    seen = _seen(form)
    found = {}
    for each in places:
        number, place = each["tableNumber"], _place(each["column"], each["row"])
        before = _place(*(int(text) if text else None for text in seen.get(number, ",").split(",")))
        if number not in seen or place != before:
            found[number] = plans.Placing(place, before, is_seen=number in seen)
    return found


def _place(column: int | None, row: int | None) -> plans.Place | None:
    return None if column is None or row is None else (column, row)


def _wrong(error: Mapping[str, Any], form: Mapping[str, str]) -> dict[int, dict[str, str]]:
    """By the table's number, what is wrong with its column and its row."""
    wrong: dict[int, dict[str, str]] = {number: dict.fromkeys(NAMES, "") for number in error.get("tables", [])}
    numbers = _numbers(form)
    for path, sentence in error.get("fields", {}).items():
        if found := re.fullmatch(r"tables\.([0-9]+)\.(\w+)", path):
            wrong.setdefault(numbers[int(found[1])], {})[found[2]] = sentence
    return wrong


def _tell(request: Request, missing: list[int]) -> None:
    notify(request, _("The plan is saved."))
    if missing:
        sentence = ngettext(
            "Table %(all)s is not in this section any more.",
            "Tables %(all)s are not in this section any more.",
            len(missing),
        )
        notify(request, sentence % {"all": ", ".join(map(str, missing))}, messages.WARNING)
