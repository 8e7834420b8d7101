"""Paths of the socket server."""

from django.urls import path, re_path

from restaurant import consumers

websocket_urlpatterns = [
    path("orders/<str:order_id>", consumers.GuestOrder.as_asgi()),
    re_path(r"", consumers.KitchenDisplay.as_asgi()),
]
