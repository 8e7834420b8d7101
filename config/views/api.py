"""The OpenAPI description of the JSON endpoints, and a page to browse it."""

import gzip
import threading
from functools import lru_cache

from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer2
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request

from web.permissions import PUBLIC

_lock = threading.Lock()


def _description() -> tuple[bytes, bytes]:
    """Return it plain and compressed. The generator fails in two threads at once, so they take turns."""
    with _lock:
        return _make()


@lru_cache(maxsize=1)
def _make() -> tuple[bytes, bytes]:
    """Generate it once, because it takes a fifth of a second and changes with the code only."""
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


class ApiDocs(SpectacularSwaggerSplitView):
    """Swagger UI. Its start script has an address of its own, because pages may not contain scripts."""

    access = PUBLIC
    url_name = "schema"
    template_name = "config/api_docs.html"
