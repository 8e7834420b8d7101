"""Kitchen displays, the floor's pages and guests' phones as programs: plain WebSocket clients of the socket server."""

import json
from collections.abc import Callable
from contextlib import closing
from itertools import takewhile
from uuid import uuid4

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from rest_framework.test import APIClient
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from config.models import StaffToken
from restaurant import events
from tests.conftest import make_user, order_body
from tests.servers import PATIENCE, database_url

OWN_PAGES = "http://127.0.0.1:8000"


def connect_display(port: int, token: str, path: str = "/") -> ClientConnection:
    return connect(f"ws://127.0.0.1:{port}{path}?token={token}")


def follow(port: int, order_id: str) -> ClientConnection:
    """As a guest's phone."""
    return connect(f"ws://127.0.0.1:{port}/orders/{order_id}")


def token_of(group: str, username: str = "") -> tuple[User, str]:
    user = make_user(group, username)
    return user, StaffToken.objects.create(user=user)[1]


def cookie_of(client: APIClient) -> dict[str, str]:
    return {"Cookie": f"staff_session={client.cookies['staff_session'].value}"}


def refused(port: int, query: str = "", **options) -> bool:
    with pytest.raises(InvalidStatus) as raised, connect(f"ws://127.0.0.1:{port}/{query}", **options):
        pass
    return raised.value.response.status_code in {400, 403}


def receive(socket: ClientConnection) -> dict:
    return json.loads(socket.recv(timeout=PATIENCE))


def heard(socket: ClientConnection, order_id: str = "") -> list[dict]:
    """All that a display has received since, or a phone that follows this order.

    An event is sent now: events arrive in their order, so what has not come before it does not come at all.
    """
    end = {"type": "status_update", "orderId": order_id or str(uuid4()), "status": f"end {uuid4()}"}
    with transaction.atomic():
        events.status_update(end["orderId"], end["status"], for_kitchen=not order_id)
    found = []
    while (message := receive(socket)) != end:
        found.append(message)
    return [message for message in found if not str(message.get("status")).startswith("end ")]  # sent for others


def close_code(socket: ClientConnection) -> int:
    """With which the server closes it; what it sends before is left out."""
    try:
        while True:
            socket.recv(timeout=PATIENCE)
    except ConnectionClosed as end:
        return end.rcvd.code if end.rcvd else 0


def place(session, *entries) -> dict:
    return APIClient().post("/table/7/order", order_body(session, *entries), format="json").json()


def announced(call: Callable[[], object]) -> list[dict]:
    """The events that are sent while `call` runs. They have to be committed."""
    with psycopg.connect(database_url(), autocommit=True) as listener:
        listener.execute(f"LISTEN {events.CHANNEL}")
        call()
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [events.CHANNEL, json.dumps({"type": "end"})])
        with closing(listener.notifies(timeout=PATIENCE)) as sent:  # it holds the connection's lock while it is open
            found = (json.loads(each.payload) for each in sent)
            return list(takewhile(lambda event: event["type"] != "end", found))
