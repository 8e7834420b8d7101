"""WebSocket consumers. See "Kitchen channel" in docs/behaviour.md."""

import asyncio
import logging
from collections import Counter, defaultdict

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from restaurant import queries
from restaurant.listener import KITCHEN, TRY_AGAIN_LATER, listener
from web.credentials import Credential

log = logging.getLogger(__name__)

WORK_KITCHEN = "restaurant.work_kitchen"
CHECK_EVERY = 3.0  # seconds between checks of the right to see the kitchen's orders
NO_LONGER_ALLOWED = 4403  # close code, from the range for applications
FOLLOWERS_PER_ADDRESS = 300  # the phones of a full house share one


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
        self.credential: Credential = self.scope["credential"]
        if await may_work_kitchen(self.credential):
            await self.subscribe(KITCHEN)
            displays().add(self)
        else:
            await self.close()

    async def disconnect(self, code: int) -> None:
        displays().discard(self)
        await super().disconnect(code)

    async def expel(self, code: int) -> None:
        """Send nothing more, and close."""
        listener().unsubscribe(KITCHEN, self)
        await self.close(code=code)


_followers: Counter[str] = Counter()  # by address


class GuestOrderConsumer(OrdersConsumer):
    """The status of one order, for everyone who knows its id."""

    address = ""  # while it is counted

    async def connect(self) -> None:
        order_id = self.scope["url_route"]["kwargs"]["order_id"].lower()
        address = self.scope["client_address"]
        if _followers[address] >= FOLLOWERS_PER_ADDRESS:  # the page polls instead
            await self.close()
            return
        self.address = address
        _followers[address] += 1
        if await database_sync_to_async(queries.order_exists)(order_id):
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


# --- the right to see the kitchen's orders ------------------------------------------------------------


@database_sync_to_async
def may_work_kitchen(credential: Credential) -> bool:
    return bool(credential.user().has_perm(WORK_KITCHEN))


class Displays:
    """The open kitchen displays of this process. It closes those whose right has ended.

    Displays with the same credential are checked together, and one credential at a time: the thread that reads the
    database also reads the orders to send.
    """

    def __init__(self) -> None:
        self._open: dict[Credential, set[KitchenConsumer]] = defaultdict(set)
        self._task: asyncio.Task[None] | None = None

    def add(self, display: KitchenConsumer) -> None:
        self._open[display.credential].add(display)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._check())

    def discard(self, display: KitchenConsumer) -> None:
        self._open[display.credential].discard(display)
        if not self._open[display.credential]:
            del self._open[display.credential]

    async def _check(self) -> None:
        while self._open:
            await asyncio.sleep(CHECK_EVERY)
            for credential in list(self._open):
                code = await _reason_to_close(credential)
                if code:
                    expelled = self._open.pop(credential, set())
                    await asyncio.gather(*(each.expel(code) for each in expelled), return_exceptions=True)


async def _reason_to_close(credential: Credential) -> int:
    """A close code; 0 if there is none."""
    try:
        return 0 if await may_work_kitchen(credential) else NO_LONGER_ALLOWED
    except Exception as error:  # the database is away: nobody knows who may see the orders
        log.warning("The rights of a kitchen display can't be checked: %r", error)
        return TRY_AGAIN_LATER


_displays: dict[asyncio.AbstractEventLoop, Displays] = {}


def displays() -> Displays:
    """Those of the running event loop."""
    return _displays.setdefault(asyncio.get_running_loop(), Displays())
