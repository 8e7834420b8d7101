"""`/kitchen`: the open orders as JSON, the display as a page (decisions 5.6, 5.7, 6.3)."""

from typing import Any

from django.conf import settings
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import queries
from restaurant.serializers.orders import OpenOrders
from restaurant.views.live import LiveView, socket_url


def _stay_signed_in(request: Request) -> None:
    """A display on the wall asks all day long: once a day, that extends its session, so that it never ends."""
    session, today = getattr(request, "session", {}), timezone.now().date().isoformat()
    if "_auth_user_id" in session and session.get("last_day") != today:
        session["last_day"] = today


class Kitchen(LiveView):
    access = "restaurant.work_kitchen"
    template_name = "restaurant/kitchen.html"

    @extend_schema(responses={200: OpenOrders})
    def get(self, request: Request) -> Response:
        response = Response(OpenOrders({"orders": queries.open_orders()}).data)
        response["Cache-Control"] = "private, no-store"
        _stay_signed_in(request)
        return response

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return {
            "socket_url": socket_url(self.request),
            "late_after": settings.KITCHEN_LATE_MINUTES,
            "very_late_after": settings.KITCHEN_VERY_LATE_MINUTES,
        }
