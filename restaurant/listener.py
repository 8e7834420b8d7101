"""Passes events from PostgreSQL's NOTIFY on to the WebSocket consumers of this process.

One database connection per process listens. Consumers are accepted only while it does, and are disconnected when it
is lost: on reconnecting, a display reads the open orders again and so misses nothing.
"""

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import Awaitable, Iterable
from typing import Any, Protocol

import psycopg
from channels.db import database_sync_to_async
from django.db import Error, connections

from restaurant import queries
from restaurant.events import CHANNEL, NEW_ORDER
from restaurant.serializers.orders import Ticket
from web import metrics
from web.rendering import JSONRenderer

log = logging.getLogger(__name__)

READY_WITHIN = 4.0  # seconds
CHECK_EVERY = 1.5  # seconds between checks of the database connection
SILENT_AFTER = 2.0  # seconds without an answer to a check
FOLLOWERS = 40  # consumers of one order: the phones of a large table

KITCHEN = "kitchen"
TRY_AGAIN_LATER = 4503  # close code, from the range for applications


class Consumer(Protocol):
    """An open WebSocket."""

    async def send(
        self, text_data: str | None = None, bytes_data: bytes | None = None, close: bool = False
    ) -> None: ...
    async def close(self, code: int | None = None, reason: str | None = None) -> None: ...


class Connection(psycopg.AsyncConnection[Any]):
    """Gives up a server that does not answer: the next one may."""

    async def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        return await super().wait(gen, interval, timeout or SILENT_AFTER)


class Listener:
    """The consumers of this process, by topic: KITCHEN, or the id of one order."""

    def __init__(self) -> None:
        self._consumers: dict[str, set[Consumer]] = defaultdict(set)
        self._task: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()

    async def subscribe(self, topic: str, consumer: Consumer) -> bool:
        """Whether it succeeded: not without a connection to the database, nor if the order has enough followers."""
        if self._task is None:
            self._ready.clear()
            self._task = asyncio.create_task(self._run())
        try:
            await asyncio.wait_for(self._ready.wait(), READY_WITHIN)
        except TimeoutError:
            return False
        if topic != KITCHEN and len(self._consumers.get(topic, ())) >= FOLLOWERS:
            return False
        self._consumers[topic].add(consumer)
        self._report_open()
        return True

    def unsubscribe(self, topic: str, consumer: Consumer) -> None:
        self._consumers[topic].discard(consumer)
        if not self._consumers[topic]:
            del self._consumers[topic]
        self._report_open()

    def _report_open(self) -> None:
        if metrics.is_on():
            kitchen = len(self._consumers.get(KITCHEN, ()))
            metrics.open_displays("kitchen", kitchen)
            metrics.open_displays("order", sum(map(len, self._consumers.values())) - kitchen)

    async def _run(self) -> None:
        try:
            await self._listen()
        except (psycopg.Error, Error, OSError, TimeoutError) as error:
            log.warning("The kitchen channel lost the database: %s", error)
        finally:
            self._task = None
            self._ready.clear()
            await self._disconnect_all()

    async def _listen(self) -> None:
        parameters = connections["default"].get_connection_params()
        for name in ("cursor_factory", "context", "prepare_threshold"):  # of Django's own, synchronous connection
            parameters.pop(name, None)
        connection = await Connection.connect(autocommit=True, **parameters)
        try:
            await connection.execute(f"LISTEN {CHANNEL}")
            self._ready.set()
            while True:
                async for notification in connection.notifies(timeout=CHECK_EVERY):
                    await self._broadcast(json.loads(notification.payload))
                await connection.execute("SELECT 1")
        finally:
            connection.pgconn.finish()  # says no goodbye: the server may be silent

    async def _broadcast(self, event: dict[str, Any]) -> None:
        topics = [KITCHEN] if event["type"] == NEW_ORDER else [KITCHEN, event["orderId"]]
        consumers = [each for topic in topics for each in self._consumers.get(topic, ())]
        if not consumers:
            return
        if event["type"] == NEW_ORDER:
            event = {"type": NEW_ORDER, "order": await database_sync_to_async(_ticket)(event["orderId"])}
        text = JSONRenderer().render(event).decode()
        await _gather(consumer.send(text_data=text) for consumer in consumers)

    async def _disconnect_all(self) -> None:
        consumers = [each for subscribed in self._consumers.values() for each in subscribed]
        await _gather(consumer.close(code=TRY_AGAIN_LATER) for consumer in consumers)


async def _gather(calls: Iterable[Awaitable[None]]) -> None:
    """Make all calls at once; a failed one does not affect the others."""
    for result in await asyncio.gather(*calls, return_exceptions=True):
        if isinstance(result, Exception):
            log.info("A WebSocket was closed before it was written to: %r", result)


def _ticket(order_id: str) -> Any:
    order = queries.orders().filter(pk=order_id).first()
    return Ticket(order).data if order else None


_listeners: dict[asyncio.AbstractEventLoop, Listener] = {}


def listener() -> Listener:
    """The listener of the running event loop."""
    return _listeners.setdefault(asyncio.get_running_loop(), Listener())
