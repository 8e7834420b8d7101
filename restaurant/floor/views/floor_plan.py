"""The plan of the floor: where a section's tables stand and what else is in the room, for who may change tables."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from django.contrib import messages
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.floor.views import plan_form
from restaurant.tables import models as tables_models
from restaurant.tables import queries as tables_queries
from restaurant.tables.serializers.plans import ArrangedPlan, PlanBody, PlanState
from restaurant.tables.services import plans
from web.fields import ErrorResponse
from web.forms import form_fields, notify
from web.views import FormResponse, ObjectResponse, Page, PageView

# The row of a table that is added on the page: the script writes its number and seats into it.
NEW = {"number": "NEW", "column": "", "row": "", "shape": tables_models.Table.Shape.SQUARE.value, "seats": ""}


class FloorPlan(PageView):
    """`/floor/plan`: GET has a section's tables and what else is in the room, POST changes them, all or none."""

    access = staff.CHANGE_TABLE
    template_name = "restaurant/floor/floor_plan.html"
    context_object_name = "plan"

    @extend_schema(
        parameters=[OpenApiParameter("section", str, description="The first one, without it.")],
        responses={200: PlanState, **dict.fromkeys((401, 403), ErrorResponse)},
    )
    def get(self, request: Request) -> Response:
        return ObjectResponse(PlanState(tables_queries.plan_of(request.query_params.get("section", ""))))

    @extend_schema(
        request=PlanBody, responses={200: ArrangedPlan, **dict.fromkeys((400, 401, 403, 409), ErrorResponse)}
    )
    def post(self, request: Request) -> Response:
        """A form names all that is on the page and where it was `seen`: what was left as it was is not changed."""
        fields = form_fields(request)
        form = None if fields is None else plan_form.PlanForm(fields)
        body = PlanBody(data=form.body() if form else request.data)
        body.is_valid(raise_exception=True)
        section = body.validated_data["section"]
        changes = form.changes(body.validated_data) if form else plan_form.changes_of(body.validated_data)
        missing = plans.arrange(section=section, changes=changes)
        _tell(request, missing)
        plan = tables_queries.plan_of(section)
        state = {name: getattr(plan, name) for name in plan.__slots__}
        return FormResponse(
            ArrangedPlan({**state, "missing": missing}),
            redirect_to=f"{reverse('floor_plan')}?{urlencode({'section': section})}",
        )

    def page_context(self, plan: tables_queries.PlanOfSection) -> dict[str, Any]:
        return self._context([_row(table) for table in plan.tables], [_feature(each) for each in plan.features])

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """With what was entered, and beside it what others have made of that which was not touched."""
        fields = form_fields(self.request)
        if fields is None:
            return None
        form = plan_form.PlanForm(fields)
        plan = tables_queries.plan_of(fields.get("section", ""))
        is_seen = status == 409  # the sentence says what others have done
        rows = [_entered(_row(table), form, is_seen) for table in plan.tables]
        features = _entered_features([_feature(each) for each in plan.features], form, is_seen)
        wrong, wrong_features = _wrong(error, form)
        for row in rows:
            row["wrong"] = wrong.get(row["number"], {})
            row["sentence"] = next(filter(None, row["wrong"].values()), "")
        for feature in features:
            feature["wrong"] = wrong_features.get(str(feature["id"]), {})
            feature["sentence"] = next(filter(None, feature["wrong"].values()), "")
        return Page(self.template_name, {"plan": plan, **self._context(rows, features)})

    def _context(self, rows: list[dict[str, Any]], features: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            **_context(rows, features),
            "may_add": staff.may(self.request, staff.ADD_TABLE),
            "added": self.request.query_params.get("added", ""),
            "new_row": NEW,
        }


def _context(rows: list[dict[str, Any]], features: list[dict[str, Any]]) -> dict[str, Any]:
    """With a row for one more feature."""
    return {
        "rows": rows,
        "seen": " ".join(f"{row['number']}@{row['seen']}" for row in rows),
        "feature_rows": [*features, {"id": uuid4(), "kind": ""}],
        "kinds": tables_models.RoomFeature.Kind.choices,
        "lines": " ".join(tables_models.RoomFeature.LINES),
        "shapes": tables_models.Table.Shape.choices,
        "columns": tables_models.PLAN_COLUMNS,
        "most_rows": tables_models.PLAN_ROWS,
        "most_features": plans.MOST_FEATURES,
        "text_length": tables_models.RoomFeature.TEXT_LENGTH,
    }


def _row(table: tables_models.Table) -> dict[str, Any]:
    """The table's fields of the form."""
    place = table.plan_column, table.plan_row, table.capacity
    column, row, seats = ("" if number is None else str(number) for number in place)
    shape = str(table.shape)
    seen = f"{column},{row},{shape},{seats}"
    return {"number": table.table_number, "column": column, "row": row, "shape": shape, "seats": seats, "seen": seen}


def _feature(feature: tables_models.RoomFeature) -> dict[str, Any]:
    """The feature's fields of the form."""
    fields = {name: getattr(feature, name) for name in plan_form.FEATURE}
    return {"id": feature.pk, **fields, "seen": plan_form.seen_of(fields)}


def _entered(shown: dict[str, Any], form: plan_form.PlanForm, is_seen: bool) -> dict[str, Any]:
    number = shown["number"]
    if number not in form.numbers:
        return shown
    place, shape, seats = f"{shown['column']},{shown['row']}", shown["shape"], shown["seats"]
    entered: dict[str, str] = {}
    if ",".join(form.place(number)) != form.seen_places.get(number):
        entered |= dict(zip(plan_form.PLACE, form.place(number), strict=True))
        place = place if is_seen else form.seen_places.get(number, place)
    if form.shape(number) != form.seen_shapes.get(number, ""):
        entered["shape"] = form.shape(number)
        shape = shape if is_seen else form.seen_shapes.get(number, shape)
    if form.seats(number) != form.seen_seats.get(number, ""):
        entered["seats"] = form.seats(number)
        seats = seats if is_seen else form.seen_seats.get(number, seats)
    return {**shown, **entered, "seen": f"{place},{shape},{seats}"}


def _entered_features(stored: list[dict[str, Any]], form: plan_form.PlanForm, is_seen: bool) -> list[dict[str, Any]]:
    """Those that are stored, with what was entered; and those that were entered and aren't."""
    found = {str(each["id"]): each for each in stored}
    for each in form.ids:
        entered, seen = form.entered(each), form.seen(each)
        if ",".join(entered) == seen or not (entered[0] or each in found):
            continue
        now = found[each]["seen"] if each in found else ""
        found[each] = {
            "id": each,
            **dict(zip(plan_form.FEATURE, entered, strict=True)),
            "seen": now if is_seen else seen,
        }
    return list(found.values())


def _wrong(
    error: Mapping[str, Any], form: plan_form.PlanForm
) -> tuple[dict[int, dict[str, str]], dict[str, dict[str, str]]]:
    """What is wrong with the fields of tables, by number, and of features, by id."""
    tables: dict[int, dict[str, str]] = {
        number: dict.fromkeys(plan_form.PLACE, "") for number in error.get("tables", [])
    }
    features: dict[str, dict[str, str]] = {}
    for path, sentence in error.get("fields", {}).items():
        if found := re.fullmatch(r"(tables|features)\.([0-9]+)\.(\w+)", path):
            index, name = int(found[2]), found[3]
            if found[1] == "tables":
                tables.setdefault(form.numbers[index], {})[name] = sentence
            else:
                features.setdefault(form.changed_ids[index], {})[name] = sentence
    return tables, features


def _tell(request: Request, missing: list[int]) -> None:
    notify(request, _("The plan is saved."))
    if missing:
        sentence = ngettext(
            "Table %(all)s is not in this section any more.",
            "Tables %(all)s are not in this section any more.",
            len(missing),
        )
        notify(request, sentence % {"all": ", ".join(map(str, missing))}, messages.WARNING)
