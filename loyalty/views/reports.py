"""The reports on the programme, for managers: JSON, page and CSV on one URL each (document 2, decision 4.15)."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.reports import engagement, programme, re_engagement, segments
from loyalty.serializers import reports as described
from loyalty.views.report_pages import engagement as engagement_page
from loyalty.views.report_pages import programme as programme_page
from loyalty.views.report_pages import re_engagement as re_engagement_page
from loyalty.views.report_pages import segments as segments_page
from web.fields import ErrorResponse
from web.views import ReportView


class Report(ReportView):
    access = "loyalty.view_reports"


class Engagement(Report):
    """`GET /reports/members/{customerId}`: one member (document 2, decision 4.14)."""

    template_name = "loyalty/reports/engagement.html"

    @extend_schema(responses={200: described.EngagementReport, 404: ErrorResponse})
    def get(self, request: Request, customer_id: str) -> Response:
        return self.respond(engagement, customer_id=customer_id)

    def csv_name(self, data: dict[str, Any]) -> str:
        return self.dated(f"member-{data['customer']['id']}")

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return engagement_page.page(data, self.details, self.now)


class Programme(Report):
    """`GET /reports/loyalty`: the dashboard (document 2)."""

    template_name = "loyalty/reports/programme.html"

    @extend_schema(responses={200: described.ProgrammeReport})
    def get(self, request: Request) -> Response:
        return self.respond(programme, zone=self.zone())

    def csv_name(self, data: dict[str, Any]) -> str:
        return self.dated("loyalty")

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return programme_page.page(data, self.details, self.now)


class Segments(Report):
    """`GET /reports/loyalty/segments` (document 2)."""

    template_name = "loyalty/reports/segments.html"

    @extend_schema(responses={200: described.SegmentsReport})
    def get(self, request: Request) -> Response:
        return self.respond(segments)

    def csv_name(self, data: dict[str, Any]) -> str:
        return self.dated("loyalty-segments")

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return segments_page.page(data, self.details, self.now)


class ReEngagement(Report):
    """`GET /reports/loyalty/re-engagement`: whom to ask back (document 2, decision 4.15)."""

    template_name = "loyalty/reports/re_engagement.html"

    @extend_schema(responses={200: described.ReEngagementReport})
    def get(self, request: Request) -> Response:
        return self.respond(re_engagement)

    def csv_name(self, data: dict[str, Any]) -> str:
        return self.dated("loyalty-re-engagement")

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return re_engagement_page.page(data, self.details, self.now)
