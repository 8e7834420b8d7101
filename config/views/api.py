"""The OpenAPI description of the JSON endpoints, and a page to browse it."""

import threading
from functools import lru_cache

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer2
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request

from web.permissions import PUBLIC

_generating = threading.Lock()  # the generator fails in two threads at once


@lru_cache(maxsize=1)
def _description() -> bytes:
    """Generate it once, because it takes a fifth of a second and changes with the code only."""
    return OpenApiJsonRenderer2().render(SchemaGenerator().get_schema(public=True), renderer_context={})


class Schema(SpectacularAPIView):
    access = PUBLIC
    renderer_classes = [OpenApiJsonRenderer2]

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        with _generating:
            description = _description()
        headers = {"Content-Disposition": 'inline; filename="Regulars.json"'}
        return HttpResponse(description, content_type=OpenApiJsonRenderer2.media_type, headers=headers)


class ApiDocs(SpectacularSwaggerSplitView):
    """Swagger UI. Its start script has an address of its own, because pages may not contain scripts."""

    access = PUBLIC
    url_name = "schema"
    template_name = "config/api_docs.html"
