"""Shared devices: managers enrol them, and people sign in on them with PINs. See `config.devices`."""

from typing import Any, cast

from django.contrib.auth import logout
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated, Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from config import devices, models, queries, serializers
from config.errors import NotEnrolled, WrongPassword
from config.groups import MANAGE_STAFF
from config.services import devices as services
from web import venue
from web.authentication import DEVICE, LOCKS_WITH
from web.error_pages import error_context
from web.fields import ErrorResponse, SuccessResponse
from web.forms import body_of, form_fields, is_page, notify, valid
from web.permissions import PUBLIC
from web.throttling import give_back, seconds_to_wait
from web.views import FormResponse, ObjectResponse, Page, PageView


def _own(request: Request, address: str) -> str:
    """Return its path if it is one of this installation's, otherwise the front page."""
    path = address.removeprefix(request.build_absolute_uri("/")[:-1])
    is_own = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return path if is_own and not path.startswith(reverse("switch")) else reverse("front_page")


# --- enrolling -------------------------------------------------------------------------------------------


class Devices(PageView):
    """`POST` enrols the browser that sends it, whose cookie says so for a year. Again only renames it."""

    access = MANAGE_STAFF
    template_name = "config/devices.html"

    @extend_schema(responses={200: serializers.DeviceList})
    def get(self, request: Request) -> Response:
        found = queries.devices(devices.enrolled(request))
        return ObjectResponse(serializers.DeviceList({"devices": found}))

    @extend_schema(
        request=serializers.DeviceBody, responses={**dict.fromkeys((200, 201), serializers.Device), 400: ErrorResponse}
    )
    def post(self, request: Request) -> Response:
        values = valid(serializers.DeviceBody(data=body_of(request)))
        user, before = cast("User", request.user), devices.enrolled(request)
        device = services.enrol(**values, by=user, instead_of=before)
        if is_page(request):  # the manager's own sign-in must not stay open on it
            devices.bind(request.session, user, device)
        status = 200 if before else 201
        response = FormResponse(serializers.Device(device), status=status, redirect_to=reverse("devices"))
        devices.remember(response, device)
        return response

    def page_context(self, shown: dict[str, list[models.Device]]) -> dict[str, Any]:
        in_use = [device for device in shown["devices"] if device.revoked_at is None]
        here = next((device for device in in_use if device.is_here), None)  # type: ignore[attr-defined]
        return {"in_use": in_use, "this_one": here, "lock_after": venue.current().lock_after}

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        context = self.page_context({"devices": queries.devices(devices.enrolled(self.request))})
        return Page(self.template_name, context | {"entered": form_fields(self.request)})


class Device(PageView):
    """Revokes a device: what is open on it ends within 2 seconds. Again changes nothing."""

    access = MANAGE_STAFF
    template_name = "config/devices.html"

    @extend_schema(
        operation_id="staff_devices_revoke",
        request=serializers.RevokedBody,
        responses={200: serializers.Device, **dict.fromkeys((400, 404), ErrorResponse)},
    )
    def post(self, request: Request, device_id: str) -> Response:
        valid(serializers.RevokedBody(data=body_of(request, numbers=("revoked",))))
        device = services.revoke(device_id=device_id)
        if request.session.get(LOCKS_WITH) == str(device.pk):
            del request.session[LOCKS_WITH]  # whoever revokes it is not signed out
        notify(request, _("Revoked: %(name)s.") % {"name": device.name})
        return FormResponse(serializers.Device(device), redirect_to=reverse("devices"))


# --- signing in ------------------------------------------------------------------------------------------


def _device(request: Request) -> models.Device:
    device = devices.enrolled(request)
    if device is None:
        raise NotEnrolled
    return device


def _board(request: Request) -> dict[str, Any]:
    device, left = _device(request), devices.seconds_left(request.session)
    current = {"user": request.user, "locks_in": int(left)} if left else None
    return {"device": device, "people": queries.colleagues(), "current": current}


def _not_enrolled_page(error: dict[str, Any]) -> Page:
    where = urlencode({"next": reverse("devices")})
    shown = {"title": _("Not a shared device"), "sign_in": f"{reverse('sign_in')}?{where}"}
    return Page("web/error.html", error_context(403, error["error"]) | shown)


class Switch(PageView):
    """`POST` signs somebody in by a PIN, for what Floor, Kitchen and Cashiers may. 429 after 10 wrong PINs."""

    access = PUBLIC
    audience = "staff"
    throttle_scope = "public"
    template_name = "config/switch.html"
    context_object_name = "board"
    error_statuses = PageView.error_statuses | {403, 429}

    @extend_schema(responses={200: serializers.SwitchBoard, 403: ErrorResponse})
    def get(self, request: Request) -> Response:
        return ObjectResponse(serializers.SwitchBoard(_board(request)))

    @extend_schema(
        request=serializers.SwitchBody,
        responses={200: serializers.OnDevice, **dict.fromkeys((400, 403, 429), ErrorResponse)},
    )
    def post(self, request: Request) -> Response:
        device = _device(request)
        values = valid(serializers.SwitchBody(data=body_of(request)))
        user = services.switch(device=device, username=values["username"], pin=values["pin"])
        devices.open_session(request._request, user, device)
        current = {"user": user, "locks_in": venue.current().lock_after * 60}
        response = FormResponse(serializers.OnDevice(current), redirect_to=_own(request, values["next"]))
        devices.remember(response, device)
        return response

    def page_context(self, shown: Any) -> dict[str, Any]:
        return {"next": _own(self.request, self.request.query_params.get("next", ""))}

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        entered = form_fields(self.request) or {}
        try:
            board = _board(self.request)
        except NotEnrolled:
            return _not_enrolled_page(error)
        context = {
            "board": board,
            "next": _own(self.request, entered.get("next", "")),
            "chosen": entered.get("username", ""),
        }
        return Page(self.template_name, context)


class Lock(PageView):
    """Locks the device, and ends the session. Again changes nothing."""

    access = PUBLIC
    audience = "staff"
    throttle_scope = "public"
    template_name = "config/switch.html"
    error_statuses = PageView.error_statuses | {403}

    @extend_schema(request=None, responses={200: SuccessResponse, 403: ErrorResponse})
    def post(self, request: Request) -> Response:
        device = _device(request)
        if request.user.is_authenticated:
            services.lock(device=device, user=request.user)
            logout(request._request)
        where = urlencode({"next": _own(request, (form_fields(request) or {}).get("next", ""))})
        return FormResponse(SuccessResponse({"success": True}), redirect_to=f"{reverse('switch')}?{where}")

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return _not_enrolled_page(error)


# --- one's own PIN ---------------------------------------------------------------------------------------


class OwnPin(PageView):
    """`/account/pin`: people with a password set their own PIN, and remove it. Open sessions by the old one end."""

    access = PUBLIC
    audience = "staff"
    throttle_scope = "public"
    template_name = "config/pin.html"
    context_object_name = "state"
    error_statuses = PageView.error_statuses | {403}

    @extend_schema(responses={200: serializers.PinState, 401: ErrorResponse})
    def get(self, request: Request) -> Response:
        return ObjectResponse(serializers.PinState(_pin_state(_person(request))))

    @extend_schema(
        request=serializers.PinBody,
        responses={200: serializers.PinState, **dict.fromkeys((400, 401, 403, 429), ErrorResponse)},
    )
    def post(self, request: Request) -> Response:
        user, body = _person(request), body_of(request)
        if form_fields(request) is not None and "remove" in body:
            body["pin"] = None
        values = valid(serializers.PinBody(data=body))
        identity = f"password-{user.pk}"
        if seconds := seconds_to_wait("wrong_code", identity):
            raise Throttled(seconds)
        if not user.check_password(values["password"]):
            raise WrongPassword
        give_back("wrong_code", identity)
        here = request.session.get(LOCKS_WITH) or (values["pin"] and request.session.get(DEVICE))
        services.set_pin(user=user, hashed=values["pin"] and make_password(values["pin"]), on=here)
        notify(request, _("Your PIN is set.") if values["pin"] else _("Your PIN is removed."))
        return FormResponse(serializers.PinState(_pin_state(user)), redirect_to=reverse("account"))

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return Page(self.template_name, {"state": _pin_state(_person(self.request))})


def _person(request: Request) -> User:
    if not request.user.is_authenticated:
        raise NotAuthenticated
    return request.user


def _pin_state(user: User) -> dict[str, Any]:
    return {"setAt": models.Pin.objects.filter(user=user).values_list("set_at", flat=True).first()}
