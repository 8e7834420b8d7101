"""Tables, their codes and their cards."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from qrservice import gateway
from restaurant.models import MAX_TABLE_NUMBER, Table
from web.fields import Text, WholeNumber


class TableBody(serializers.Serializer):
    tableNumber = WholeNumber(min_value=1, max_value=MAX_TABLE_NUMBER)
    section = Text(max_length=50, allow_blank=True, default="")
    capacity = WholeNumber(min_value=1, max_value=1000, allow_null=True, default=None)


class TableSummary(serializers.Serializer):
    number = serializers.IntegerField(source="table_number")
    section = serializers.CharField(allow_blank=True)


class NewTable(serializers.Serializer):
    tableNumber = serializers.IntegerField(source="table_number")
    qrCodeUrl = serializers.SerializerMethodField()
    shortUrl = serializers.URLField(source="short_url")
    analyticsId = serializers.CharField(source="qr_analytics_id")

    @extend_schema_field(OpenApiTypes.URI)
    def get_qrCodeUrl(self, table: Table) -> str:
        return gateway.image_url(table.qr_code_url)


# `context["edge"]` is the edge of the code's image in pixels.
class TableCard(serializers.Serializer):
    tableNumber = serializers.IntegerField(source="table_number")
    section = serializers.CharField(allow_blank=True)
    shortUrl = serializers.CharField(source="short_url", allow_blank=True)
    qrCodeUrl = serializers.SerializerMethodField()

    def get_qrCodeUrl(self, table: Table) -> str:
        return gateway.image_url(table.qr_code_url, size=self.context["edge"]) if table.qr_code_url else ""


class TableCards(serializers.Serializer):
    paper = serializers.CharField()
    tables = TableCard(many=True)
