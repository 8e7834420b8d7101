"""Paths of the socket server."""

from django.urls import path, re_path

from restaurant import consumers

websocket_urlpatterns = [
    path("floor", consumers.FloorConsumer.as_asgi()),
    path("orders/<str:order_id>", consumers.GuestOrderConsumer.as_asgi()),
    re_path(r"", consumers.KitchenConsumer.as_asgi()),
]
