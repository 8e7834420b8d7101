"""What goes over the wire: described for OpenAPI, checked by the server, and by the client before it believes."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from qrservice.models import Code
from qrservice.services import codes


def _checked(check: Callable[[Any], Any], data: Any) -> Any:
    """`data`, if the service's rule lets it through."""
    try:
        return check(data)
    except codes.InvalidCode as error:
        raise serializers.ValidationError(str(error)) from error


@extend_schema_field({"type": "string", "format": "uri", "maxLength": codes.MAX_TARGET_LENGTH})
class Target(serializers.Field):
    def to_internal_value(self, data: Any) -> str:
        return str(_checked(codes.check_target, data))


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


class CodeChange(serializers.Serializer):
    redirect_url = Target(required=False)
    metadata = Metadata(required=False)
    status = Status(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError("Nothing to change: send redirect_url, metadata or status.")
        return attrs


class GenerateResponse(serializers.Serializer):
    analytics_id = serializers.CharField(max_length=100)
    qr_code_url = serializers.URLField(max_length=500)
    short_url = serializers.URLField(max_length=500, required=False, allow_blank=True, default="")


class CodeFace(GenerateResponse):
    redirect_url = serializers.URLField()
    metadata = serializers.DictField()
    status = serializers.ChoiceField(choices=Code.Status.choices)


class Scan(serializers.Serializer):
    scanned_at = serializers.DateTimeField()
    city = serializers.CharField(allow_blank=True)
    country = serializers.CharField(allow_blank=True)
    device_type = serializers.CharField()


class AnalyticsRecord(serializers.Serializer):
    total_scans = serializers.IntegerField()
    scans = Scan(many=True)


class ServiceError(serializers.Serializer):
    error = serializers.CharField()
