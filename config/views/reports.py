"""`/reports`: where managers find every report."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config import reports
from loyalty.reports import re_engagement
from loyalty.reports import today as loyalty
from loyalty.serializers.reports import LoyaltyToday
from restaurant.reports import dashboard, day
from restaurant.reports import today as restaurant
from restaurant.serializers.reports import RestaurantToday
from web import choices
from web.reporting import local_zone
from web.views import PageView
from web.windows import WEEK, latest_days, today


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


class Reports(PageView):
    """Today's figures beside yesterday's, and the list of the reports that the user may read.

    The page has them beside those of a week ago.
    """

    access = ("restaurant.view_reports", "loyalty.view_reports")
    template_name = "config/reports.html"

    @extend_schema(responses={200: ReportsIndex})
    def get(self, request: Request) -> Response:
        of_restaurant = request.user.has_perm("restaurant.view_reports")
        of_loyalty = request.user.has_perm("loyalty.view_reports")
        now, zone = timezone.now(), local_zone()
        ago = 7 if request.accepted_renderer.format == "html" else 1
        self.index = reports.Index(
            until=now,
            restaurant=restaurant.read(now=now, zone=zone, ago=ago) if of_restaurant else None,
            loyalty=loyalty.read(now=now, zone=zone, ago=ago) if of_loyalty else None,
            reports=[
                *(reports.restaurant_reports() if of_restaurant else []),
                *(reports.loyalty_reports() if of_loyalty else []),
            ],
        )
        return Response(ReportsIndex(self.index).data, headers={"Cache-Control": "private, no-cache"})

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        zone = local_zone()
        period = today(self.index.until, zone)
        bills = day.open_bills(day=period.today, zone=zone) if self.index.restaurant else None
        members = sum(re_engagement.count_by_offer(now=period.now).values()) if self.index.loyalty else None
        week = latest_days(WEEK.days, period.now, zone)
        now = reports.Now(week, dashboard.by_time(week) if self.index.restaurant else None, bills, members)
        return reports.page(self.index, now, period) | {"kept": choices.kept(self.request.query_params)}
