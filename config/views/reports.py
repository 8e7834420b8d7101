"""`/reports`: where managers find every report."""

from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from config import reports
from web.views import PageView


class Reports(PageView):
    """`/reports`: today's figures beside yesterday's until the same time of day, and the way to every report.

    JSON: `{restaurant: {today, before}, loyalty: {today, before}, reports: [{title, about, url}]}`, as far as one may.
    """

    access = ("restaurant.view_reports", "loyalty.view_reports")
    template_name = "config/reports.html"

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request) -> Response:
        self.now = now = timezone.now()
        zone = ZoneInfo(str(timezone.get_current_timezone()))
        data: dict[str, Any] = {"reports": []}
        if request.user.has_perm("restaurant.view_reports"):
            data["restaurant"] = reports.restaurant_today(now=now, zone=zone)
            data["reports"] += reports.of_restaurant()
        if request.user.has_perm("loyalty.view_reports"):
            data["loyalty"] = reports.loyalty_today(now=now, zone=zone)
            data["reports"] += reports.of_loyalty()
        return Response(data, headers={"Cache-Control": "private, no-cache"})

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return reports.page(data, until=self.now)
