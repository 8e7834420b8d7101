"""Marking what has sold out, where it is noticed."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant.serializers.menu import Availability, AvailabilityBody
from restaurant.services import menu
from restaurant.views import staff
from web.fields import ErrorResponse
from web.forms import body_of
from web.views import FormResponse, Page, PageView


class ItemAvailability(PageView):
    """`POST /menu/{itemId}/availability`"""

    access = (staff.WORK_KITCHEN, staff.CLOSE_SESSION, staff.CHANGE_ITEM)
    template_name = "restaurant/refused.html"

    @extend_schema(request=AvailabilityBody, responses={200: Availability, **dict.fromkeys((400, 404), ErrorResponse)})
    def post(self, request: Request, item_id: str) -> Response:
        body = AvailabilityBody(data=body_of(request, numbers=("available",), optional=("until",)))
        body.is_valid(raise_exception=True)
        item = menu.switch(item_id=item_id, **body.validated_data)
        page = staff.page_before(request, "/kitchen" if staff.may(request, staff.WORK_KITCHEN) else "/floor")
        return FormResponse(Availability(item).data, redirect_to=page)

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return staff.refused(self.request, "/floor")
