"""Tables, their codes and their cards."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from qrservice import gateway
from restaurant.tables.models import MAX_TABLE_NUMBER, Table
from restaurant.tables.queries import card_image_url
from web.fields import Text, WholeNumber

MOST_AT_ONCE = 200  # tables of a range


class TableBody(serializers.Serializer):
    tableNumber = WholeNumber(min_value=1, max_value=MAX_TABLE_NUMBER, source="table_number")
    section = Text(max_length=50, allow_blank=True, default="")
    capacity = WholeNumber(min_value=1, max_value=1000, allow_null=True, default=None)


# `from` is a word of Python's.
class TableRangeBody(serializers.Serializer):
    to = WholeNumber(min_value=1, max_value=MAX_TABLE_NUMBER, source="last")
    section = Text(max_length=50, allow_blank=True, default="")
    capacity = WholeNumber(min_value=1, max_value=1000, allow_null=True, default=None)

    def get_fields(self) -> dict[str, Any]:
        return {"from": WholeNumber(min_value=1, max_value=MAX_TABLE_NUMBER, source="first"), **super().get_fields()}

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        if not 0 <= values["last"] - values["first"] < MOST_AT_ONCE:
            sentence = _("The last number must be at least the first, and at most %(most)d tables are added at once.")
            raise serializers.ValidationError({"to": sentence % {"most": MOST_AT_ONCE}})
        return values


class AddedTables(serializers.Serializer):
    """`refused` got no code and are not stored: then `warning` says why. `kept` existed before."""

    added = serializers.ListField(child=serializers.IntegerField())
    kept = serializers.ListField(child=serializers.IntegerField())
    refused = serializers.ListField(child=serializers.IntegerField())
    warning = serializers.SerializerMethodField()

    def get_warning(self, result: Any) -> str | None:
        return str(result.error.sentence) if result.error else None


class TablesOfSection(serializers.Serializer):
    section = serializers.CharField(allow_blank=True)
    numbers = serializers.ListField(child=serializers.IntegerField())


class TablesBySection(serializers.Serializer):
    """`withoutCode`: numbers of tables whose card can't be printed. `next`: the number after the last."""

    sections = TablesOfSection(many=True)
    withoutCode = serializers.ListField(child=serializers.IntegerField(), source="without_code")
    next = serializers.IntegerField()


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


class TableCard(serializers.Serializer):
    tableNumber = serializers.IntegerField(source="table_number")
    section = serializers.CharField(allow_blank=True)
    shortUrl = serializers.CharField(source="short_url", allow_blank=True)
    qrCodeUrl = serializers.SerializerMethodField()

    def get_qrCodeUrl(self, table: Table) -> str:
        return card_image_url(table)


# Shows a `restaurant.tables.views.cards.Cards`.
class TableCards(serializers.Serializer):
    paper = serializers.CharField()
    layout = serializers.CharField()
    tables = TableCard(many=True)
