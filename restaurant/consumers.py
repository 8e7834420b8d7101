"""WebSocket consumers. See "Kitchen channel" in docs/behaviour.md."""

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from restaurant import queries
from restaurant.listener import KITCHEN, listener

WORK_KITCHEN = "restaurant.work_kitchen"


class OrdersConsumer(AsyncWebsocketConsumer):
    """Sends the events of one topic. Messages from the client are ignored."""

    topic = ""  # once subscribed

    async def subscribe(self, topic: str) -> None:
        # Before accepting, so that a connected client receives every event from then on.
        self.topic = topic
        if await listener().subscribe(topic, self):
            await self.accept()
        else:
            await self.close()

    async def disconnect(self, code: int) -> None:
        if self.topic:
            listener().unsubscribe(self.topic, self)


class KitchenConsumer(OrdersConsumer):
    """All orders, for staff of the kitchen."""

    async def connect(self) -> None:
        if await database_sync_to_async(self.scope["user"].has_perm)(WORK_KITCHEN):
            await self.subscribe(KITCHEN)
        else:
            await self.close()


class GuestOrderConsumer(OrdersConsumer):
    """The status of one order, for everyone who knows its id."""

    async def connect(self) -> None:
        order_id = self.scope["url_route"]["kwargs"]["order_id"].lower()
        if await database_sync_to_async(queries.order_exists)(order_id):
            await self.subscribe(order_id)
        else:
            await self.close()
