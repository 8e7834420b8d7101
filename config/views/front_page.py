"""The front page, and the icon that browsers request."""

from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control
from django.views.generic import RedirectView, TemplateView

from config import setup, start
from config.start import start_tiles
from loyalty.members.views import member_session
from restaurant.tables.queries import count_tables
from web.permissions import PUBLIC


@method_decorator(cache_control(private=True, no_cache=True), name="dispatch")
class FrontPage(TemplateView):
    """`/` links guests and staff to the pages that they may use."""

    access = PUBLIC
    template_name = "config/front_page.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        user = self.request.user
        context = _for_staff(user) if user.is_authenticated else _for_guests(self.request)
        return super().get_context_data(**kwargs, **context)


def _for_staff(user: Any) -> dict[str, Any]:
    now = timezone.now()
    left = setup.left(user)
    return {
        "now": now,
        "greeting": start.greeting(now),
        "waiting": start.waiting(user),
        "today": start.todays_figures(user, now),
        "on_floor": start.on_floor(user),
        "yours": start.yours(user, now),
        "tiles": start_tiles(user, left),
        "setup_hint": setup.hint(left),
    }


def _for_guests(request: HttpRequest) -> dict[str, Any]:
    card = member_session.signed_in_member(request)
    return {"card": card, "is_new": card is None and not count_tables(since=None).total}


class Favicon(RedirectView):
    """Browsers request it on pages that name no icon, such as the admin's."""

    access = PUBLIC

    def get_redirect_url(self, *args: Any, **kwargs: Any) -> str:
        return static("img/icon.svg")
