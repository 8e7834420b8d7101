"""The restaurant's reports, for managers. See "Reports" in docs/behaviour/common.md."""

from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from loyalty import gateway as loyalty
from restaurant.ordering.queries import counted
from restaurant.reports import accounting, dashboard, day, lines, menu, peak_hours, serializers, table
from restaurant.reports.accounting import datev
from restaurant.reports.accounting import page as accounting_page
from restaurant.reports.by_time import sales_by_time
from restaurant.reports.dashboard import page as dashboard_page
from restaurant.reports.day import page as day_page
from restaurant.reports.menu import page as menu_page
from restaurant.reports.order_filter import ALL, CHANNELS, OrderFilter
from restaurant.reports.peak_hours import page as peak_hours_page
from restaurant.reports.queries.sold import by_item
from restaurant.reports.table import page as table_page
from restaurant.tables import queries as tables_queries
from web.fields import ErrorResponse
from web.reporting import bounds_of, local_zone
from web.spreadsheets import blocks, harmless
from web.views import ObjectResponse, ReportView, parse_choice
from web.windows import Period, this_month, today


class Report(ReportView):
    access = "restaurant.view_reports"

    def has_data_until(self, moment: datetime) -> bool:
        return counted.orders().filter(created_at__lte=moment).exists()

    @property
    def _with_admin(self) -> bool:
        """Whether the user may open dishes in the admin."""
        user = self.request.user
        return user.is_staff and user.has_perm("restaurant.view_menuitem")


class Dashboard(Report):
    """`GET /reports/restaurant`: JSON of today; page and CSV of any period, or of some of the orders"""

    template_name = "restaurant/reports/dashboard.html"
    serializer_class = serializers.DashboardReport

    def default_period(self, zone: ZoneInfo, compare: str) -> Period:
        return today(self.now, zone, compare)

    @extend_schema(responses={200: serializers.DashboardReport})
    def get(self, request: Request) -> Response:
        return self.respond(self._chosen() if self.for_page else dashboard.read(period=today(self.now, local_zone())))

    def _chosen(self) -> dashboard.Dashboard:
        """`?channel=` and `?section=`. Raises ValidationError and SectionUnknown."""
        parameters = self.request.query_params
        channel = parse_choice("channel", parameters.get("channel", ""), CHANNELS)
        order_filter = OrderFilter("" if channel == ALL else channel, parameters.get("section", ""))
        return dashboard.read(period=self.period, order_filter=order_filter)

    def csv_name(self, report: dashboard.Dashboard) -> str:
        chosen = report.order_filter
        name = "-".join(filter(None, ("restaurant", chosen.channel, slugify(chosen.section))))
        return self.named(name) if self.names_period else self.dated(name)

    def page_context(self, report: dashboard.Dashboard) -> dict[str, Any]:
        comparison = dashboard.compare(report)
        return dashboard_page.page(report, comparison, self.request.query_params, with_admin=self._with_admin)


class DayReport(Report):
    """`GET /reports/restaurant/day?date=2026-03-07`"""

    template_name = "restaurant/reports/day.html"
    serializer_class = serializers.DayReport

    @extend_schema(
        parameters=[serializers.day_parameter("date", "The day.")],
        responses={200: serializers.DayReport, 400: ErrorResponse},
    )
    def get(self, request: Request) -> Response:
        return self.respond(day.read(day=self.day("date"), zone=local_zone()))

    def csv_name(self, report: day.Day) -> str:
        return f"day-{report.date}"

    def page_context(self, report: day.Day) -> dict[str, Any]:
        before = day.week_before(report, now=self.now, zone=local_zone())
        given = loyalty.given(report.began, report.ended)
        return day_page.page(report, before, given, names=day.full_names(report), now=self.now)


class Lines(Report):
    """`GET /reports/restaurant/lines?from=2026-03-01&to=2026-03-07`: every order line as CSV, streamed."""

    @extend_schema(
        parameters=[
            serializers.day_parameter("from", "The first day."),
            serializers.day_parameter("to", "The last day."),
        ],
        responses={(200, "text/csv"): OpenApiTypes.STR, 400: ErrorResponse},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        zone, first, last = local_zone(), self.day("from"), self.day("to")
        if last < first:
            raise ValidationError({"to": _("The last day is before the first.")})
        rows = lines.rows(since=bounds_of(first, zone)[0], until=bounds_of(last, zone)[1], zone=zone)
        return StreamingHttpResponse(
            blocks(chain([list(lines.COLUMNS)], rows)),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="lines-{first}-{last}.csv"'},
        )


class Accounting(Report):
    """`GET /reports/restaurant/accounting?from=2026-03-01&to=2026-03-31`: CSV, a page, or for DATEV (`as=datev`)."""

    template_name = "restaurant/reports/accounting.html"

    def default_period(self, zone: ZoneInfo, compare: str) -> Period:
        return this_month(self.now, zone, compare)

    @extend_schema(
        parameters=[
            serializers.day_parameter("from", "The first day."),
            serializers.day_parameter("to", "The last day."),
            OpenApiParameter("as", str, enum=["datev"], description="A booking batch of DATEV."),
        ],
        responses={(200, "text/csv"): OpenApiTypes.STR, 400: ErrorResponse},
    )
    def get(self, request: Request) -> HttpResponseBase:
        first, last = self.period.window.first, self.period.window.last
        booked = accounting.bookings(first, last, self.period.zone)
        if request.query_params.get("as") == "datev":
            content, kind = datev.batch(booked, first, last, now=self.now), f"charset={datev.ENCODING}"
            return _file(content, kind, f"EXTF_Buchungsstapel-{first}-{last}.csv")
        if request.accepted_renderer.format == "html":
            on_one_day = [replace(each, day=first) for each in booked]
            return ObjectResponse(Serializer(accounting.lines(on_one_day)))
        lines = accounting.lines(booked)
        cells = [[each.day, each.number, harmless(each.name), each.debit, each.credit] for each in lines]
        content = "".join(blocks([["date", "account", "name", "debit", "credit"], *cells])).encode()
        return _file(content, "charset=utf-8", f"accounting-{first}-{last}.csv")

    def page_context(self, report: list[accounting.Line]) -> dict[str, Any]:
        return accounting_page.page(report, self.period)


def _file(content: bytes, charset: str, name: str) -> HttpResponse:
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(content, f"text/csv; {charset}", headers={"Content-Disposition": disposition})


class PeakHours(Report):
    """`GET /reports/restaurant/peak-hours?days=30`"""

    template_name = "restaurant/reports/peak_hours.html"
    serializer_class = serializers.PeakHoursReport
    default_days = 30
    file_name = "peak-hours"

    @extend_schema(
        parameters=serializers.period_parameters(30),
        responses={200: serializers.PeakHoursReport, 400: ErrorResponse},
    )
    def get(self, request: Request) -> Response:
        return self.respond(peak_hours.read(period=self.period))

    def page_context(self, report: peak_hours.PeakHours) -> dict[str, Any]:
        return peak_hours_page.page(report)


class MenuPerformance(Report):
    """`GET /reports/restaurant/menu?days=30`"""

    template_name = "restaurant/reports/menu.html"
    serializer_class = serializers.MenuReport
    default_days = 30
    file_name = "menu"

    @extend_schema(
        parameters=serializers.period_parameters(30),
        responses={200: serializers.MenuReport, 400: ErrorResponse},
    )
    def get(self, request: Request) -> Response:
        return self.respond(menu.read(period=self.period))

    def page_context(self, report: menu.MenuPerformance) -> dict[str, Any]:
        before = by_item(self.period.before)
        return menu_page.page(report, before, self.request.query_params, with_admin=self._with_admin)


class TableScans(Report):
    """`GET /reports/restaurant/tables/{tableNumber}?days=7`"""

    template_name = "restaurant/reports/table.html"
    serializer_class = serializers.TableReport
    default_days = 7

    @extend_schema(
        parameters=serializers.period_parameters(7),
        responses={200: serializers.TableReport, 400: ErrorResponse},
    )
    def get(self, request: Request, table_number: str) -> Response:
        number = tables_queries.parse_table_number(table_number)
        return self.respond(table.read(table_number=number, period=self.period))

    def csv_name(self, report: table.TableReport) -> str:
        return self.named(f"table-{report.table.table_number}")

    def page_context(self, report: table.TableReport) -> dict[str, Any]:
        intervals = sales_by_time(self.period, Q(table=report.table))
        return table_page.page(report, intervals)
