"""Messages to phones that are locked: subscribing, and the service worker. See docs/behaviour/common.md."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.validators import RegexValidator
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from restaurant import staff
from restaurant.ordering.queries.orders import order_by_id
from web.authentication import DEVICE, LOCKS_WITH
from web.fields import ErrorResponse, Identifier, SuccessResponse, Text
from web.forms import valid
from web.permissions import PUBLIC
from web.push import sending
from web.services import push
from web.throttling import LimitedView
from web.views import JSONView

IN_SESSION = "push"  # the subscription that was made in it
ON_DUTY = (staff.CLOSE_SESSION, staff.WORK_KITCHEN)


class Keys(serializers.Serializer):
    p256dh = Text(validators=[RegexValidator("^B[A-Za-z0-9_-]{86}$")])
    auth = Text(validators=[RegexValidator("^[A-Za-z0-9_-]{22}$")])


class EndpointBody(serializers.Serializer):
    """With `orderId` it is what the guest of this order hears, else what the signed-in person does."""

    endpoint = Text(max_length=1000)
    orderId = Identifier(required=False, allow_null=True, default=None, source="order_id")


class SubscriptionBody(EndpointBody):
    keys = Keys()

    def validate_endpoint(self, endpoint: str) -> str:
        if not sending.is_known(endpoint):
            raise serializers.ValidationError(_("This browser's push service is not one that we send to."))
        return endpoint


class Subscribing(serializers.Serializer):
    key = serializers.CharField(help_text="For `applicationServerKey`. Empty: no messages are sent.")
    endpoints = serializers.ListField(child=serializers.CharField(), help_text="Of the signed-in person.")


class EndSubscription(JSONView):
    """`POST /push/subscriptions/remove`, for what can't send DELETE."""

    access = PUBLIC
    throttle_scope = "public"

    @extend_schema(request=EndpointBody, responses={200: SuccessResponse, 400: ErrorResponse})
    def post(self, request: Request) -> Response:
        values = valid(EndpointBody(data=request.data))
        push.end("order" if values["order_id"] else "user", endpoint=values["endpoint"])
        return Response({"success": True})


class Subscriptions(JSONView):
    """`/push/subscriptions`: of a browser, as its `PushSubscription` says it."""

    access = PUBLIC
    throttle_scope = "public"
    delete = EndSubscription.post

    @extend_schema(responses={200: Subscribing})
    def get(self, request: Request) -> Response:
        key = push.key().public if settings.PUSH_HOSTS else ""
        return Response({"key": key, "endpoints": push.endpoints(request.user)})

    @extend_schema(
        request=SubscriptionBody,
        responses={**dict.fromkeys((200, 201), SuccessResponse), **dict.fromkeys((400, 401, 403, 404), ErrorResponse)},
    )
    def post(self, request: Request) -> Response:
        values = valid(SubscriptionBody(data=request.data))
        order_id = values.pop("order_id")
        if order_id:
            _phone, is_new = push.subscribe(**values, order=order_by_id(order_id).pk)
        elif not request.user.is_authenticated:
            raise NotAuthenticated
        elif not staff.may(request, *ON_DUTY):
            raise PermissionDenied
        else:
            device = request.session.get(DEVICE) or request.session.get(LOCKS_WITH)
            phone, is_new = push.subscribe(**values, user=request.user, device=device)
            request.session[IN_SESSION] = phone.pk
        return Response({"success": True}, status=201 if is_new else 200)


class TryOut(JSONView):
    """`POST /push/subscriptions/try`: a message to a phone of one's own."""

    access = ON_DUTY
    throttle_scope = "test_mail"

    def throttle_identity(self, request: Request) -> str:
        return f"push-{request.user.pk}"

    @extend_schema(request=EndpointBody, responses={202: SuccessResponse, **dict.fromkeys((400, 404), ErrorResponse)})
    def post(self, request: Request) -> Response:
        push.try_out(endpoint=valid(EndpointBody(data=request.data))["endpoint"], user=request.user)
        return Response({"success": True}, status=202)


class Worker(LimitedView):
    """`GET /push-worker.js`. At the root: a service worker is for the pages below its own address."""

    access = PUBLIC
    throttle_scope = "picture"

    def get(self, request: HttpRequest) -> HttpResponse:
        script = Path(str(finders.find("push_worker.js"))).read_bytes()
        return HttpResponse(
            script, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"}
        )


def end_with_session(*, request: Any, **_kwargs: Any) -> None:
    """Receives `user_logged_out`: whoever signs out on a phone hears nothing there any more.

    A shared device locks by itself, and goes on until it is revoked.
    """
    if IN_SESSION in request.session and DEVICE not in request.session and LOCKS_WITH not in request.session:
        push.end("user", pk=request.session[IN_SESSION])
