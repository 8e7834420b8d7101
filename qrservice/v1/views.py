"""The endpoints below /v1."""

from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException, NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from qrservice import queries
from qrservice.models import Code
from qrservice.services import codes
from qrservice.v1 import serializers
from qrservice.v1.authentication import ANALYTICS, GENERATE, ApiKeyAuthentication
from web.fields import ErrorResponse
from web.forms import valid
from web.views import JSONView

MAX_BODY_SIZE = 16 * 1024  # bytes


class BodyTooLarge(APIException):
    status_code = 413
    default_detail = f"The body is larger than {MAX_BODY_SIZE} bytes."


class V1View(JSONView):
    """JSON only, authenticated and limited by API key."""

    authentication_classes = [ApiKeyAuthentication]
    renderer_classes: Any = api_settings.DEFAULT_RENDERER_CLASSES[:1]
    parser_classes: Any = api_settings.DEFAULT_PARSER_CLASSES[:1]
    throttle_scope = "api_key"

    def throttle_identity(self, request: Request) -> str:
        return f"key-{request.auth.pk}" if request.auth else ""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal() or int(length) > MAX_BODY_SIZE or len(request.body) > MAX_BODY_SIZE:
            raise BodyTooLarge
        super().initial(request, *args, **kwargs)

    def _get_code(self, request: Request, analytics_id: str) -> Code:
        code = queries.code_of_account(analytics_id, account_name=request.user.account.name)  # type: ignore[union-attr]
        if code is None:
            raise NotFound("There is no code with this analytics id.")
        return code


class Generate(V1View):
    """`POST /v1/generate/dynamic`"""

    access = GENERATE

    @extend_schema(request=serializers.GenerateRequest, responses={201: serializers.GenerateResponse})
    def post(self, request: Request) -> Response:
        values = valid(serializers.GenerateRequest(data=request.data))
        code = codes.create(account=request.user.account, **values)  # type: ignore[union-attr]
        return Response(serializers.GenerateResponse(code).data, status=201)


class Analytics(V1View):
    """`GET /v1/analytics/{analytics_id}`: every scan, oldest first, streamed."""

    access = ANALYTICS

    @extend_schema(
        parameters=[serializers.AnalyticsQuery],
        responses={200: serializers.AnalyticsRecord, **dict.fromkeys((400, 404, 503), ErrorResponse)},
    )
    def get(self, request: Request, analytics_id: str) -> StreamingHttpResponse:
        values = valid(serializers.AnalyticsQuery(data=request.query_params.dict()))
        code = self._get_code(request, analytics_id)
        blocks = queries.analytics_json(code, **values)
        return StreamingHttpResponse(blocks, content_type="application/json")


class Codes(V1View):
    """`PATCH /v1/codes/{analytics_id}`: the code's target, metadata and status."""

    access = GENERATE

    @extend_schema(
        request=serializers.CodeChange,
        responses={200: serializers.CodeResponse, 404: ErrorResponse},
    )
    def patch(self, request: Request, analytics_id: str) -> Response:
        code = self._get_code(request, analytics_id)
        values = valid(serializers.CodeChange(data=request.data, context={"slug": code.slug}))
        codes.update(code=code, **values)
        return Response(serializers.CodeResponse(code).data)
