"""Pages that belong to no app: the front page and the description of the JSON endpoints."""

from typing import Any

from django.templatetags.static import static
from django.views.generic import RedirectView, TemplateView
from drf_spectacular.renderers import OpenApiJsonRenderer2
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from config.access import PUBLIC
from loyalty.models import Member
from loyalty.views import proof


class FrontPage(TemplateView):
    """`/` leads each kind of person to their page (decision 6.4)."""

    access = PUBLIC
    template_name = "config/front_page.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        user = self.request.user
        return super().get_context_data(
            **kwargs,
            card=None if user.is_authenticated else self._card(),
            can_work_at_till=user.has_perm(proof.TILL),
            can_see_floor=user.has_perm("restaurant.close_session"),
            can_work_kitchen=user.has_perm("restaurant.work_kitchen"),
            can_administrate=user.is_active and user.is_staff,
        )

    def _card(self) -> Member | None:
        """Of the member whose phone this is."""
        return proof.signed_in_member(self.request)


class Favicon(RedirectView):
    """Browsers ask for it on pages that name none, the admin's."""

    access = PUBLIC

    def get_redirect_url(self, *args: Any, **kwargs: Any) -> str:
        return static("img/icon.svg")


class Schema(SpectacularAPIView):
    access = PUBLIC
    renderer_classes = [OpenApiJsonRenderer2]


class ApiDocs(SpectacularSwaggerSplitView):
    access = PUBLIC
    url_name = "schema"
    template_name = "config/api_docs.html"
