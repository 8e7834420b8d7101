"""The reports on the loyalty programme, for managers. See "Reports" in docs/behaviour/common.md."""

from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.reports import engagement, programme, re_engagement, segments, serializers
from loyalty.reports.engagement import page as engagement_page
from loyalty.reports.programme import page as programme_page
from loyalty.reports.programme import takings
from loyalty.reports.re_engagement import page as re_engagement_page
from loyalty.reports.segments import page as segments_page
from loyalty.restaurant import restaurant
from web import venue
from web.fields import ErrorResponse
from web.reporting import local_zone
from web.views import ReportView
from web.windows import Period, this_month


class Report(ReportView):
    access = "loyalty.view_reports"

    def has_data_until(self, moment: datetime) -> bool:
        return programme.has_data_until(moment)


class Engagement(Report):
    """`GET /reports/members/{customerId}`"""

    template_name = "loyalty/reports/engagement.html"
    serializer_class = serializers.EngagementReport

    @extend_schema(responses={200: serializers.EngagementReport, 404: ErrorResponse})
    def get(self, request: Request, customer_id: str) -> Response:
        return self.respond(engagement.read(customer_id=customer_id, now=self.now))

    def csv_name(self, report: engagement.Engagement) -> str:
        return self.dated(f"member-{report.member.pk}")

    def page_context(self, report: engagement.Engagement) -> dict[str, Any]:
        member, user = report.member, self.request.user
        return engagement_page.page(
            report,
            engagement.purchases(report, local_zone()),
            restaurant().usual_dishes(str(member.pk)),
            engagement.next_reward(member),
            letter=member.win_back_emails.order_by("-written_at").first(),
            target=re_engagement.target(member, now=self.now),
            may_see_entries=user.is_staff and user.has_perm("loyalty.view_pointtransaction"),
        )


class Programme(Report):
    """`GET /reports/loyalty`"""

    template_name = "loyalty/reports/programme.html"
    serializer_class = serializers.ProgrammeReport

    def default_period(self, zone: ZoneInfo, compare: str) -> Period:
        return this_month(self.now, zone, compare)

    @extend_schema(responses={200: serializers.ProgrammeReport})
    def get(self, request: Request) -> Response:
        period = self.period if self.for_page else None
        return self.respond(programme.read(now=self.now, zone=local_zone(), period=period))

    def csv_name(self, report: programme.Programme) -> str:
        return self.named("loyalty") if self.names_period else self.dated("loyalty")

    def page_context(self, report: programme.Programme) -> dict[str, Any]:
        return programme_page.page(report, programme.compare(period=self.period), self.period, self._takings())

    def _takings(self) -> list[takings.Takings]:
        """Return those of the period and of the one before; none for who may not read what the restaurant sold."""
        if not self.request.user.has_perm("restaurant.view_reports"):
            return []
        location, zone = venue.current().location_id or None, self.period.zone
        return [
            takings.read(window, zone, restaurant().sales(window), location)
            for window in (self.period.window, self.period.before)
        ]


class Segments(Report):
    """`GET /reports/loyalty/segments`"""

    template_name = "loyalty/reports/segments.html"
    serializer_class = serializers.SegmentsReport

    @extend_schema(responses={200: serializers.SegmentsReport})
    def get(self, request: Request) -> Response:
        return self.respond(segments.read(now=self.now))

    def csv_name(self, report: segments.Segments) -> str:
        return self.dated("loyalty-segments")

    def page_context(self, report: segments.Segments) -> dict[str, Any]:
        user = self.request.user
        may_see_members = user.is_staff and user.has_perm("loyalty.view_member")
        page = segments_page.page(report, segments.before(now=self.now))
        return page | {"may_see_members": may_see_members}


class ReEngagement(Report):
    """`GET /reports/loyalty/re-engagement`"""

    template_name = "loyalty/reports/re_engagement.html"
    serializer_class = serializers.ReEngagementReport

    @extend_schema(responses={200: serializers.ReEngagementReport})
    def get(self, request: Request) -> Response:
        return self.respond(re_engagement.read(now=self.now))

    def csv_name(self, report: re_engagement.ReEngagement) -> str:
        return self.dated("loyalty-re-engagement")

    def page_context(self, report: re_engagement.ReEngagement) -> dict[str, Any]:
        return re_engagement_page.page(
            re_engagement.with_letters(report),
            re_engagement.count_by_offer(now=self.now),
            re_engagement.count_came_back(now=self.now),
            re_engagement.results(now=self.now),
            self.request.query_params,
            of_segment=self._of_segment(report),
        )

    def _of_segment(self, report: re_engagement.ReEngagement) -> set[UUID] | None:
        """Return who of them is in `?segment=`; None if it names no segment."""
        name = self.request.query_params.get("segment", "")
        if name not in segments_page.SEGMENTS:
            return None
        return segments.ids_among([target.id for target in report.targets], name, now=self.now)
