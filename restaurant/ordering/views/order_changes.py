"""Cancelling, approving and acknowledging orders."""

import re
from typing import Any

from django.http import QueryDict
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.errors import NotYourOrder, PartialCancellation
from restaurant.ordering.models import Order, OrderChange
from restaurant.ordering.queries.orders import order_by_id
from restaurant.ordering.serializers.orders import CancelBody, GuestCancelBody, GuestOrder
from restaurant.ordering.services import order_changes
from restaurant.ordering.views import guests, order_page
from restaurant.ordering.views.orders import CountedByOrder
from web import idempotency
from web.fields import ErrorResponse, FormText, SuccessResponse
from web.forms import valid
from web.permissions import PUBLIC
from web.views import FormResponse, ObjectResponse, Page, PageView

_QUANTITY = re.compile(r"quantity-([0-9]{1,4})", re.ASCII)


class Cancel(CountedByOrder):
    """`POST /orders/{orderId}/cancel`: an order or parts of it by staff, the whole by the guest who placed it."""

    access = {"GET": (staff.WORK_KITCHEN, staff.CLOSE_SESSION), "POST": PUBLIC}
    template_name = "restaurant/ordering/cancel.html"
    error_statuses = CountedByOrder.error_statuses | {403}

    @extend_schema(responses={200: GuestOrder, **dict.fromkeys((401, 403, 404), ErrorResponse)})
    def get(self, request: Request, order_id: str) -> Response:
        """The order, with what can be cancelled of it."""
        return ObjectResponse(GuestOrder(order_by_id(order_id)), headers={"Cache-Control": "private, no-store"})

    def page_context(self, order: Order) -> dict[str, Any]:
        return self._page_context(order, self.request.query_params)

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """The form of staff again, with what was entered; for a guest who is too late, the order."""
        form = self.request.data
        is_staff = staff.may(self.request, staff.WORK_KITCHEN, staff.CLOSE_SESSION)
        if not isinstance(form, QueryDict) or (status != 409 and not is_staff):
            return None
        order = order_by_id(self.kwargs["order_id"])
        if not is_staff:
            return Page("restaurant/ordering/order.html", order_page.context(self.request, order))
        sentences = list(error.get("fields", {}).values()) or [error["error"]]
        return Page(self.template_name, {**self._page_context(order, form), "sentences": sentences})

    def _page_context(self, order: Order, entered: QueryDict) -> dict[str, Any]:
        quantities = _quantities(entered)
        return {
            "order": order,
            "cancellation": order.cancellation,
            "lines": [(item, quantities.get(position, "0")) for position, item in enumerate(order.items.all())],
            "entered": entered,
            "may_adjust": staff.may(self.request, staff.ADJUST_BILL),
            "reasons": OrderChange.Reason.choices,
            "next": staff.own_page(entered.get("next", "")) or _start_page(self.request),
            # Sent twice, it cancels once.
            "idempotency_key": idempotency.new_key(),
        }

    @extend_schema(
        request=CancelBody,
        parameters=[idempotency.PARAMETER],
        responses={200: GuestOrder, **dict.fromkeys((400, 401, 403, 404, 409), ErrorResponse)},
    )
    def post(self, request: Request, order_id: str) -> Response:
        if staff.may(request, staff.WORK_KITCHEN, staff.CLOSE_SESSION):
            return self._by_staff(request, order_id)
        return self._by_guest(request, order_id)

    def _by_staff(self, request: Request, order_id: str) -> Response:
        values = valid(CancelBody(data=_cancel_body(request)))
        parts = values.pop("items", None)
        compared = [values["note"], values["reason"], *([] if parts is None else [parts])]
        key = idempotency.key_of(request, *compared)
        order_changes.cancel(order_id=order_id, parts=parts, key=key, **staff.answering(request, values))
        return self._respond(order_id, staff.page_before(request, _start_page(request)))

    def _by_guest(self, request: Request, order_id: str) -> Response:
        if guests.GUEST_COOKIE not in request.COOKIES:
            order_by_id(order_id)
            if request.user.is_authenticated:
                raise NotYourOrder
            raise NotAuthenticated
        values = valid(GuestCancelBody(data=request.data))
        if "items" in request.data:
            raise PartialCancellation
        order_changes.cancel_by_guest(
            order_id=order_id,
            guest=guests.guest_of(request),
            reason=values["reason"],
            note=values["note"] or "",
        )
        return self._respond(order_id, f"/orders/{order_id}")

    @staticmethod
    def _respond(order_id: str, page: str) -> Response:
        return FormResponse(GuestOrder(order_by_id(order_id)), redirect_to=page)


# --- the form of staff: the whole (`scope`), or a quantity of each entry ---------------------------------


def _cancel_body(request: Request) -> Any:
    """The body in the shape of JSON, whether it came as JSON or from the form."""
    form = request.data
    if not isinstance(form, QueryDict):
        return form
    names = ("reason", "note", "approverName", "approverPassword")
    fields = {name: form[name] for name in names if name in form}
    return {**fields, "items": _items(form)} if form.get("scope") == "parts" else fields


def _items(form: QueryDict) -> list[dict[str, Any]]:
    """The entries with a quantity above 0. Text that is not a number is passed on, to be refused."""
    return [
        {"position": position, "quantity": FormText(text)}
        for position, text in _quantities(form).items()
        if text.strip().strip("0")
    ]


def _quantities(form: QueryDict) -> dict[int, str]:
    """The quantities in the form, by the position of their entry."""
    fields = ((_QUANTITY.fullmatch(name), str(text)) for name, text in form.items())
    return {int(match[1]): text for match, text in fields if match}


def _start_page(request: Request) -> str:
    return "/floor" if staff.may(request, staff.CLOSE_SESSION) else "/kitchen"


class Approve(PageView):
    """`POST /orders/{orderId}/approve`: a held order goes to the kitchen."""

    access = staff.CLOSE_SESSION
    template_name = "restaurant/floor/floor.html"

    @extend_schema(request=None, responses={200: GuestOrder, **dict.fromkeys((401, 403, 404, 409), ErrorResponse)})
    def post(self, request: Request, order_id: str) -> Response:
        order_changes.approve(order_id=order_id, user=request.user)
        page = staff.page_before(request, "/floor")
        return FormResponse(GuestOrder(order_by_id(order_id)), redirect_to=page)

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return staff.refused(self.request, "/floor")


class Acknowledge(PageView):
    """`POST /orders/{orderId}/acknowledge`: a cook has seen that an order is cancelled."""

    access = staff.WORK_KITCHEN
    audience = "kitchen"
    template_name = "restaurant/kitchen/kitchen.html"

    @extend_schema(request=None, responses={200: SuccessResponse, **dict.fromkeys((404, 409), ErrorResponse)})
    def post(self, request: Request, order_id: str) -> Response:
        order_changes.acknowledge(order_id=order_id)
        return FormResponse({"success": True}, redirect_to=staff.page_before(request, "/kitchen"))
