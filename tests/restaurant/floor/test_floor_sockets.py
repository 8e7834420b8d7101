"""The floor's socket path: it says that something has changed, to those who may see the floor."""

from contextlib import suppress
from uuid import uuid4

import pytest
from django.db import transaction
from rest_framework.test import APIClient
from websockets.exceptions import ConnectionClosed

from config.models import StaffToken
from restaurant import events
from restaurant.models import OrderingRules, TableCall, TableSession
from tests.conftest import make_table, order_body, own_queries
from tests.restaurant.kitchen.displays import connect_display, receive, token_of
from tests.servers import PATIENCE

UPDATE = {"type": "floor_update"}


@pytest.mark.django_db
def test_every_change_of_the_floor_is_announced(session, soup, floor):
    """Whatever is announced, to anybody, is told to the floor."""
    guest = APIClient()
    make_table(8)
    OrderingRules(gate="approved").save()

    def order():
        return guest.post("/table/7/order", order_body(session, (soup, 2)), format="json")

    held, refused = order().json()["orderId"], order().json()["orderId"]
    body = {"sessionId": str(session.pk)}
    changes = {
        "scan": lambda: guest.get("/table/8"),
        "call": lambda: guest.post("/table/7/calls", body | {"kind": "bill"}, format="json"),
        "done": lambda: floor.post(f"/calls/{TableCall.objects.get().pk}/done"),
        "order": order,
        "approve": lambda: floor.post(f"/orders/{held}/approve"),
        "ready": lambda: floor.post(f"/orders/{held}/status", {"status": "ready"}, format="json"),
        "refuse": lambda: floor.post(f"/orders/{refused}/cancel", {"reason": "mistake"}, format="json"),
        "move": lambda: floor.post("/table/7/move", body | {"to": 8}, format="json"),
        "close": lambda: floor.post(
            "/table/8/close", {"sessionId": str(TableSession.objects.open().get().pk)}, format="json"
        ),
    }
    silent = []
    for name, change in changes.items():
        with own_queries() as queries:
            assert change().status_code in {200, 201}, name
        if not any("pg_notify" in query for query in queries):
            silent.append(name)
    assert silent == []


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_many_changes_at_once_are_told_a_few_times(transactional_db, sockets_port):
    user, key = token_of("Floor")
    with connect_display(sockets_port, key, "/floor") as socket:
        with transaction.atomic():
            events.floor_update()
        assert receive(socket) == UPDATE
        with transaction.atomic():
            for _ in range(30):
                events.status_update(uuid4(), "ready")
        assert receive(socket) == UPDATE
        StaffToken.objects.filter(user=user).delete()  # so the socket is closed, after all that it is told
        told = 1
        with suppress(ConnectionClosed):
            while socket.recv(timeout=PATIENCE):
                told += 1
        assert told < 15
