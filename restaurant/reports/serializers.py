"""The restaurant's reports as JSON."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from restaurant.billing.serializers import Tax
from restaurant.billing.serializers.drawers import PaidByMethod
from restaurant.menu.serializers import MenuItemRecord
from restaurant.ordering.models import OrderChange
from restaurant.reports.day import Day
from restaurant.reports.menu import CLASSES, NOT_SELLING
from restaurant.reports.peak_hours import DAYS
from web.fields import Money, OmitEmptySerializer, WithWarnings


def days_parameter(default: int) -> OpenApiParameter:
    kind = {"type": "integer", "minimum": 1, "maximum": 365, "default": default}
    return OpenApiParameter("days", kind, description="Length of the window: the last N times 24 hours.")


def period_parameters(default: int) -> list[OpenApiParameter]:
    """Days count first."""
    last = OpenApiParameter("to", OpenApiTypes.DATE, description="The last day. By default today.")
    first = OpenApiParameter("from", OpenApiTypes.DATE, description="Instead of `days`: the first day.")
    return [days_parameter(default), first, last]


# --- one table's scans ------------------------------------------------------------------------------


class HourCount(serializers.Serializer):
    hour = serializers.IntegerField(min_value=0, max_value=23)
    count = serializers.IntegerField()


class DeviceBreakdown(serializers.Serializer):
    ios = serializers.IntegerField()
    android = serializers.IntegerField()
    other = serializers.IntegerField()


class Today(serializers.Serializer):
    sessions = serializers.IntegerField()
    orders = serializers.IntegerField()
    revenue = Money()
    avgOrderValue = Money(source="average_order")


class TableAverages(serializers.Serializer):
    avgStay = serializers.IntegerField(source="stay", allow_null=True, help_text="Minutes.")
    revenuePerSeat = Money(source="per_seat", allow_null=True)
    avgOrderValue = Money(source="order", allow_null=True)


class TableSales(serializers.Serializer):
    period = Today(source="sales.now")
    before = Today(source="sales.before", help_text="Of the period before.")
    rank = serializers.IntegerField(help_text="Of its revenue among that of all tables.")
    tables = serializers.IntegerField(help_text="How many tables there are.")
    avgStay = serializers.IntegerField(source="stay", allow_null=True, help_text="Minutes, until the table is closed.")
    avgStayBefore = serializers.IntegerField(source="stay_before", allow_null=True)
    revenuePerSeat = Money(source="per_seat", allow_null=True)
    allTables = TableAverages(source="all_tables")


class TableReport(WithWarnings):
    tableNumber = serializers.IntegerField(source="table.table_number")
    totalScans = serializers.IntegerField(source="total", allow_null=True)
    avgScansPerDay = serializers.FloatField(source="per_day", allow_null=True, help_text="One decimal.")
    peakHours = HourCount(source="peak_hours", many=True, allow_null=True, help_text="At most 3, of local time.")
    deviceBreakdown = DeviceBreakdown(source="by_device", allow_null=True)
    totalScansBefore = serializers.IntegerField(
        source="scans_before", allow_null=True, help_text="Of the period before."
    )
    scansByHour = HourCount(source="hours", many=True, allow_null=True, help_text="Of local time, without empty hours.")
    sales = TableSales(source="*")


# --- today ------------------------------------------------------------------------------------------


class RestaurantToday(serializers.Serializer):
    today = Today(source="now")
    before = Today()


class TopItem(serializers.Serializer):
    name = serializers.CharField()
    quantity = serializers.IntegerField()
    revenue = Money()


class TableUtilization(serializers.Serializer):
    table_number = serializers.IntegerField()
    section = serializers.CharField(allow_blank=True)
    sessions_today = serializers.IntegerField(source="sessions")
    revenue_today = Money(source="revenue")


class DashboardReport(serializers.Serializer):
    today = Today(source="sales")
    topItems = TopItem(source="top_items", many=True, help_text="At most 10, by quantity.")
    tableUtilization = TableUtilization(source="tables", many=True, help_text="Every table, by revenue.")


# --- peak hours -------------------------------------------------------------------------------------


class WeekHour(serializers.Serializer):
    day = serializers.ChoiceField(DAYS)
    hour = serializers.IntegerField(min_value=0, max_value=23)
    scans = serializers.IntegerField(allow_null=True)
    orders = serializers.IntegerField()
    revenue = Money()


class AverageHour(serializers.Serializer):
    day = serializers.ChoiceField(DAYS)
    hour = serializers.IntegerField(min_value=0, max_value=23)
    scans = serializers.FloatField(allow_null=True, help_text="One decimal.")
    orders = serializers.FloatField(help_text="One decimal.")
    revenue = Money()


class WeeklyAverages(serializers.Serializer):
    """Each hour's sums, divided by how often it was in the period."""

    times = AverageHour(source="hours", many=True, help_text="Every hour with any order or scan, the busiest first.")
    slowestTimes = AverageHour(source="slowest", many=True, help_text="At most 5, of the hours that are open.")


class PeakTotals(serializers.Serializer):
    orders = serializers.IntegerField(source="totals.orders")
    revenue = Money(source="totals.revenue")
    scans = serializers.IntegerField(allow_null=True)
    ordersBefore = serializers.IntegerField(source="before.orders")
    revenueBefore = Money(source="before.revenue")
    scansBefore = serializers.IntegerField(source="scans_before", allow_null=True)


class PeakHoursReport(WithWarnings):
    peakTimes = WeekHour(source="peak_times", many=True, help_text="At most 10, most orders first.")
    slowestTimes = WeekHour(source="slowest_times", many=True, help_text="At most 5, fewest orders first.")
    averages = WeeklyAverages()
    totals = PeakTotals(source="*", help_text="Of the period, and of the one before.")


# --- the menu ---------------------------------------------------------------------------------------


class MenuItemPerformance(MenuItemRecord):
    times_ordered = serializers.IntegerField(help_text="Order lines.")
    total_quantity = serializers.IntegerField(source="portions")
    total_revenue = Money(source="revenue")
    avg_quantity_per_order = serializers.FloatField(
        source="portions_per_order", help_text="Of an order line, two decimals."
    )
    revenueShare = serializers.CharField(source="share_text", help_text='Like "12.5%".')
    performance = serializers.ChoiceField([*CLASSES, NOT_SELLING])

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        for name in MenuItemRecord().get_fields():
            is_method = isinstance(fields[name], serializers.SerializerMethodField)
            fields[name].source = "item" if is_method else f"item.{name}"
        return fields


class MenuReport(serializers.Serializer):
    days = serializers.IntegerField()
    items = MenuItemPerformance(many=True, help_text="Every item of the menu, by revenue.")


# --- a day ------------------------------------------------------------------------------------------


def day_parameter(name: str, about: str) -> OpenApiParameter:
    return OpenApiParameter(name, OpenApiTypes.DATE, description=f"{about} By default today.")


class CancellationOfDay(serializers.Serializer):
    at = serializers.DateTimeField()
    orderId = serializers.UUIDField(source="order_id")
    tableNumber = serializers.IntegerField(source="order.table.table_number")
    by = serializers.SerializerMethodField(help_text="A user name, or `guest`.")
    reason = serializers.ChoiceField(OrderChange.Reason.choices)
    note = serializers.CharField(allow_blank=True)
    amount = Money()

    def get_by(self, change: OrderChange) -> str:
        return change.user_name or "guest"


class CancelledOfDay(serializers.Serializer):
    count = serializers.SerializerMethodField()
    value = Money(source="cancelled")
    changes = CancellationOfDay(source="cancellations", many=True, help_text="Oldest first.")

    def get_count(self, report: Day) -> int:
        return len(report.cancellations)


class OpenBill(serializers.Serializer):
    tableNumber = serializers.IntegerField(source="table.table_number")
    sessionId = serializers.UUIDField(source="pk")
    due = Money()


class OrdersOfStaff(serializers.Serializer):
    name = serializers.CharField()
    orders = serializers.IntegerField()
    gross = Money()


class RefundsOfDay(serializers.Serializer):
    count = serializers.IntegerField()
    value = Money()


class ChangesOfDay(RefundsOfDay):
    byReason = serializers.DictField(child=Money())


def _changes(kind: str, about: str) -> ChangesOfDay:
    return ChangesOfDay(source=f"changes.{kind}", required=False, help_text=f"{about} Only where there are some.")


class WaitsOfDay(OmitEmptySerializer):
    """In seconds: half of them, and 9 of 10, waited no longer."""

    name = serializers.CharField(required=False, help_text="Who went. Only of a person.")
    count = serializers.IntegerField()
    median = serializers.IntegerField()
    nineOfTen = serializers.IntegerField(source="nine_of_ten")


class ResponseOfDay(OmitEmptySerializer):
    calls = WaitsOfDay(
        many=True, required=False, help_text="Until somebody went there or came. By person, and last of all together."
    )
    ready = WaitsOfDay(many=True, required=False, help_text="Orders, from ready to served. As calls.")


class DayReport(OmitEmptySerializer):
    date = serializers.DateField()
    sessions = serializers.IntegerField()
    orders = serializers.IntegerField()
    gross = Money(help_text="What the bills came to, after discounts and with service.")
    taxes = Tax(many=True, help_text="One for each rate in use, the lowest first.")
    discounts = _changes("discounts", "Below 0.")
    comps = _changes("comps", "On the house, below 0.")
    service = _changes("service", "Added to bills.")
    payments = PaidByMethod(many=True, help_text="By their own time, without those that were voided.")
    tips = Money()
    refunds = RefundsOfDay(required=False, help_text="By their own time. Only where there are some.")
    cancelled = CancelledOfDay(source="*", help_text="By their own time.")
    openBills = OpenBill(source="open_bills", many=True, help_text="Of sessions begun that day, as they are now.")
    placedBy = OrdersOfStaff(source="placed_by", many=True, help_text="Orders that staff placed for guests.")
    response = ResponseOfDay(required=False, help_text="How long guests waited. Only where staff took calls or orders.")
