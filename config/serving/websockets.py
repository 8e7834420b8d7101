"""Daphne, which here ends connections that are no WebSockets, and sends to many displays at once."""

import asyncio
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import daphne.server  # first: it chooses Twisted's event loop
from daphne import http_protocol, ws_protocol
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.internet import reactor, task
from twisted.protocols.policies import ProtocolWrapper, WrappingFactory

from config.serving import heartbeat
from web.proxies import is_trusted

HANDSHAKE_WITHIN = 10.0  # seconds
WAITING_PER_ADDRESS = 32  # connections of one address that are no WebSockets yet
LARGEST_MESSAGE = 4096  # bytes from a client; nothing that clients send is used

_REFUSAL = b'{"error": "This is the kitchen\'s WebSocket server. Pages and JSON are on another port."}'
_HEAD = (
    b"HTTP/1.1 426 Upgrade Required\r\nContent-Type: application/json\r\nUpgrade: websocket\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n" % len(_REFUSAL)
)


class Request(WebRequest):
    """A handshake. Anything else is refused at its headers: Twisted would read a body into memory or a file first."""

    def gotLength(self, length: int | None) -> None:
        super().gotLength(0)
        upgrade = self.requestHeaders.getRawHeaders(b"Upgrade", [b""])[0]
        if length != 0 or upgrade.lower() != b"websocket":
            self.process = lambda: None
            self.channel.transport.write(_HEAD + _REFUSAL)
            self.channel.loseConnection()


class Handshakes(HTTPFactory):
    def buildProtocol(self, addr: Any) -> Any:
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = Request
        return protocol


class Display(WebSocketProtocol):
    """A WebSocket. What is sent to many displays in turn is framed once."""

    def serverSend(self, content: Any, binary: bool = False) -> None:
        if binary or self.state != self.STATE_OPEN:
            super().serverSend(content, binary)
        else:
            self.sendPreparedMessage(self.factory.framed(content))


class Displays(WebSocketFactory):
    protocol = Display

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._last: tuple[str, Any] = ("", self.prepareMessage(b""))

    def framed(self, text: str) -> Any:
        if text != self._last[0]:
            self._last = (text, self.prepareMessage(text.encode()))
        return self._last[1]


class Connection(ProtocolWrapper):
    """A connection, before and after it becomes a WebSocket."""

    def write(self, data: bytes) -> None:
        """Hand to the network what it takes at once, the rest to Twisted.

        Twisted itself would begin in its next turn, with two more system calls for each connection: half the time
        that an order takes to a hundred displays.
        """
        transport: Any = self.transport  # a TCP connection
        if transport.connected and not (transport.dataBuffer or transport._tempDataBuffer):
            sent = transport.writeSomeData(data)
            if isinstance(sent, int):  # else an error: Twisted finds it again, and ends the connection
                data = data[sent:]
        if data:
            transport.write(data)

    @property
    def is_waiting(self) -> bool:
        return self.wrappedProtocol is not None and not isinstance(self.wrappedProtocol, WebSocketProtocol)

    def end_if_waiting(self) -> None:
        if self.is_waiting:
            self.abortConnection()  # the transport's


class Connections(WrappingFactory):
    """Ends connections that have not become WebSockets in time, and the oldest of an address that has too many.

    Not a new one: so a display gets in, also where its own address is flooded.
    """

    protocol = Connection

    def __init__(self, wrapped: HTTPFactory) -> None:
        super().__init__(wrapped)
        self._waiting: dict[str, list[Connection]] = {}

    def registerProtocol(self, p: Connection) -> None:
        super().registerProtocol(p)
        asyncio.get_event_loop().call_later(HANDSHAKE_WITHIN, p.end_if_waiting)
        host = p.getPeer().host
        if is_trusted(host):
            return
        waiting = [connection for connection in self._waiting.get(host, []) if connection.is_waiting]
        for oldest in waiting[: max(0, len(waiting) + 1 - WAITING_PER_ADDRESS)]:
            oldest.end_if_waiting()
        self._waiting[host] = [*waiting, p]

    def unregisterProtocol(self, p: Connection) -> None:
        super().unregisterProtocol(p)
        waiting = self._waiting.get(p.getPeer().host, [])
        if p in waiting:
            waiting.remove(p)
        if not waiting:
            self._waiting.pop(p.getPeer().host, None)


def _measure_by_monotonic_time() -> None:
    """Twisted and Daphne measure by the wall clock: set back by an hour, it would let no timer run for an hour.

    Private, as there is no other way: tests/config/check_serving_processes.py fails without.
    """
    timers: Any = reactor
    timers.seconds = time.monotonic
    for module in (daphne.server, http_protocol, ws_protocol):
        module.time = SimpleNamespace(time=time.monotonic)


def serve(application: Callable[..., Any], endpoint: str) -> None:
    # Private: Daphne offers no other way to its factories. tests/config/test_serving_sockets.py fails without.
    daphne.server.HTTPFactory = lambda server: Connections(Handshakes(server))
    daphne.server.WebSocketFactory = Displays
    _measure_by_monotonic_time()
    daphne.server.Server(
        application,
        endpoints=[endpoint],
        server_name="regulars",
        http_timeout=HANDSHAKE_WITHIN,
        websocket_connect_timeout=HANDSHAKE_WITHIN,
        websocket_max_message_size=LARGEST_MESSAGE,
        websocket_max_frame_size=LARGEST_MESSAGE,
        application_close_timeout=2,
        ready_callable=lambda: task.LoopingCall(heartbeat.beat).start(heartbeat.EVERY),
    ).run()
