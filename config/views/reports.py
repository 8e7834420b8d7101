"""`/reports`: where managers find every report."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config import reports
from loyalty.reports import programme
from loyalty.reports.queries import compared_figures
from loyalty.reports.serializers import LoyaltyToday
from restaurant.ordering.queries import counted
from restaurant.reports.queries.sales import compared_sales
from restaurant.reports.serializers import RestaurantToday
from web.reporting import local_zone
from web.views import ReportView
from web.windows import DAY_BEFORE, WEEK, Period, latest_days, today


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
        if self.request.user.has_perm("restaurant.view_reports"):
            return counted.orders().filter(created_at__lte=moment).exists()
        return programme.has_data_until(moment)

    @extend_schema(responses={200: ReportsIndex})
    def get(self, request: Request) -> Response:
        reads_sales, reads_loyalty = (request.user.has_perm(permission) for permission in self.access)
        period = self.period if self.for_page else today(self.now, local_zone(), DAY_BEFORE)
        index = reports.Index(
            restaurant=compared_sales(period) if reads_sales else None,
            loyalty=compared_figures(period) if reads_loyalty else None,
            reports=[
                *(reports.restaurant_reports() if reads_sales else []),
                *(reports.loyalty_reports() if reads_loyalty else []),
            ],
        )
        return self.respond(index)

    def csv_name(self, index: reports.Index) -> str:
        return self.named("overview")

    def page_context(self, index: reports.Index) -> dict[str, Any]:
        return reports.page(index, self.period)
