"""Passes events from PostgreSQL's NOTIFY on to the WebSocket consumers of this process.

One database connection per process listens. Consumers are accepted only while it does, and are disconnected when it
is lost: on reconnecting, a display reads the open orders again and so misses nothing.
"""

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Protocol

import psycopg
from channels.db import database_sync_to_async
from django.db import Error, connections

from restaurant.events import CHANNEL, FLOOR_UPDATE, KITCHEN_UPDATE, NEW_ORDER, ORDER_UPDATE
from restaurant.kitchen.serializers import Ticket
from restaurant.ordering.queries.orders import orders_with_items
from web import metrics
from web.rendering import JSONRenderer

log = logging.getLogger(__name__)

READY_WITHIN = 4.0  # seconds
CHECK_EVERY = 1.5  # seconds between checks of the database connection
SILENT_AFTER = 2.0  # seconds without an answer to a check
FOLLOWERS = 40  # consumers of one order: the phones of a large table

FLOOR_EVERY = 0.25  # seconds between notifications of the floor

KITCHEN = "kitchen"
FLOOR = "floor"
STAFF = (KITCHEN, FLOOR)
TRY_AGAIN_LATER = 4503  # close code, from the range for applications


class Consumer(Protocol):
    """An open WebSocket."""

    async def send(
        self, text_data: str | None = None, bytes_data: bytes | None = None, close: bool = False
    ) -> None: ...
    async def close(self, code: int | None = None, reason: str | None = None) -> None: ...


class Connection(psycopg.AsyncConnection[Any]):
    """A connection that gives up a server that does not answer: the next one may."""

    async def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        return await super().wait(gen, interval, timeout or SILENT_AFTER)


class Listener:
    """The consumers of this process, by their topic: KITCHEN, FLOOR, or the id of one order."""

    def __init__(self) -> None:
        self._floor_tasks: set[asyncio.Task[None]] = set()
        self._floor_is_due = False  # a task is about to notify the floor
        self._floor_notified_at = 0.0  # by the event loop's clock
        self._consumers: dict[str, set[Consumer]] = defaultdict(set)
        self._task: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()

    async def subscribe(self, topic: str, consumer: Consumer) -> bool:
        """Subscribe. False without a connection to the database, and if the order has enough followers."""
        if self._task is None:
            self._ready.clear()
            self._task = asyncio.create_task(self._run())
        try:
            await asyncio.wait_for(self._ready.wait(), READY_WITHIN)
        except TimeoutError:
            return False
        if topic not in STAFF and len(self._consumers.get(topic, ())) >= FOLLOWERS:
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
            counts = {topic: len(self._consumers.get(topic, ())) for topic in STAFF}
            for topic, count in counts.items():
                metrics.open_displays(topic, count)
            metrics.open_displays("order", sum(map(len, self._consumers.values())) - sum(counts.values()))

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
        # A pooler passes no notifications on.
        direct = connections["direct" if "direct" in connections else "default"]
        parameters = direct.get_connection_params()
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
            connection.pgconn.finish()  # without a farewell, for which a silent server would let it wait

    async def _broadcast(self, event: dict[str, Any]) -> None:
        self._notify_floor()
        if event["type"] == FLOOR_UPDATE:
            return
        if event["type"] == KITCHEN_UPDATE:
            await _send(self._consumers.get(KITCHEN, ()), event)
            return
        for_kitchen = event.pop("forKitchen", True)
        kitchen = self._consumers.get(KITCHEN) if for_kitchen else None
        if kitchen:
            message = event
            if event["type"] in (NEW_ORDER, ORDER_UPDATE):
                message = {"type": event["type"], "order": await database_sync_to_async(_ticket)(event["orderId"])}
            await _send(kitchen, message)
        followers = self._consumers.get(event["orderId"])
        if followers and event["type"] != NEW_ORDER:
            await _send(followers, event)

    def _notify_floor(self) -> None:
        """Notify the floor at once, or FLOOR_EVERY after the last time: then of all changes since."""
        if not self._consumers.get(FLOOR) or self._floor_is_due:
            return
        self._floor_is_due = True
        loop = asyncio.get_running_loop()
        wait = max(0.0, self._floor_notified_at + FLOOR_EVERY - loop.time())

        async def notify() -> None:
            await asyncio.sleep(wait)
            # Before sending: changes from here on are notified again.
            self._floor_notified_at, self._floor_is_due = loop.time(), False
            await _send(self._consumers.get(FLOOR, ()), {"type": FLOOR_UPDATE})

        task = asyncio.create_task(notify())
        self._floor_tasks.add(task)
        task.add_done_callback(self._floor_tasks.discard)

    async def _disconnect_all(self) -> None:
        closing = [consumer.close(code=TRY_AGAIN_LATER) for topic in self._consumers.values() for consumer in topic]
        for result in await asyncio.gather(*closing, return_exceptions=True):
            if isinstance(result, Exception):
                log.info("A WebSocket was closed before it was written to: %r", result)


async def _send(consumers: Iterable[Consumer], event: dict[str, Any]) -> None:
    text = JSONRenderer().render(event).decode()
    for consumer in list(consumers):  # in turn: sending never waits for a client
        try:
            await consumer.send(text_data=text)
        except Exception as error:  # of one, which does not affect the others
            log.info("A WebSocket was closed before it was written to: %r", error)


def _ticket(order_id: str) -> Any:
    order = orders_with_items().filter(pk=order_id).first()
    return Ticket(order).data if order else None


_listeners: dict[asyncio.AbstractEventLoop, Listener] = {}


def listener() -> Listener:
    """The listener of the running event loop."""
    return _listeners.setdefault(asyncio.get_running_loop(), Listener())
