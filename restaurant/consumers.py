"""The socket server's two kinds of connection: a kitchen display, and a guest who follows an order."""

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from restaurant import queries
from restaurant.listener import KITCHEN, listener

WORK_KITCHEN = "restaurant.work_kitchen"


class _Display(AsyncWebsocketConsumer):
    """Hears one channel. What a display sends is not listened to."""

    channel = ""

    async def _enter(self, channel: str) -> None:
        # Joined first, accepted after: whoever is connected hears all that commits from now on.
        self.channel = channel
        if await listener().join(channel, self):
            await self.accept()
        else:
            await self.close()

    async def disconnect(self, code: int) -> None:
        if self.channel:
            listener().leave(self.channel, self)


class KitchenDisplay(_Display):
    """Every path but the guests' one is the kitchen channel (decision 5.6). Anyone else is refused (2.7)."""

    async def connect(self) -> None:
        if await database_sync_to_async(self.scope["user"].has_perm)(WORK_KITCHEN):
            await self._enter(KITCHEN)
        else:
            await self.close()


class GuestOrder(_Display):
    """`/orders/<orderId>`: this order's status changes, for whoever knows its id (decision 5.7)."""

    async def connect(self) -> None:
        order_id = self.scope["url_route"]["kwargs"]["order_id"].lower()
        if await database_sync_to_async(queries.order_exists)(order_id):
            await self._enter(order_id)
        else:
            await self.close()
