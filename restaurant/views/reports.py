"""The reports on the restaurant, for managers: JSON, page and CSV on one URL each (document 3, decision 5.9)."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import queries
from restaurant.reports import dashboard, menu, peak_hours, table
from restaurant.serializers import reports as described
from restaurant.views.report_pages import dashboard as dashboard_page
from restaurant.views.report_pages import menu as menu_page
from restaurant.views.report_pages import peak_hours as peak_hours_page
from restaurant.views.report_pages import table as table_page
from web.fields import ErrorResponse
from web.views import ReportView


class Report(ReportView):
    access = "restaurant.view_reports"


class Dashboard(Report):
    """`GET /reports/restaurant`: today (document 3)."""

    template_name = "restaurant/reports/dashboard.html"

    @extend_schema(responses={200: described.DashboardReport})
    def get(self, request: Request) -> Response:
        return self.respond(dashboard, zone=self.zone())

    def csv_name(self, data: dict[str, Any]) -> str:
        return self.dated("restaurant")

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return dashboard_page.page(data, self.details, self.now)


class PeakHours(Report):
    """`GET /reports/restaurant/peak-hours?days=30`: orders and scans by weekday and hour (document 3)."""

    template_name = "restaurant/reports/peak_hours.html"

    @extend_schema(
        parameters=[described.days_parameter(30)],
        responses={200: described.PeakHoursReport, 400: ErrorResponse},
    )
    def get(self, request: Request) -> Response:
        return self.respond(peak_hours, days=self.days(30), zone=self.zone())

    def csv_name(self, data: dict[str, Any]) -> str:
        return self.dated(f"peak-hours-{self.window}-days")

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return peak_hours_page.page(data, self.details, self.window, self.now)


class MenuPerformance(Report):
    """`GET /reports/restaurant/menu?days=30`: what each item brings in (document 3)."""

    template_name = "restaurant/reports/menu.html"

    @extend_schema(
        parameters=[described.days_parameter(30)],
        responses={200: described.MenuReport, 400: ErrorResponse},
    )
    def get(self, request: Request) -> Response:
        return self.respond(menu, days=self.days(30))

    def csv_name(self, data: dict[str, Any]) -> str:
        return self.dated(f"menu-{self.window}-days")

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return menu_page.page(data, self.details, self.now)


class TableScans(Report):
    """`GET /reports/restaurant/tables/{tableNumber}?days=7`: a table's scans (document 3)."""

    template_name = "restaurant/reports/table.html"

    @extend_schema(
        parameters=[described.days_parameter(7)],
        responses={200: described.TableReport, **dict.fromkeys((400, 404), ErrorResponse)},
    )
    def get(self, request: Request, table_number: str) -> Response:
        number = queries.table_number(table_number)
        return self.respond(table, table_number=number, days=self.days(7), zone=self.zone())

    def csv_name(self, data: dict[str, Any]) -> str:
        return self.dated(f"table-{data['tableNumber']}-{self.window}-days")

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return table_page.page(data, self.details, self.window, self.now)
