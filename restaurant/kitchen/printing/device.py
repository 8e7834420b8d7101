"""A printer on the network: sending to it, and reading its answers.

The library's own connection has one timeout for everything, knows no IPv6, and sends a docket in many small parts.
"""

import socket
import time
from dataclasses import dataclass
from enum import Enum

from django.utils.translation import gettext as _

STATUS = b"\x10\x04%c"  # DLE EOT n: answered at once, whatever else the printer is doing
PRINTER, OFFLINE_CAUSE, PAPER = 1, 2, 4
IS_OFFLINE = 0x08
COVER_IS_OPEN, PAPER_HAS_ENDED, HAS_ERROR = 0x04, 0x20, 0x40
NO_PAPER = 0x60
# GS r 1: answered when everything before it has been printed. Not every printer knows it.
IS_PRINTED = b"\x1dr\x01"


class Trouble(Exception):
    """The printer can't print, or did not say that it has. The message is for staff."""


class Answer(Enum):
    """A kind of answer, known by the fixed bits of its byte, as (mask, value)."""

    STATUS = (0x93, 0x12)
    PRINTED = (0x90, 0x00)

    def matches(self, byte: int) -> bool:
        mask, value = self.value
        return byte & mask == value


@dataclass(frozen=True, slots=True)
class Patience:
    """The times to wait, in seconds."""

    connect: float = 2.0
    send: float = 10.0
    answer: float = 3.0
    line: float = 0.25  # more for each line of a docket: the slowest print four a second
    poll: float = 1.0  # between looks at the database, without a notification
    pause: float = 0.5  # after the first failure; doubled by each further one
    longest_pause: float = 5.0
    longest_after_copy: float = 60.0  # where paper is used by each attempt
    stop: float = 1.5  # for a docket that is being printed when the process has to end


class Device:
    def __init__(self, host: str, port: int, patience: Patience) -> None:
        self.address = (host, port)
        self._patience = patience
        self._socket: socket.socket | None = None
        self._is_printed = False  # whether the last docket is, by the printer's own word
        self._knows_is_printed: bool | None = None  # None: it has not been tried

    @property
    def is_open(self) -> bool:
        return self._socket is not None

    def open(self) -> None:
        """Raises Trouble, also if the printer is there and can't print."""
        try:
            self._socket = socket.create_connection(self.address, timeout=self._patience.connect)
        except (OSError, ValueError, OverflowError) as error:  # ValueError: a name that can't be one
            raise Trouble(_("The printer can't be reached: it is off, or its address is wrong.")) from error
        self.check()

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def check(self) -> None:
        """Raises Trouble unless the printer says that it can print."""
        cause = self._ask(OFFLINE_CAUSE)
        if cause & PAPER_HAS_ENDED or self._ask(PAPER) & NO_PAPER:
            raise Trouble(_("The printer is out of paper."))
        if cause & COVER_IS_OPEN:
            raise Trouble(_("The printer's cover is open."))
        if cause & HAS_ERROR:
            raise Trouble(_("The printer reports an error."))
        if self._ask(PRINTER) & IS_OFFLINE:
            raise Trouble(_("The printer is switched to offline."))

    def print(self, docket: bytes, lines: int) -> None:
        """Return when the printer says that all is well after the docket. Raises Trouble."""
        self._is_printed = False
        self._send(docket if self._knows_is_printed is False else docket + IS_PRINTED)
        until = time.monotonic() + self._patience.answer + self._patience.line * lines
        while self._knows_is_printed is not False and not self._is_printed:
            if self._await(Answer.PRINTED, min(until, time.monotonic() + self._patience.poll)) is None:
                self.check()
                if time.monotonic() > until:
                    break
        if self._is_printed:
            self._knows_is_printed = True
        elif self._knows_is_printed:
            raise Trouble(_("The printer did not say that it has printed."))
        else:
            self._knows_is_printed = False
        self.check()

    def _send(self, data: bytes) -> None:
        assert self._socket is not None  # noqa: S101 (for the type checker)
        self._socket.settimeout(self._patience.send)
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise Trouble(_("The connection to the printer broke off.")) from error

    def _ask(self, number: int) -> int:
        """The answer to DLE EOT."""
        self._send(STATUS % number)
        answer = self._await(Answer.STATUS, time.monotonic() + self._patience.answer)
        if answer is None:
            raise Trouble(_("The printer does not answer."))
        return answer

    def _await(self, wanted: Answer, until: float) -> int | None:
        """The next answer of this kind; None if there was none in time."""
        while (byte := self._receive(until)) is not None:
            if Answer.PRINTED.matches(byte):
                self._is_printed = True
            if wanted.matches(byte):
                return byte
        return None

    def _receive(self, until: float) -> int | None:
        assert self._socket is not None  # noqa: S101 (for the type checker)
        left = until - time.monotonic()
        if left <= 0:
            return None
        self._socket.settimeout(left)
        try:
            data = self._socket.recv(1)
        except TimeoutError:
            return None
        except OSError as error:
            raise Trouble(_("The connection to the printer broke off.")) from error
        if not data:
            raise Trouble(_("The connection to the printer broke off."))
        return data[0]
