"""The plan of the floor: where a section's tables stand and what else is in the room, for who may change tables."""

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
from restaurant.floor.views.plan_form import FeatureRow, PlanForm, TableRow
from restaurant.tables.models import PLAN_COLUMNS, PLAN_ROWS, RoomFeature, Table
from restaurant.tables.queries import PlanOfSection, plan_of
from restaurant.tables.serializers.plans import ArrangedPlan, PlanBody, PlanState
from restaurant.tables.services.plans import MOST_FEATURES, Plan, arrange
from web.fields import ErrorResponse
from web.forms import form_fields, notify
from web.views import FormResponse, ObjectResponse, Page, PageView


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
        return ObjectResponse(PlanState(plan_of(request.query_params.get("section", ""))))

    @extend_schema(
        request=PlanBody, responses={200: ArrangedPlan, **dict.fromkeys((400, 401, 403, 409), ErrorResponse)}
    )
    def post(self, request: Request) -> Response:
        """A form names all that is on the page and what was `seen` of it: what was left as it was is not changed."""
        fields = form_fields(request)
        form = None if fields is None else PlanForm(fields)
        body = PlanBody(data=form.body() if form else request.data)
        body.is_valid(raise_exception=True)
        section = body.validated_data["section"]
        missing = arrange(section=section, wanted=body.plan(), seen=form.seen() if form else Plan())
        _notify(request, missing)
        return FormResponse(
            ArrangedPlan({**vars(plan_of(section)), "missing": missing}),
            redirect_to=f"{reverse('floor_plan')}?{urlencode({'section': section})}",
        )

    def page_context(self, plan: PlanOfSection) -> dict[str, Any]:
        return self._context([TableRow.of(table) for table in plan.tables], [*map(FeatureRow.of, plan.features)])

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """Show what was entered, and beside it what others have made of what was not touched."""
        fields = form_fields(self.request)
        if fields is None:
            return None
        form = PlanForm(fields)
        form.mark(error)
        plan = plan_of(form.section)
        is_stored_seen = status == 409  # the sentence says what others have done
        context = self._context(
            form.tables_over(plan.tables, is_stored_seen=is_stored_seen),
            form.features_over(plan.features, is_stored_seen=is_stored_seen),
        )
        return Page(self.template_name, {"plan": plan, **context})

    def _context(self, tables: list[TableRow], features: list[FeatureRow]) -> dict[str, Any]:
        """Add a blank row for one more feature, and one that scripts fill in for a new table."""
        return {
            "table_rows": tables,
            "seen": " ".join(f"{row.key}@{row.seen_text}" for row in tables),
            "feature_rows": [*features, FeatureRow.blank(uuid4())],
            "new_row": TableRow.blank("NEW"),
            "kinds": RoomFeature.Kind.choices,
            "lines": " ".join(RoomFeature.LINES),
            "shapes": Table.Shape.choices,
            "columns": PLAN_COLUMNS,
            "most_rows": PLAN_ROWS,
            "most_features": MOST_FEATURES,
            "text_length": RoomFeature.TEXT_LENGTH,
            "may_add": staff.may(self.request, staff.ADD_TABLE),
            "added": self.request.query_params.get("added", ""),
        }


def _notify(request: Request, missing: list[int]) -> None:
    notify(request, _("The plan is saved."))
    if missing:
        sentence = ngettext(
            "Table %(all)s is not in this section any more.",
            "Tables %(all)s are not in this section any more.",
            len(missing),
        )
        notify(request, sentence % {"all": ", ".join(map(str, missing))}, messages.WARNING)
