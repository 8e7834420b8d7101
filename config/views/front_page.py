"""The front page, and the icon that browsers request."""

from typing import Any

from django.templatetags.static import static
from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control
from django.views.generic import RedirectView, TemplateView

from config import setup
from config.groups import MANAGE_STAFF, SET_UP
from config.views.reports import Reports
from loyalty.views import member_session
from web.permissions import PUBLIC


@method_decorator(cache_control(private=True, no_cache=True), name="dispatch")
class FrontPage(TemplateView):
    """`/` links guests and staff to the pages that they may use."""

    access = PUBLIC
    template_name = "config/front_page.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        user = self.request.user
        return super().get_context_data(
            **kwargs,
            card=None if user.is_authenticated else member_session.signed_in_member(self.request),
            can_work_at_till=user.has_perm(member_session.AWARD_POINTS),
            can_see_floor=user.has_perm("restaurant.close_session"),
            can_work_kitchen=user.has_perm("restaurant.work_kitchen"),
            can_read_reports=any(user.has_perm(each) for each in Reports.access),
            can_set_up=user.has_perm(SET_UP),
            setup_hint=setup.hint(user),
            can_manage_staff=user.has_perm(MANAGE_STAFF),
            can_administrate=user.is_active and user.is_staff,
        )


class Favicon(RedirectView):
    """Browsers request it on pages that name no icon, such as the admin's."""

    access = PUBLIC

    def get_redirect_url(self, *args: Any, **kwargs: Any) -> str:
        return static("img/icon.svg")
