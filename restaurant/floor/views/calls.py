"""Calls for the waiter or the bill."""

from typing import Any

from django.utils.http import url_has_allowed_host_and_scheme
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty import gateway as loyalty
from restaurant import staff
from restaurant.errors import NotYourReward
from restaurant.floor.serializers import Call, CallBody
from restaurant.ordering.models import TableCall
from restaurant.ordering.services import calls
from restaurant.ordering.views import cart, guests
from restaurant.ordering.views.orders import CountedBySession
from restaurant.tables.queries import parse_table_number
from web.fields import ErrorResponse, SuccessResponse
from web.forms import form_fields, valid
from web.views import FormResponse, Page, PageView


class Calls(guests.GatedView, CountedBySession):
    """`POST /table/{tableNumber}/calls`: 201 for a new call, 200 for one that is open already."""

    template_name = "restaurant/ordering/cart.html"

    @extend_schema(
        request=CallBody, responses={201: Call, 200: Call, **dict.fromkeys((400, 403, 404, 409), ErrorResponse)}
    )
    def post(self, request: Request, table_number: str) -> Response:
        number = parse_table_number(table_number)
        values = valid(CallBody(data=request.data))
        values["session_id"] = values["session_id"] or request.COOKIES.get(guests.SESSION_COOKIE, "")
        guests.require_scan(request, guests.session_of(request, number, values["session_id"]))
        call, is_new = calls.call(table_number=number, **values | _reward(request, **values))
        return FormResponse(Call(call), status=201 if is_new else 200, redirect_to=_page_after(request, number))

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """Show the cart, which says that the session has ended."""
        if status == 403:
            return super().error_page(error, status)
        return cart.error_page(self.request, self.kwargs["table_number"])


def _reward(request: Request, *, kind: str, code: str, **_others: Any) -> dict[str, str]:
    """Return the code and the name of a reward of the phone's card; of other calls no code. Raises NotYourReward."""
    if kind != TableCall.Kind.REWARD:
        return {"code": ""}
    card = loyalty.card_of_phone(request)
    codes = {reward.code: reward.name for reward in loyalty.rewards_to_use(card)} if card else {}
    if code not in codes:
        raise NotYourReward
    return {"code": code, "reward": codes[code]}


def _page_after(request: Request, table_number: int) -> str:
    """Return the page of this site that the form came from, else the cart."""
    page = (form_fields(request) or {}).get("next", "")
    is_own = page.startswith("/") and url_has_allowed_host_and_scheme(page, allowed_hosts=None)
    return f"{page if is_own else f'/table/{table_number}/cart'}#calls"


class Done(PageView):
    """`POST /calls/{callId}/done`"""

    access = staff.CLOSE_SESSION
    template_name = "restaurant/floor/floor.html"

    @extend_schema(request=None, responses={200: SuccessResponse, 404: ErrorResponse})
    def post(self, request: Request, call_id: str) -> Response:
        calls.done(call_id=call_id, user_name=staff.name_of(request))
        return FormResponse({"success": True}, redirect_to=staff.page_before(request, "/floor"))
