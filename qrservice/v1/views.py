"""The server's side of document 1 (decisions 3.2 to 3.10)."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django.http import StreamingHttpResponse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from drf_spectacular.utils import OpenApiParameter, OpenApiTypes, extend_schema
from rest_framework.exceptions import APIException, NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from qrservice import addresses, queries
from qrservice.models import Code
from qrservice.services import codes
from qrservice.v1 import serializers
from qrservice.v1.access import ANALYTICS, GENERATE, ApiKeyAuthentication
from web.views import JSONView

MAX_BODY = 16 * 1024  # bytes


class BodyTooLarge(APIException):
    status_code = 413
    default_detail = f"The body is larger than {MAX_BODY} bytes."


class TooManyStreams(APIException):
    status_code = 503
    default_detail = "Several analytics are being read at this moment. Please try again."
    wait = 5  # seconds, for Retry-After


# A stream holds one of a worker's four threads for as long as its reader takes: one is left for everybody else.
_streams = threading.BoundedSemaphore(3)


class _Stream:
    """Blocks of an answer, whose place is given back when they are read, given up or forgotten."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks, self._is_open = blocks, True

    def __iter__(self) -> Iterator[bytes]:
        yield from self._blocks
        self.close()

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            _streams.release()
            self._blocks.close()  # type: ignore[attr-defined]

    def __del__(self) -> None:
        self.close()


class V1View(JSONView):
    """Programs only: JSON, a key, and a limit by key."""

    authentication_classes = [ApiKeyAuthentication]
    renderer_classes: Any = api_settings.DEFAULT_RENDERER_CLASSES[:1]
    parser_classes: Any = api_settings.DEFAULT_PARSER_CLASSES[:1]
    throttle_scope = "api_key"

    def throttle_identity(self, request: Request) -> str:
        return f"key-{request.auth.pk}" if request.auth else ""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal() or int(length) > MAX_BODY or len(request.body) > MAX_BODY:
            raise BodyTooLarge
        super().initial(request, *args, **kwargs)

    def code(self, request: Request, analytics_id: str) -> Code:
        code = queries.code_of_account(request.user.account, analytics_id)  # type: ignore[union-attr]
        if code is None:
            raise NotFound("There is no code with this analytics id.")
        return code


def _face(code: Code) -> dict[str, Any]:
    return {
        "analytics_id": code.analytics_id,
        "qr_code_url": addresses.image_url(code.slug),
        "short_url": addresses.short_url(code.slug),
    }


class Generate(V1View):
    """`POST /v1/generate/dynamic`"""

    access = GENERATE

    @extend_schema(
        request=serializers.GenerateRequest,
        responses={201: serializers.GenerateResponse},
    )
    def post(self, request: Request) -> Response:
        body = serializers.GenerateRequest(data=request.data)
        body.is_valid(raise_exception=True)
        code = codes.create(
            account=request.user.account,  # type: ignore[union-attr]
            redirect_url=body.validated_data["redirect_url"],
            metadata=body.validated_data.get("metadata", {}),
        )
        return Response(_face(code), status=201)


class Analytics(V1View):
    """`GET /v1/analytics/{analytics_id}`: every scan, oldest first, streamed."""

    access = ANALYTICS

    @extend_schema(
        parameters=[OpenApiParameter("since", OpenApiTypes.DATETIME, description="only scans after this moment")],
        responses={200: serializers.AnalyticsRecord, **dict.fromkeys((400, 404, 503), serializers.ServiceError)},
    )
    def get(self, request: Request, analytics_id: str) -> StreamingHttpResponse:
        since = _moment(request.query_params.get("since"))
        code = self.code(request, analytics_id)
        if not _streams.acquire(blocking=False):
            raise TooManyStreams
        blocks = _Stream(queries.analytics_json(code, since=since))
        return StreamingHttpResponse(blocks, content_type="application/json")


def _moment(text: str | None) -> datetime | None:
    """An ISO 8601 moment; one without an offset is UTC."""
    if text is None:
        return None
    try:
        # A "+" that was not escaped arrives as a space.
        moment = parse_datetime(text.replace(" ", "+") if text.count(" ") == 1 and "T" in text else text)
        if moment is not None:
            return (moment if timezone.is_aware(moment) else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise ValidationError({"since": "This is not an ISO 8601 time such as 2026-01-31T12:00:00Z."})


class Codes(V1View):
    """`PATCH /v1/codes/{analytics_id}`: where the code leads, its metadata, its status (decision 3.4)."""

    access = GENERATE

    @extend_schema(
        request=serializers.CodeChange,
        responses={200: serializers.CodeFace, 404: serializers.ServiceError},
    )
    def patch(self, request: Request, analytics_id: str) -> Response:
        code = self.code(request, analytics_id)
        body = serializers.CodeChange(data=request.data)
        body.is_valid(raise_exception=True)
        codes.update(code=code, **body.validated_data)
        face = _face(code) | {"redirect_url": code.target, "metadata": code.metadata, "status": code.status}
        return Response(face)
