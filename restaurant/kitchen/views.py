"""`/kitchen`: the open orders as JSON, the kitchen display as a page; the stations' displays; pausing."""

from itertools import pairwise
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import ngettext
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.kitchen.queries import KitchenOrders, open_orders, served_orders
from restaurant.kitchen.serializers import (
    Completed,
    DoneBody,
    EarlierOrders,
    OpenOrders,
    Pause,
    PauseBody,
    PrioritiseBody,
    Seen,
    SeenBody,
    ServedBody,
    StationOrders,
    StatusBody,
    Ticket,
    TimedOrders,
)
from restaurant.live import LiveView, socket_url
from restaurant.menu.models import Allergen, Station
from restaurant.menu.services import menu
from restaurant.ordering.models import Order
from restaurant.ordering.queries.orders import earlier_orders, order_by_id, staff_names
from restaurant.ordering.queries.stations import all_stations, station_at
from restaurant.ordering.services import order_steps, stations
from web import languages
from web.fields import ErrorResponse, FormText, SuccessResponse, TrueOrFalse, WholeNumber
from web.forms import body_of, is_page, notify, valid
from web.permissions import Access
from web.views import FormResponse, ObjectResponse, Page, PageView

RECALL_MINUTES = 60
PAUSES = (10, 20, 30, 60)  # minutes


class KitchenQuery(serializers.Serializer):
    """The orders to show: the open ones, or those that were served in the last minutes."""

    status = serializers.ChoiceField(choices=["open", "served"], default="open")
    minutes = WholeNumber(
        min_value=1, max_value=720, default=RECALL_MINUTES, help_text="With `served`: the last 1 to 720."
    )
    times = TrueOrFalse(default=False, help_text="With `readyAt`.")
    recent = TrueOrFalse(default=False, help_text="Only count open orders of more than a day ago.")


def _extend_session(request: Request) -> None:
    """Renew the session once a day, so that that of a display that is used every day never expires."""
    today = timezone.now().date().isoformat()
    if SESSION_KEY in request.session and request.session.get("last_day") != today:
        request.session["last_day"] = today


# From each status of an open order to the one that follows it.
_NEXT_STEP = {step.value: following.value for step, following in pairwise((*Order.OPEN, Order.Status.SERVED))}


class KitchenView(LiveView):
    access = staff.WORK_KITCHEN
    audience = "kitchen"
    template_name = "restaurant/kitchen/kitchen.html"
    context_object_name = "kitchen"
    _station: Station | None = None

    @staticmethod
    def _query(request: Request) -> dict[str, Any]:
        """The values of `KitchenQuery`. Raises ValidationError."""
        values = valid(KitchenQuery(data={name: FormText(text) for name, text in request.query_params.items()}))
        return values | {"recent": values["recent"] or is_page(request)}

    def _orders(self, query: dict[str, Any]) -> KitchenOrders:
        if query["status"] == "served":
            return served_orders(minutes=query["minutes"], station=self._station)
        return open_orders(only_recent=query["recent"], station=self._station)

    def page_context(self, kitchen: KitchenOrders) -> dict[str, Any]:
        return {
            "socket_url": socket_url(self.request),
            "time_zone": settings.TIME_ZONE,
            "late_after": settings.KITCHEN_LATE_MINUTES,
            "very_late_after": settings.KITCHEN_VERY_LATE_MINUTES,
            "station": self._station,
            "stations": all_stations(),
            "staff_names": staff_names(),
            "allergens": Allergen.choices,
            "languages": [(code, languages.spoken(code)) for code in languages.NAMES],
            "path": self.request.path,
            "next_step": _NEXT_STEP,
            "pauses": PAUSES,
        }


class Kitchen(KitchenView):
    """`GET /kitchen`: all orders."""

    @extend_schema(parameters=[KitchenQuery], responses={200: TimedOrders, 400: ErrorResponse})
    def get(self, request: Request) -> Response:
        _extend_session(request)
        query = self._query(request)
        has_times = query["times"] or query["status"] == "served" or is_page(request)
        serializer = TimedOrders if has_times else OpenOrders
        return ObjectResponse(serializer(self._orders(query)), headers={"Cache-Control": "private, no-store"})


class StationDisplay(KitchenView):
    """`GET /kitchen/{slug}`: what one station has to do."""

    @extend_schema(
        operation_id="kitchen_station_retrieve",
        parameters=[KitchenQuery],
        responses={200: StationOrders, **dict.fromkeys((400, 404), ErrorResponse)},
    )
    def get(self, request: Request, slug: str) -> Response:
        _extend_session(request)
        self._station = station_at(slug)
        orders = self._orders(self._query(request))
        return ObjectResponse(StationOrders(orders), headers={"Cache-Control": "private, no-store"})


class Earlier(LiveView):
    """`/orders/earlier`: open orders of more than a day ago; POST completes them all."""

    access = staff.WORK_KITCHEN
    template_name = "restaurant/kitchen/earlier_orders.html"
    context_object_name = "earlier"

    @extend_schema(responses={200: EarlierOrders})
    def get(self, request: Request) -> Response:
        earlier = earlier_orders(timezone.now())
        return ObjectResponse(EarlierOrders(earlier), headers={"Cache-Control": "private, no-store"})

    @extend_schema(request=None, responses={200: Completed})
    def post(self, request: Request) -> Response:
        number = order_steps.complete_earlier()
        sentence = ngettext("%(number)d order is completed.", "%(number)d orders are completed.", number)
        notify(request, sentence % {"number": number})
        return FormResponse(Completed({"completed": number}), redirect_to=request.path)


class KitchenButton(PageView):
    """A form of the kitchen's pages."""

    access: Access = staff.WORK_KITCHEN
    audience = "kitchen"
    template_name = "restaurant/kitchen/kitchen.html"

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return staff.refused(self.request, "/kitchen")


class PauseKitchen(KitchenButton):
    """`POST /kitchen/pause`: take no orders of guests for so many minutes; 0 ends a pause."""

    @extend_schema(request=PauseBody, responses={200: Pause, 400: ErrorResponse})
    def post(self, request: Request) -> Response:
        values = valid(PauseBody(data=body_of(request, numbers=("minutes",))))
        until = menu.pause(minutes=values["minutes"])
        return FormResponse(Pause({"until": until}), redirect_to=staff.page_before(request, "/kitchen"))


class SeenByDisplay(KitchenButton):
    """`POST /kitchen/seen`: a display has drawn these orders."""

    @extend_schema(request=SeenBody, responses={200: Seen, **dict.fromkeys((400, 404), ErrorResponse)})
    def post(self, request: Request) -> Response:
        number = stations.set_seen(**valid(SeenBody(data=request.data)))
        return FormResponse(Seen({"seen": number}), redirect_to=staff.page_before(request, "/kitchen"))


class PauseStation(KitchenButton):
    """`POST /kitchen/{slug}/pause`: guests can't order what the station makes for so many minutes; 0 ends a pause."""

    @extend_schema(
        operation_id="kitchen_station_pause",
        request=PauseBody,
        responses={200: Pause, **dict.fromkeys((400, 404), ErrorResponse)},
    )
    def post(self, request: Request, slug: str) -> Response:
        values = valid(PauseBody(data=body_of(request, numbers=("minutes",))))
        until = menu.pause_station(slug=slug, minutes=values["minutes"])
        return FormResponse(Pause({"until": until}), redirect_to=staff.page_before(request, f"/kitchen/{slug}"))


class Done(KitchenButton):
    """`POST /orders/{orderId}/items/{position}/done`: a station is done with an entry, or is not after all."""

    @extend_schema(request=DoneBody, responses={200: Ticket, **dict.fromkeys((400, 404, 409), ErrorResponse)})
    def post(self, request: Request, order_id: str, position: int) -> Response:
        values = valid(DoneBody(data=body_of(request, numbers=("done",))))
        stations.set_done(order_id=order_id, position=position, done=values["done"])
        ticket = Ticket(order_by_id(order_id))
        return FormResponse(ticket, redirect_to=staff.page_before(request, "/kitchen"))


class Served(KitchenButton):
    """`POST /orders/{orderId}/items/served`: entries are carried, before the rest of their order."""

    access = (staff.CLOSE_SESSION, staff.WORK_KITCHEN)

    @extend_schema(request=ServedBody, responses={200: Ticket, **dict.fromkeys((400, 404, 409), ErrorResponse)})
    def post(self, request: Request, order_id: str) -> Response:
        body: Any = request.data
        if isinstance(body, QueryDict):
            body = {"positions": list(map(FormText, body.getlist("positions")))}
        values = valid(ServedBody(data=body))
        stations.set_served(order_id=order_id, **values)
        return FormResponse(Ticket(order_by_id(order_id)), redirect_to=staff.page_before(request, "/floor"))


class Prioritise(KitchenButton):
    """`POST /orders/{orderId}/prioritise`: to the front of the displays, or back (`on: false`)."""

    access = (staff.CLOSE_SESSION, staff.WORK_KITCHEN)

    @extend_schema(request=PrioritiseBody, responses={200: Ticket, **dict.fromkeys((400, 404, 409), ErrorResponse)})
    def post(self, request: Request, order_id: str) -> Response:
        values = valid(PrioritiseBody(data=body_of(request, numbers=("on",), optional=("on",))))
        order_steps.prioritise(order_id=order_id, **values)
        return FormResponse(Ticket(order_by_id(order_id)), redirect_to=staff.page_before(request, "/kitchen"))


class Status(KitchenButton):
    """`POST /orders/{orderId}/status`: the kitchen moves an order on."""

    @extend_schema(request=StatusBody, responses={200: SuccessResponse, **dict.fromkeys((404, 409), ErrorResponse)})
    def post(self, request: Request, order_id: str) -> Response:
        values = valid(StatusBody(data=request.data))
        order_steps.set_status(order_id=order_id, **values)
        return FormResponse({"success": True}, redirect_to=staff.page_before(request, "/kitchen"))
