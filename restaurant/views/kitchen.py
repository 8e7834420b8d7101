"""`/kitchen`: the open orders as JSON, the kitchen display as a page."""

from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import queries
from restaurant.serializers.orders import OpenOrders
from restaurant.views.live import LiveView, socket_url


def _extend_session(request: Request) -> None:
    """Once a day, so that the session of a display that is used every day never expires."""
    today = timezone.now().date().isoformat()
    if SESSION_KEY in request.session and request.session.get("last_day") != today:
        request.session["last_day"] = today


class Kitchen(LiveView):
    access = "restaurant.work_kitchen"
    template_name = "restaurant/kitchen.html"

    @extend_schema(responses={200: OpenOrders})
    def get(self, request: Request) -> Response:
        _extend_session(request)
        shown = {"orders": queries.open_orders(), "cancelled": queries.cancelled_orders(now=timezone.now())}
        orders = OpenOrders(shown)
        return Response(orders.data, headers={"Cache-Control": "private, no-store"})

    def page_context(self, data: dict[str, Any]) -> dict[str, Any]:
        return {
            "socket_url": socket_url(self.request),
            "time_zone": settings.TIME_ZONE,
            "late_after": settings.KITCHEN_LATE_MINUTES,
            "very_late_after": settings.KITCHEN_VERY_LATE_MINUTES,
        }
