"""A printer on a TCP port of this machine that answers as ESC/POS printers do, and fails as they do."""

import contextlib
import re
import socket
import threading
import time
from dataclasses import dataclass, field

from tests.servers import PATIENCE

CUT = b"\x1dV\x01"
STATUS = re.compile(rb"\x10\x04([\x01-\x04])")
IS_PRINTED = b"\x1dr\x01"
PULSE = b"\x1bp\x00\x19\xfa"
# What is no text: initialise, sizes and styles, code pages, feeds.
COMMANDS = re.compile(rb"\x1b@|\x1b[EatdM].|\x1d[!Ba].|\x00", re.DOTALL)


@dataclass
class FakePrinter:
    """`dockets`: the bytes of each docket that was cut, in order; `pulses` opened the drawer.

    `breaks_after`: it closes the connection after so many bytes of the next docket, once.
    """

    port: int = 0
    has_paper: bool = True
    cover_is_open: bool = False
    answers: bool = True  # status queries
    knows_is_printed: bool = True  # GS r
    delay: float = 0.0  # seconds before each answer
    runs_out_after: int = 0  # dockets; the paper ends in the middle of the next one
    breaks_after: int = 0
    dockets: list[bytes] = field(default_factory=list)
    pulses: int = 0
    connections: int = 0

    def __post_init__(self) -> None:
        self._listener: socket.socket | None = None
        self._open: set[socket.socket] = set()
        self._changed = threading.Condition()
        self.on()

    def on(self) -> None:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen(16)
        self.port = listener.getsockname()[1]
        self._listener = listener
        threading.Thread(target=self._accept, args=[listener], daemon=True).start()

    def off(self) -> None:
        listener, self._listener = self._listener, None
        for each in (listener, *list(self._open)):
            if each is not None:
                _end(each)

    def texts(self) -> list[str]:
        """The dockets as text in ASCII."""
        return [COMMANDS.sub(b"", docket).decode("ascii", "replace") for docket in self.dockets]

    def wait_for(self, number: int, patience: float = PATIENCE) -> list[str]:
        """The texts, as soon as there are so many dockets."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.dockets) >= number, patience), self.texts()
        return self.texts()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.add(connection)
            threading.Thread(target=self._serve, args=[connection], daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        buffer = b""
        try:
            while data := connection.recv(4096):
                # Status queries are answered at once, also in front of what is printed.
                for query in STATUS.findall(data):
                    self._answer(connection, self._status(query[0]))
                buffer = self._print(connection, buffer + STATUS.sub(b"", data))
        except OSError:
            pass
        finally:
            self._open.discard(connection)
            _end(connection)

    def _status(self, number: int) -> int:
        if number == 1:
            return 0x12 if self._can_print else 0x1A
        if number == 2:
            return 0x12 | (0x04 if self.cover_is_open else 0) | (0 if self.has_paper else 0x20)
        return 0x12 if self.has_paper else 0x72

    @property
    def _can_print(self) -> bool:
        return self.has_paper and not self.cover_is_open

    def _answer(self, connection: socket.socket, byte: int) -> None:
        time.sleep(self.delay)
        if self.answers:
            connection.sendall(bytes([byte]))

    def _print(self, connection: socket.socket, buffer: bytes) -> bytes:
        """What is left of it."""
        self.pulses += buffer.count(PULSE)
        buffer = buffer.replace(PULSE, b"")
        if self.breaks_after and len(buffer) >= self.breaks_after:
            self.breaks_after = 0
            raise ConnectionError
        while self._can_print and CUT in buffer:
            docket, _, buffer = buffer.partition(CUT)
            if self.runs_out_after and len(self.dockets) == self.runs_out_after:
                self.has_paper, self.runs_out_after = False, 0
                return b""
            with self._changed:
                self.dockets.append(docket.replace(IS_PRINTED, b""))
                self._changed.notify_all()
        if self._can_print and IS_PRINTED in buffer:
            buffer = buffer.replace(IS_PRINTED, b"")
            if self.knows_is_printed:
                self._answer(connection, 0x00)
        return buffer


def _end(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
