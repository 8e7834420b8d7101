"""What the reports answer, described for OpenAPI."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from restaurant.serializers.menu import MenuItemRecord

_WARNINGS = "Why figures are missing: only there when some are (decision 3.12)."


def days_parameter(default: int) -> OpenApiParameter:
    kind = {"type": "integer", "minimum": 1, "maximum": 365, "default": default}
    return OpenApiParameter("days", kind, description="So many times 24 hours, up to now.")


class HourCount(serializers.Serializer):
    hour = serializers.IntegerField(min_value=0, max_value=23)
    count = serializers.IntegerField()


class DeviceBreakdown(serializers.Serializer):
    ios = serializers.IntegerField()
    android = serializers.IntegerField()
    other = serializers.IntegerField()


class TableReport(serializers.Serializer):
    tableNumber = serializers.IntegerField()
    totalScans = serializers.IntegerField(allow_null=True)
    avgScansPerDay = serializers.FloatField(allow_null=True, help_text="One decimal.")
    peakHours = HourCount(many=True, allow_null=True, help_text="At most 3, of local time.")
    deviceBreakdown = DeviceBreakdown(allow_null=True)
    warnings = serializers.ListField(child=serializers.CharField(), required=False, help_text=_WARNINGS)


class Today(serializers.Serializer):
    sessions = serializers.IntegerField()
    orders = serializers.IntegerField()
    revenue = serializers.FloatField()
    avgOrderValue = serializers.FloatField()


class TopItem(serializers.Serializer):
    name = serializers.CharField()
    quantity = serializers.IntegerField()
    revenue = serializers.FloatField()


class TableUtilization(serializers.Serializer):
    table_number = serializers.IntegerField()
    section = serializers.CharField(allow_blank=True)
    sessions_today = serializers.IntegerField()
    revenue_today = serializers.FloatField()


class DashboardReport(serializers.Serializer):
    today = Today()
    topItems = TopItem(many=True, help_text="At most 10, by quantity.")
    tableUtilization = TableUtilization(many=True, help_text="Every table, by revenue.")


class WeekHour(serializers.Serializer):
    day = serializers.ChoiceField(["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"])
    hour = serializers.IntegerField(min_value=0, max_value=23)
    scans = serializers.IntegerField(allow_null=True)
    orders = serializers.IntegerField()
    revenue = serializers.FloatField()


class PeakHoursReport(serializers.Serializer):
    peakTimes = WeekHour(many=True, help_text="At most 10, most orders first.")
    slowestTimes = WeekHour(many=True, help_text="At most 5, fewest orders first.")
    warnings = serializers.ListField(child=serializers.CharField(), required=False, help_text=_WARNINGS)


class MenuItemPerformance(MenuItemRecord):
    times_ordered = serializers.IntegerField(help_text="Order lines.")
    total_quantity = serializers.IntegerField()
    total_revenue = serializers.FloatField()
    avg_quantity_per_order = serializers.FloatField(help_text="Of an order line, two decimals.")
    revenueShare = serializers.CharField(help_text='Like "12.5%".')
    performance = serializers.ChoiceField(["star", "good", "average", "underperforming", "not_selling"])


class MenuReport(serializers.Serializer):
    days = serializers.IntegerField()
    items = MenuItemPerformance(many=True, help_text="Every item of the menu, by revenue.")
