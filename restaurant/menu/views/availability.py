"""The availability of dishes: listed, and changed where somebody notices that one has sold out."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.menu import queries, serializers
from restaurant.menu.models import MenuItem
from restaurant.menu.serializers import (
    MOST_PORTIONS,
    Availability,
    AvailabilityBody,
    MenuAvailability,
    OptionBody,
    PortionsBody,
)
from restaurant.menu.services import menu
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, valid
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


class _ItemView(PageView):
    access = STAFF
    audience = "kitchen"
    template_name = "restaurant/refused.html"

    def _changed(self, item: MenuItem) -> Response:
        return FormResponse(Availability(item), redirect_to=staff.page_before(self.request, self._default_page()))

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return staff.refused(self.request, self._default_page())

    def _default_page(self) -> str:
        return "/kitchen" if staff.may(self.request, staff.WORK_KITCHEN) else "/menu/availability"


class ItemAvailability(_ItemView):
    """`POST /menu/{itemId}/availability`. Pages send `lasts` in place of `until`: `hour`, `today` or `always`."""

    @extend_schema(request=AvailabilityBody, responses={200: Availability, **dict.fromkeys((400, 404), ErrorResponse)})
    def post(self, request: Request, item_id: str) -> Response:
        sent = body_of(request, numbers=("available",), optional=("until",))
        until = _end_of((form_fields(request) or {}).get("lasts", ""), timezone.now())
        if until:
            sent = {**sent, "until": until.isoformat()}
        values = valid(AvailabilityBody(data=sent))
        return self._changed(menu.switch(item_id=item_id, **values))


class OptionAvailability(_ItemView):
    """`POST /menu/options/{optionId}/availability`: of an option, with all items that have it."""

    @extend_schema(
        request=OptionBody, responses={200: serializers.OptionAvailability, **dict.fromkeys((400, 404), ErrorResponse)}
    )
    def post(self, request: Request, option_id: str) -> Response:
        values = valid(OptionBody(data=body_of(request, numbers=("available",))))
        option = menu.switch_option(option_id=option_id, **values)
        page = staff.page_before(self.request, self._default_page())
        return FormResponse(serializers.OptionAvailability(option), redirect_to=page)


class ItemPortions(_ItemView):
    """`POST /menu/{itemId}/portions`: how many are left. Pages send nothing for unlimited ones."""

    @extend_schema(request=PortionsBody, responses={200: Availability, **dict.fromkeys((400, 404), ErrorResponse)})
    def post(self, request: Request, item_id: str) -> Response:
        sent = body_of(request, numbers=("portions",))
        if (form_fields(request) or {}).get("portions") == "":
            sent = {"portions": None}
        values = valid(PortionsBody(data=sent))
        return self._changed(menu.count_portions(item_id=item_id, **values))


def _end_of(lasts: str, now: datetime) -> datetime | None:
    """Return when an item that is sold out so long is available again by itself; None for never."""
    if lasts == "hour":
        return now + timedelta(hours=1)
    return queries.tomorrow(now) if lasts == "today" else None
