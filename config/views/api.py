"""The OpenAPI description of the JSON endpoints, and a page to browse it."""

from drf_spectacular.renderers import OpenApiJsonRenderer2
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from web.permissions import PUBLIC


class Schema(SpectacularAPIView):
    access = PUBLIC
    renderer_classes = [OpenApiJsonRenderer2]


class ApiDocs(SpectacularSwaggerSplitView):
    access = PUBLIC
    url_name = "schema"
    template_name = "config/api_docs.html"
