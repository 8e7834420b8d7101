"""`/reports`: where managers find every report."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config import reports
from loyalty.reports import programme, re_engagement
from loyalty.reports import today as loyalty
from loyalty.reports.serializers import LoyaltyToday
from restaurant.ordering.queries import counted
from restaurant.reports import dashboard, day
from restaurant.reports import today as restaurant
from restaurant.reports.serializers import RestaurantToday
from web.reporting import local_zone
from web.views import ReportView
from web.windows import WEEK, Period, latest_days


class Entry(serializers.Serializer):
    title = serializers.CharField()
    about = serializers.CharField()
    url = serializers.CharField()


class ReportsIndex(serializers.Serializer):
    """`restaurant` and `loyalty` are only there for whoever may read these reports."""

    reports = Entry(many=True)
    restaurant = RestaurantToday(required=False)
    loyalty = LoyaltyToday(required=False)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return {name: value for name, value in super().to_representation(instance).items() if value is not None}


class Reports(ReportView):
    """JSON: today's figures beside yesterday's, and the list of the reports that the user may read.

    Page and CSV have those of a period beside the one before.
    """

    access = ("restaurant.view_reports", "loyalty.view_reports")
    template_name = "config/reports.html"
    serializer_class = ReportsIndex

    def default_period(self, zone: ZoneInfo, compare: str) -> Period:
        return latest_days(WEEK.days, self.now, zone, compare)

    def has_data_until(self, moment: datetime) -> bool:
        if self.index.restaurant:
            return counted.orders().filter(created_at__lte=moment).exists()
        return programme.has_data_until(moment)

    @extend_schema(responses={200: ReportsIndex})
    def get(self, request: Request) -> Response:
        of_restaurant = request.user.has_perm("restaurant.view_reports")
        of_loyalty = request.user.has_perm("loyalty.view_reports")
        self.index = reports.Index(
            restaurant=self._of(restaurant) if of_restaurant else None,
            loyalty=self._of(loyalty) if of_loyalty else None,
            reports=[
                *(reports.restaurant_reports() if of_restaurant else []),
                *(reports.loyalty_reports() if of_loyalty else []),
            ],
        )
        return self.respond(self.index)

    def _of(self, report: Any) -> Any:
        """`report`: a module of today's figures."""
        return report.in_period(self.period) if self.for_page else report.read(now=self.now, zone=local_zone())

    def csv_name(self, data: dict[str, Any]) -> str:
        return self.named("overview")

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        bills = parts = members = None
        if self.index.restaurant:
            bills = day.open_bills(day=self.period.today, zone=self.period.zone)
            parts = dashboard.by_time(self.period)
        if self.index.loyalty:
            members = sum(re_engagement.count_by_offer(now=self.now).values())
        return reports.page(self.index, reports.Now(parts, bills, members), self.period)
