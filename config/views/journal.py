"""`/reports/journal?from=2026-03-01&to=2026-03-31`: the sealed journal of these days, to be kept."""

from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from restaurant.reports.serializers import day_parameter
from web.archives import comma_separated, json_lines
from web.fields import ErrorResponse
from web.reporting import local_zone
from web.views import ReportView, parse_choice

KINDS = {"jsonl": (json_lines, "application/jsonl"), "csv": (comma_separated, "text/csv")}


class Journal(ReportView):
    access = "web.view_journalentry"

    @extend_schema(
        parameters=[
            day_parameter("from", "The first day."),
            day_parameter("to", "The last day."),
            OpenApiParameter("as", str, enum=list(KINDS), description="JSON Lines, or CSV."),
        ],
        responses={**{(200, kind): OpenApiTypes.STR for _write, kind in KINDS.values()}, 400: ErrorResponse},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        first, last = self.day("from"), self.day("to")
        if last < first:
            raise ValidationError({"to": _("The last day is before the first.")})
        chosen = parse_choice("as", request.query_params.get("as", ""), KINDS)
        write, content_type = KINDS[chosen]
        disposition = f'attachment; filename="journal-{first}-{last}.{chosen}"'
        return StreamingHttpResponse(
            write(first, last, local_zone()),
            content_type=f"{content_type}; charset=utf-8",
            headers={"Content-Disposition": disposition, "Cache-Control": "no-store"},
        )
