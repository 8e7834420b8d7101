"""The OpenAPI description of the JSON endpoints, and a page to browse it."""

import gzip
import json
import threading
from functools import lru_cache
from typing import Any

from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.generic import TemplateView
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer2
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

from config import api_docs
from web.permissions import PUBLIC

_lock = threading.Lock()


def _description() -> tuple[bytes, bytes]:
    """Plain and compressed. The generator fails in two threads at once: one makes it, others wait."""
    with _lock:
        return _make()


@lru_cache(maxsize=1)
def _make() -> tuple[bytes, bytes]:
    """It takes a fifth of a second, and changes with the code only."""
    plain = OpenApiJsonRenderer2().render(SchemaGenerator().get_schema(public=True), renderer_context={})
    return plain, gzip.compress(plain)


class Schema(SpectacularAPIView):
    access = PUBLIC
    renderer_classes = [OpenApiJsonRenderer2]

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        plain, compressed = _description()
        is_compressed = "gzip" in request.headers.get("Accept-Encoding", "")
        response = HttpResponse(compressed if is_compressed else plain, content_type=OpenApiJsonRenderer2.media_type)
        if is_compressed:
            response["Content-Encoding"] = "gzip"
        response["Content-Disposition"] = 'inline; filename="Regulars.json"'
        patch_vary_headers(response, ["Accept-Encoding"])
        return response


class ApiDocs(TemplateView):
    access = PUBLIC
    template_name = "config/api_docs.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        schema = json.loads(_description()[0])
        return super().get_context_data(**kwargs, about=schema["info"]["description"], subjects=_subjects())


@lru_cache(maxsize=1)
def _subjects() -> list[api_docs.Subject]:
    return api_docs.subjects(json.loads(_description()[0]))
