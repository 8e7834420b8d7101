"""WebSocket consumers. See "Kitchen channel" in docs/behaviour/restaurant.md."""

import asyncio
import logging
from collections import Counter, defaultdict

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from restaurant.listener import FLOOR, KITCHEN, TRY_AGAIN_LATER, listener
from restaurant.ordering.queries.orders import order_exists
from restaurant.staff import CLOSE_SESSION, WORK_KITCHEN
from web.credentials import Credential

log = logging.getLogger(__name__)

CHECK_EVERY = 1.0  # seconds between checks of the right to see what a display shows
NO_LONGER_ALLOWED = 4403  # close code, from the range for applications
FOLLOWERS_PER_ADDRESS = 300  # the phones of a full house share one


class OrdersConsumer(AsyncWebsocketConsumer):
    """A WebSocket that sends the events of one topic. Messages from the client are ignored."""

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


class StaffConsumer(OrdersConsumer):
    """A topic for staff who have a permission, for as long as they have it."""

    permission = ""
    staff_topic = ""

    async def connect(self) -> None:
        self.credential: Credential = self.scope["credential"]
        if await may(self.credential, self.permission):
            await self.subscribe(self.staff_topic)
            displays().add(self)
        else:
            await self.close()

    async def disconnect(self, code: int) -> None:
        displays().discard(self)
        await super().disconnect(code)

    async def expel(self, code: int) -> None:
        """Send nothing more, and close."""
        listener().unsubscribe(self.staff_topic, self)
        await self.close(code=code)


class KitchenConsumer(StaffConsumer):
    """All orders, for staff of the kitchen."""

    permission = WORK_KITCHEN
    staff_topic = KITCHEN


class FloorConsumer(StaffConsumer):
    """Changes on the floor, for staff who may see it."""

    permission = CLOSE_SESSION
    staff_topic = FLOOR


_followers: Counter[str] = Counter()  # by address


class GuestOrderConsumer(OrdersConsumer):
    """The status of one order, for everyone who knows its id."""

    address = ""  # while it is counted

    async def connect(self) -> None:
        order_id = self.scope["url_route"]["kwargs"]["order_id"].lower()
        if _followers[self.scope["client_address"]] >= FOLLOWERS_PER_ADDRESS:  # the page polls instead
            await self.close()
            return
        self.address = self.scope["client_address"]
        _followers[self.address] += 1
        if await database_sync_to_async(order_exists)(order_id):
            await self.subscribe(order_id)
        else:
            await self.close()

    async def close(self, code: int | bool | None = None, reason: str | None = None) -> None:
        self._uncount()
        await super().close(code, reason)

    async def disconnect(self, code: int) -> None:
        self._uncount()
        await super().disconnect(code)

    def _uncount(self) -> None:
        _followers.subtract([self.address] if self.address else [])
        if not _followers[self.address]:
            del _followers[self.address]
        self.address = ""


# --- the right to see what staff see ------------------------------------------------------------------


@database_sync_to_async
def may(credential: Credential, permission: str) -> bool:
    return bool(credential.user().has_perm(permission))


class Displays:
    """The open displays of staff in this process. Those whose right has ended are closed.

    Displays with the same credential are checked together, and one credential at a time: the thread that reads the
    database also reads the orders to send.
    """

    def __init__(self) -> None:
        self._open: dict[tuple[Credential, str], set[StaffConsumer]] = defaultdict(set)
        self._task: asyncio.Task[None] | None = None

    def add(self, display: StaffConsumer) -> None:
        self._open[display.credential, display.permission].add(display)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._check())

    def discard(self, display: StaffConsumer) -> None:
        key = display.credential, display.permission
        self._open[key].discard(display)
        if not self._open[key]:
            del self._open[key]

    async def _check(self) -> None:
        while self._open:
            await asyncio.sleep(CHECK_EVERY)
            for key in list(self._open):
                code = await _reason_to_close(*key)
                if code:
                    expelled = self._open.pop(key, set())
                    await asyncio.gather(*(display.expel(code) for display in expelled), return_exceptions=True)


async def _reason_to_close(credential: Credential, permission: str) -> int:
    """A close code; 0 if there is none."""
    try:
        return 0 if await may(credential, permission) else NO_LONGER_ALLOWED
    except Exception as error:  # the database is away: nobody knows who may see the orders
        log.warning("The rights of a display can't be checked: %r", error)
        return TRY_AGAIN_LATER


_displays: dict[asyncio.AbstractEventLoop, Displays] = {}


def displays() -> Displays:
    """The displays of the running event loop."""
    return _displays.setdefault(asyncio.get_running_loop(), Displays())
