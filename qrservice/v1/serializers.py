"""Requests and responses of the interface."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from qrservice.models import Code
from qrservice.services import codes


def _checked(check: Callable[[Any], Any], data: Any) -> Any:
    """Return `data`, checked by the service's own rule."""
    try:
        return check(data)
    except codes.InvalidCode as error:
        raise serializers.ValidationError(str(error)) from error


@extend_schema_field({"type": "string", "format": "uri", "maxLength": codes.MAX_TARGET_LENGTH})
class Target(serializers.Field):
    def to_internal_value(self, data: Any) -> str:
        return str(_checked(partial(codes.check_target, slug=self.context.get("slug", "")), data))


@extend_schema_field({"type": "object", "additionalProperties": True})
class Metadata(serializers.Field):
    def to_internal_value(self, data: Any) -> Any:
        return _checked(codes.check_metadata, data)


@extend_schema_field({"type": "string", "enum": Code.Status.values})
class Status(serializers.Field):
    def to_internal_value(self, data: Any) -> str:
        return str(_checked(codes.check_status, data))


class GenerateRequest(serializers.Serializer):
    redirect_url = Target()
    metadata = Metadata(required=False)


# Renders a `Code`.
class GenerateResponse(serializers.Serializer):
    analytics_id = serializers.CharField(max_length=100)
    qr_code_url = serializers.URLField(max_length=500, source="image_url")
    short_url = serializers.URLField(max_length=500)


class CodeChange(serializers.Serializer):
    redirect_url = Target(required=False)
    metadata = Metadata(required=False)
    status = Status(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError("Nothing to change: send redirect_url, metadata or status.")
        return attrs


class CodeResponse(GenerateResponse):
    redirect_url = serializers.URLField(source="target")
    metadata = serializers.DictField()
    status = serializers.ChoiceField(choices=Code.Status.choices)


class Since(serializers.DateTimeField):
    """An ISO 8601 time; one without an offset is UTC."""

    default_error_messages = {
        "invalid": "This is not an ISO 8601 time such as 2026-01-31T12:00:00Z.",
        "overflow": "This time is out of range.",
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(default_timezone=UTC, **kwargs)

    def to_internal_value(self, value: Any) -> datetime:
        # A "+" that was not escaped arrives as a space.
        if value.count(" ") == 1 and "T" in value:
            value = value.replace(" ", "+")
        return super().to_internal_value(value)


class AnalyticsQuery(serializers.Serializer):
    since = Since(required=False, help_text="only scans after this moment")


# The next two only describe the analytics record, which PostgreSQL writes: see `queries.analytics_json`.
class Scan(serializers.Serializer):
    scanned_at = serializers.DateTimeField()
    city = serializers.CharField(allow_blank=True)
    country = serializers.CharField(allow_blank=True)
    device_type = serializers.CharField()


class AnalyticsRecord(serializers.Serializer):
    total_scans = serializers.IntegerField()
    scans = Scan(many=True)
