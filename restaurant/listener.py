"""From PostgreSQL's NOTIFY to the displays of this socket process (decisions 5.6, 7.6).

One connection per process listens. Displays are let in only while it does, and are sent away when it is lost:
they come back, read the open orders anew, and so miss nothing.
"""

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import Awaitable, Iterable
from typing import Any, Protocol

import psycopg
from channels.db import database_sync_to_async
from django.db import connections
from rest_framework.settings import api_settings

from restaurant import queries
from restaurant.events import CHANNEL, NEW_ORDER
from restaurant.serializers.orders import Ticket

log = logging.getLogger(__name__)

READY_WITHIN = 5.0  # seconds
CHECK_EVERY = 5.0  # seconds between two proofs that the database still answers

KITCHEN = "kitchen"
TRY_AGAIN = 4503  # close code, from the range that is ours to define


class Display(Protocol):
    """An open socket."""

    async def send(
        self, text_data: str | None = None, bytes_data: bytes | None = None, close: bool = False
    ) -> None: ...
    async def close(self, code: int | None = None, reason: str | None = None) -> None: ...


class Listener:
    """Who is connected to this process, and what they hear.

    A channel is KITCHEN, or the id of an order that its guest follows.
    """

    def __init__(self) -> None:
        self._displays: dict[str, set[Display]] = defaultdict(set)
        self._task: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()

    async def join(self, channel: str, display: Display) -> bool:
        """Let a display hear the channel from now on. False when the database can't be listened to."""
        if self._task is None:
            self._ready.clear()
            self._task = asyncio.create_task(self._run())
        try:
            await asyncio.wait_for(self._ready.wait(), READY_WITHIN)
        except TimeoutError:
            return False
        self._displays[channel].add(display)
        return True

    def leave(self, channel: str, display: Display) -> None:
        self._displays[channel].discard(display)
        if not self._displays[channel]:
            del self._displays[channel]

    async def _run(self) -> None:
        try:
            await self._listen()
        except (psycopg.Error, OSError, TimeoutError) as error:
            log.warning("The kitchen channel lost the database: %s", error)
        finally:
            self._task = None
            self._ready.clear()
            await self._send_all_away()

    async def _listen(self) -> None:
        parameters = connections["default"].get_connection_params()
        for of_django_alone in ("cursor_factory", "context", "prepare_threshold"):
            parameters.pop(of_django_alone, None)
        connection = await psycopg.AsyncConnection.connect(autocommit=True, **parameters)
        async with connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            self._ready.set()
            while True:
                async for notification in connection.notifies(timeout=CHECK_EVERY):
                    await self._tell(json.loads(notification.payload))
                await asyncio.wait_for(connection.execute("SELECT 1"), CHECK_EVERY)

    async def _tell(self, event: dict[str, Any]) -> None:
        channels = (KITCHEN, event["orderId"])
        if not any(channel in self._displays for channel in channels):
            return
        if event["type"] == NEW_ORDER:
            order = await database_sync_to_async(_ticket)(event["orderId"])
            event = {"type": NEW_ORDER, "order": order}
            channels = (KITCHEN, "")
        renderer: Any = api_settings.DEFAULT_RENDERER_CLASSES[0]  # the JSON that HTTP answers with
        text = renderer().render(event).decode()
        displays = [display for channel in channels for display in self._displays.get(channel, ())]
        await _all(display.send(text_data=text) for display in displays)

    async def _send_all_away(self) -> None:
        displays = [display for members in self._displays.values() for display in members]
        await _all(display.close(code=TRY_AGAIN) for display in displays)


async def _all(calls: Iterable[Awaitable[None]]) -> None:
    """Every call, at once; one display that is gone must not keep the others from hearing."""
    for result in await asyncio.gather(*calls, return_exceptions=True):
        if isinstance(result, Exception):
            log.info("A display was gone when it was spoken to: %r", result)


def _ticket(order_id: str) -> Any:
    order = queries.orders().filter(pk=order_id).first()
    return Ticket(order).data if order else None


_listeners: dict[asyncio.AbstractEventLoop, Listener] = {}


def listener() -> Listener:
    """The one of this process (of this event loop, to be exact)."""
    return _listeners.setdefault(asyncio.get_running_loop(), Listener())
