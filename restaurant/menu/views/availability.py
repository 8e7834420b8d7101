"""What has sold out: listed, and marked where it is noticed."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.menu import queries
from restaurant.menu.serializers import MOST_PORTIONS, Availability, AvailabilityBody, MenuAvailability, PortionsBody
from restaurant.menu.services import menu
from web.fields import ErrorResponse
from web.forms import body_of, form_fields
from web.views import FormResponse, ObjectResponse, Page, PageView

STAFF = (staff.WORK_KITCHEN, staff.CLOSE_SESSION, staff.CHANGE_ITEM)


class WholeMenu(PageView):
    """`GET /menu/availability`: every item by category, whatever its hours."""

    access = STAFF
    template_name = "restaurant/menu/availability.html"
    context_object_name = "menu"

    @extend_schema(responses={200: MenuAvailability, **dict.fromkeys((401, 403), ErrorResponse)})
    def get(self, request: Request) -> Response:
        availability = queries.availability(queries.menu_state())
        return ObjectResponse(MenuAvailability(availability), headers={"Cache-Control": "private, no-store"})

    def page_context(self, availability: queries.MenuAvailability) -> dict[str, Any]:
        return {
            "path": self.request.path,
            "on_floor": staff.may(self.request, staff.CLOSE_SESSION),
            "in_kitchen": staff.may(self.request, staff.WORK_KITCHEN),
            "few": queries.FEW,
            "tomorrow": queries.tomorrow(timezone.now()),
            "most": MOST_PORTIONS,
        }


class ItemAvailability(PageView):
    """`POST /menu/{itemId}/availability`. Pages send `lasts` in place of `until`: `hour`, `today` or `always`."""

    access = STAFF
    template_name = "restaurant/refused.html"

    @extend_schema(request=AvailabilityBody, responses={200: Availability, **dict.fromkeys((400, 404), ErrorResponse)})
    def post(self, request: Request, item_id: str) -> Response:
        sent = body_of(request, numbers=("available",), optional=("until",))
        lasts = (form_fields(request) or {}).get("lasts", "")
        if until := _end_of(lasts, timezone.now()):
            sent = {**sent, "until": until.isoformat()}
        body = AvailabilityBody(data=sent)
        body.is_valid(raise_exception=True)
        item = menu.switch(item_id=item_id, **body.validated_data)
        return FormResponse(Availability(item), redirect_to=staff.page_before(request, _page_of(request)))

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return staff.refused(self.request, _page_of(self.request))


class ItemPortions(PageView):
    """`POST /menu/{itemId}/portions`: how many are left. Pages send nothing for unlimited ones."""

    access = STAFF
    template_name = "restaurant/refused.html"

    @extend_schema(request=PortionsBody, responses={200: Availability, **dict.fromkeys((400, 404), ErrorResponse)})
    def post(self, request: Request, item_id: str) -> Response:
        sent = body_of(request, numbers=("portions",))
        if (form_fields(request) or {}).get("portions") == "":
            sent = {"portions": None}
        body = PortionsBody(data=sent)
        body.is_valid(raise_exception=True)
        item = menu.count_portions(item_id=item_id, **body.validated_data)
        return FormResponse(Availability(item), redirect_to=staff.page_before(request, _page_of(request)))

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return staff.refused(self.request, _page_of(self.request))


def _page_of(request: Request) -> str:
    return "/kitchen" if staff.may(request, staff.WORK_KITCHEN) else "/menu/availability"


def _end_of(lasts: str, now: datetime) -> datetime | None:
    """When something that is sold out so long comes back by itself; None: not at all."""
    if lasts == "hour":
        return now + timedelta(hours=1)
    return queries.tomorrow(now) if lasts == "today" else None
