"""How long after the response is an order on 100 kitchen displays, compared with a bare `websockets` server?

    .venv/bin/python -m tests.benchmarks.displays

100 clients in one process, on one socket process of ours and then on the bare server; 60 messages, one after the
other, of the same length. From the moment the response is read to the moment a client has the message; medians.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, broadcast, serve

from tests.benchmarks import orders
from tests.benchmarks.figures import record
from tests.servers import ROOT, Installation, free_port, installed, is_listening, wait_for

DISPLAYS = 100
MESSAGES = 60
ROUNDS = 3


# --- the reference ----------------------------------------------------------------------------------


async def bare(socket_port: int, line_port: int) -> None:
    """Broadcasts every line that it receives, and acknowledges it."""
    clients: set[ServerConnection] = set()

    async def subscribe(client: ServerConnection) -> None:
        clients.add(client)
        await client.wait_closed()
        clients.discard(client)

    async def lines(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(b"ok\n")
            broadcast(clients, line.decode().rstrip())

    await asyncio.start_server(lines, "127.0.0.1", line_port, limit=2**20)
    async with serve(subscribe, "127.0.0.1", socket_port):
        await asyncio.get_running_loop().create_future()


# --- the clients ------------------------------------------------------------------------------------


class Room:
    """100 connected displays."""

    def __init__(self) -> None:
        self.arrived: list[float] = []
        self.complete = asyncio.Event()

    async def open(self, address: str) -> None:
        self.sockets = await asyncio.gather(*(connect(address, max_size=None) for _ in range(DISPLAYS)))
        self.listening = [asyncio.create_task(self._listen(socket)) for socket in self.sockets]

    async def _listen(self, socket: ClientConnection) -> None:
        async for text in socket:
            moment = time.perf_counter()
            if '"new_order"' in text:
                self.arrived.append(moment)
                if len(self.arrived) == DISPLAYS:
                    self.complete.set()

    async def median_delay(self, address: str, send: Callable[[], Awaitable[float]]) -> float:
        """Return milliseconds. `send` sends one message, and returns when its response had arrived."""
        await self.open(address)
        await send()
        await asyncio.wait_for(self.complete.wait(), 20)
        delays = await self.delays(send)
        await self.close()
        return statistics.median(delays)

    async def delays(self, send: Callable[[], Awaitable[float]]) -> list[float]:
        """How long after the response each display has each message, in milliseconds."""
        delays = []
        for _ in range(MESSAGES):
            self.arrived.clear()
            self.complete.clear()
            responded = await send()
            await asyncio.wait_for(self.complete.wait(), 20)
            delays += [(moment - responded) * 1000 for moment in self.arrived]
            await asyncio.sleep(0.05)
        return delays

    async def close(self) -> None:
        for task in self.listening:
            task.cancel()
        await asyncio.gather(*(socket.close() for socket in self.sockets))


async def of_bare(message: str) -> float:
    socket_port, line_port = free_port(), free_port()
    command = [sys.executable, "-m", "tests.benchmarks.displays", str(socket_port), str(line_port)]
    server = subprocess.Popen(command, cwd=ROOT)
    try:
        wait_for(lambda: is_listening(socket_port) and is_listening(line_port), "the bare server")
        reader, writer = await asyncio.open_connection("127.0.0.1", line_port)

        async def send() -> float:
            writer.write(message.encode() + b"\n")
            await reader.readline()
            return time.perf_counter()

        median = await Room().median_delay(f"ws://127.0.0.1:{socket_port}", send)
        writer.close()
    finally:
        server.terminate()
        server.wait(15)
    return median


async def of_ours(installation: Installation, prepared: dict) -> float:
    reader, writer = await asyncio.open_connection("127.0.0.1", installation.port)
    body = json.dumps({"sessionId": orders.session_id(1), "items": json.loads(prepared["items"])}).encode()
    head = "POST /table/1/order HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: "
    request = f"{head}{len(body)}\r\n\r\n".encode() + body

    async def send() -> float:
        writer.write(request)
        response = await reader.readuntil(b"\r\n\r\n")
        assert response.startswith(b"HTTP/1.1 200"), response
        length = int(response.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
        return time.perf_counter()

    median = await Room().median_delay(f"{installation.sockets}/?token={prepared['token']}", send)
    writer.close()
    return median


def example(installation: Installation, prepared: dict) -> str:
    """A message of ours, for the bare server to send as well."""
    from websockets.sync.client import connect as connect_now

    with connect_now(f"{installation.sockets}/?token={prepared['token']}") as display:
        orders.ordered(installation, json.loads(prepared["items"]), 32)
        return str(display.recv(timeout=20))


async def measure(installation: Installation, prepared: dict, message: str) -> None:
    ours, reference = [], []
    for number in range(ROUNDS):
        reference.append(await of_bare(message))
        ours.append(await of_ours(installation, prepared))
        print(f"round {number + 1}: bare server {reference[-1]:.1f} ms, ours {ours[-1]:.1f} ms", flush=True)
    one, other = statistics.median(ours), statistics.median(reference)
    record(f"order to {DISPLAYS} displays", one, "ms", reference=other, compared_with="bare websockets server")


def main() -> None:
    # Trusted, so that a hundred displays may connect at once from one address.
    environment = {"LIMIT_ORDERS_PER_SESSION": "999999999/min", "TRUSTED_PROXIES": "127.0.0.1"}
    with installed(options=(), environment=environment) as installation:
        prepared = json.loads(installation.shell("from tests.benchmarks import orders; orders.prepare()"))
        asyncio.run(measure(installation, prepared, example(installation, prepared)))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        asyncio.run(bare(int(sys.argv[1]), int(sys.argv[2])))
    else:
        main()
