"""Pages that belong to no app: the front page and the description of the JSON endpoints."""

from typing import Any
from zoneinfo import ZoneInfo

from django.templatetags.static import static
from django.utils import timezone
from django.views.generic import RedirectView, TemplateView
from drf_spectacular.renderers import OpenApiJsonRenderer2
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

from config import reports
from loyalty.models import Member
from loyalty.views import proof
from web.permissions import PUBLIC
from web.views import PageView


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
            can_read_reports=any(user.has_perm(each) for each in Reports.access),
            can_administrate=user.is_active and user.is_staff,
        )

    def _card(self) -> Member | None:
        """Of the member whose phone this is."""
        return proof.signed_in_member(self.request)


class Reports(PageView):
    """`/reports`: today's figures beside yesterday's until the same time of day, and the way to every report.

    JSON: `{restaurant: {today, before}, loyalty: {today, before}, reports: [{title, about, url}]}`, as far as one may.
    """

    access = ("restaurant.view_reports", "loyalty.view_reports")
    template_name = "config/reports.html"

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request) -> Response:
        self.now = now = timezone.now()
        zone = ZoneInfo(str(timezone.get_current_timezone()))
        data: dict[str, Any] = {"reports": []}
        if request.user.has_perm("restaurant.view_reports"):
            data["restaurant"] = reports.restaurant_today(now=now, zone=zone)
            data["reports"] += reports.of_restaurant()
        if request.user.has_perm("loyalty.view_reports"):
            data["loyalty"] = reports.loyalty_today(now=now, zone=zone)
            data["reports"] += reports.of_loyalty()
        return Response(data, headers={"Cache-Control": "private, no-cache"})

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return reports.page(data, until=self.now)


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
