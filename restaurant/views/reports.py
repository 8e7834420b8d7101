"""The reports on the restaurant, for managers: JSON, page and CSV on one URL each (document 3, decision 5.9)."""

import re
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from restaurant import queries, serializers
from restaurant.reports import dashboard, menu, peak_hours, table
from restaurant.serializers import reports as described
from restaurant.views.report_pages import dashboard as dashboard_page
from restaurant.views.report_pages import menu as menu_page
from restaurant.views.report_pages import peak_hours as peak_hours_page
from restaurant.views.report_pages import table as table_page

MOST_DAYS = 365


class Report(APIView):
    """`details` is what only the page and the CSV show; JSON does not ask for it."""

    access = "restaurant.view_reports"
    details: Any

    def answer(self, report: Any, **arguments: Any) -> Response:
        self.now = timezone.now()
        if self.request.accepted_renderer.format == "json":
            body = report.read(now=self.now, **arguments)
        else:
            body, self.details = report.read_for_page(now=self.now, **arguments)
        return Response(body, headers={"Cache-Control": "private, no-cache"})

    def days(self, default: int) -> int:
        """What `?days=` says. Raises ValidationError."""
        text = self.request.query_params.get("days", str(default))
        if not re.fullmatch(r"[0-9]{1,9}", text) or not 1 <= int(text) <= MOST_DAYS:
            raise ValidationError({"days": _("A whole number from 1 to %(most)s is needed.") % {"most": MOST_DAYS}})
        self.window = int(text)
        return self.window

    def file_name(self, name: str) -> str:
        return f"{name}-{timezone.localdate(self.now)}"


def _zone() -> ZoneInfo:
    """That of TIME_ZONE (decision 1.8)."""
    return ZoneInfo(str(timezone.get_current_timezone()))


class Dashboard(Report):
    """`GET /reports/restaurant`: today (document 3)."""

    template_name = "restaurant/reports/dashboard.html"

    @extend_schema(responses={200: described.DashboardReport})
    def get(self, request: Request) -> Response:
        return self.answer(dashboard, zone=_zone())

    def csv_name(self, data: dict[str, Any]) -> str:
        return self.file_name("restaurant")

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return dashboard_page.page(data, self.details, self.now)


class PeakHours(Report):
    """`GET /reports/restaurant/peak-hours?days=30`: orders and scans by weekday and hour (document 3)."""

    template_name = "restaurant/reports/peak_hours.html"

    @extend_schema(
        parameters=[described.days_parameter(30)],
        responses={200: described.PeakHoursReport, 400: serializers.Error},
    )
    def get(self, request: Request) -> Response:
        return self.answer(peak_hours, days=self.days(30), zone=_zone())

    def csv_name(self, data: dict[str, Any]) -> str:
        return self.file_name(f"peak-hours-{self.window}-days")

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return peak_hours_page.page(data, self.details, self.window, self.now)


class MenuPerformance(Report):
    """`GET /reports/restaurant/menu?days=30`: what each item brings in (document 3)."""

    template_name = "restaurant/reports/menu.html"

    @extend_schema(
        parameters=[described.days_parameter(30)],
        responses={200: described.MenuReport, 400: serializers.Error},
    )
    def get(self, request: Request) -> Response:
        return self.answer(menu, days=self.days(30))

    def csv_name(self, data: dict[str, Any]) -> str:
        return self.file_name(f"menu-{self.window}-days")

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return menu_page.page(data, self.details, self.now)


class TableScans(Report):
    """`GET /reports/restaurant/tables/{tableNumber}?days=7`: a table's scans (document 3)."""

    template_name = "restaurant/reports/table.html"

    @extend_schema(
        parameters=[described.days_parameter(7)],
        responses={200: described.TableReport, **dict.fromkeys((400, 404), serializers.Error)},
    )
    def get(self, request: Request, table_number: str) -> Response:
        number = queries.table_number(table_number)
        return self.answer(table, table_number=number, days=self.days(7), zone=_zone())

    def csv_name(self, data: dict[str, Any]) -> str:
        return self.file_name(f"table-{data['tableNumber']}-{self.window}-days")

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return table_page.page(data, self.details, self.window, self.now)
