"""Bounded load: guests who order, tills that award points, phones that scan, and displays that read every order.

Guests and tills repeat a call with the same Idempotency-Key until it is answered, as a phone does. So after a fault
every key must count exactly once.
"""

import json
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import requests
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.servers import Installation

PAUSE = 0.2  # seconds between two calls of one client
TIMEOUT = 15  # seconds
IPHONE = {"User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)"}


@dataclass
class Seen:
    """What the clients were answered."""

    orders: set[str] = field(default_factory=set)
    awards: set[str] = field(default_factory=set)  # their keys
    scans: int = 0
    tried_scans: int = 0
    wrong: Counter[str] = field(default_factory=Counter)  # answers that nobody should get
    longest: float = 0.0  # seconds until an answer


class Load:
    """Runs from `start` to `stop`; `seen` is complete after that."""

    def __init__(self, installation: Installation, prepared: dict) -> None:
        self.base, self.sockets = installation.base, installation.sockets
        self.prepared = prepared
        self.seen = Seen()
        self.displays = [Display(self, number) for number in range(3)]
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        guests = [lambda guest=guest: self._guest(*guest) for guest in enumerate(prepared["sessions"], start=1)]
        tills = [lambda member=member: self._till(member) for member in prepared["members"]]
        self._threads = [threading.Thread(target=client, daemon=True) for client in (*guests, *tills, self._phone)]

    def start(self) -> "Load":
        for display in self.displays:
            display.start()
        for thread in self._threads:
            thread.start()
        return self

    def stop(self) -> None:
        """Every call that was begun is answered first."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(60)
        assert not any(thread.is_alive() for thread in self._threads), "a client was never answered"

    # --- clients ---

    def _guest(self, number: int, session: str) -> None:
        body = {"sessionId": session, "items": [{"menuItemId": self.prepared["item"]}]}
        while not self._stopping.is_set():
            answer = self._until_answered(f"/table/{number}/order", body, uuid.uuid4().hex)
            with self._lock:
                self.seen.orders.add(answer["orderId"])
            time.sleep(PAUSE)

    def _till(self, member: str) -> None:
        body = {"customerId": member, "locationId": self.prepared["location"], "orderTotal": 10}
        while not self._stopping.is_set():
            key = uuid.uuid4().hex
            self._until_answered("/earn", body, key)
            with self._lock:
                self.seen.awards.add(key)
            time.sleep(PAUSE)

    def _phone(self) -> None:
        while not self._stopping.is_set():
            self.seen.tried_scans += 1
            with suppress(requests.RequestException):
                response = self._timed(lambda: requests.get(
                    f"{self.base}/q/{self.prepared['slug']}", headers=IPHONE, timeout=TIMEOUT, allow_redirects=False
                ))  # fmt: skip
                self.seen.scans += response.status_code == 302
            time.sleep(PAUSE)

    def _until_answered(self, path: str, body: dict, key: str) -> dict:
        headers = {"Authorization": f"Token {self.prepared['token']}", "Idempotency-Key": key}
        if path != "/earn":
            del headers["Authorization"]
        while True:
            with suppress(requests.RequestException):
                response = self._timed(
                    lambda: requests.post(self.base + path, json=body, headers=headers, timeout=TIMEOUT)
                )
                if response.status_code == 200:
                    return response.json()
            time.sleep(PAUSE)

    def _timed(self, call: Callable[[], requests.Response]) -> requests.Response:
        began = time.monotonic()
        try:
            response = call()
        finally:
            self.seen.longest = max(self.seen.longest, time.monotonic() - began)
        is_refusal = response.status_code == 503 and "Retry-After" in response.headers
        if response.status_code not in {200, 302} and not is_refusal:
            with self._lock:
                self.seen.wrong[str(response.status_code)] += 1
        return response


class Display(threading.Thread):
    """A kitchen display: reads the open orders at every connection, then what the socket sends. It does not poll."""

    def __init__(self, load: Load, number: int) -> None:
        super().__init__(daemon=True)
        self.load, self.number = load, number
        self.seen: set[str] = set()
        self.sent_away = 0
        self.connected = threading.Event()

    def run(self) -> None:
        token = self.load.prepared["token"]
        while True:
            with suppress(OSError, WebSocketException, requests.RequestException, ValueError, KeyError):
                self._follow(token)
            self.connected.clear()
            self.sent_away += 1
            time.sleep(PAUSE)

    def _follow(self, token: str) -> None:
        """Until the connection ends."""
        with connect(f"{self.load.sockets}/?token={token}", open_timeout=10, close_timeout=1) as socket:
            self._read_open_orders(token)
            self.connected.set()
            for message in socket:
                self._receive(json.loads(message))

    def _read_open_orders(self, token: str) -> None:
        headers = {"Authorization": f"Token {token}"}
        answer = requests.get(f"{self.load.base}/kitchen", headers=headers, timeout=TIMEOUT).json()
        self.seen.update(order["orderId"] for order in answer["orders"])

    def _receive(self, message: dict) -> None:
        if message["type"] == "new_order":
            self.seen.add(message["order"]["orderId"])
