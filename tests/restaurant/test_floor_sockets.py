"""The floor's socket path: it says that something has changed, to those who may see the floor."""

import time

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient
from websockets.exceptions import InvalidStatus

from restaurant.models import OrderingRules, TableCall, TableSession
from tests.conftest import make_item, make_table, make_user, order_body, signed_in
from tests.restaurant.test_kitchen_sockets import connect_display, receive, receives_nothing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

UPDATE = {"type": "floor_update"}


@pytest.fixture
def port(transactional_db, sockets_port) -> int:
    return sockets_port


def token_of(group: str, capsys) -> str:
    make_user(group, f"{group}-socket")
    call_command("create_token", f"{group}-socket")
    return capsys.readouterr().out.splitlines()[-1]


@pytest.fixture
def session(transactional_db) -> TableSession:
    return TableSession.objects.create(table=make_table())


def test_every_change_of_the_floor_is_told(port, session, capsys):
    floor, guest, soup = signed_in(make_user("Floor")), APIClient(), make_item()
    make_table(8)
    OrderingRules(gate="approved").save()

    def order():
        return guest.post("/table/7/order", order_body(session, (soup, 2)), format="json")

    held, refused = order().json()["orderId"], order().json()["orderId"]
    body = {"sessionId": str(session.pk)}
    changes = [
        lambda: guest.get("/table/8"),
        lambda: guest.post("/table/7/calls", body | {"kind": "bill"}, format="json"),
        lambda: floor.post(f"/calls/{TableCall.objects.get().pk}/done"),
        order,
        lambda: floor.post(f"/orders/{held}/approve"),
        lambda: floor.post(f"/orders/{held}/status", {"status": "ready"}, format="json"),
        lambda: floor.post(f"/orders/{refused}/cancel", {"reason": "mistake"}, format="json"),
        lambda: floor.post("/table/7/move", body | {"to": 8}, format="json"),
        lambda: floor.post("/table/8/close", {"sessionId": str(TableSession.objects.open().get().pk)}, format="json"),
    ]
    with connect_display(port, token_of("Floor", capsys), "/floor") as socket:
        for number, change in enumerate(changes):
            while not receives_nothing(socket):
                pass
            assert change().status_code in {200, 201}, number
            assert receive(socket) == UPDATE, number


def test_many_changes_at_once_are_told_a_few_times_and_the_last_one_is(port, session, capsys):
    guest, floor = APIClient(), signed_in(make_user("Floor"))
    with connect_display(port, token_of("Floor", capsys), "/floor") as socket:
        began = time.monotonic()
        for _ in range(30):
            body = {"sessionId": str(session.pk), "kind": "waiter"}
            call = guest.post("/table/7/calls", body, format="json").json()
            floor.post(f"/calls/{call['id']}/done")
        took, told = time.monotonic() - began, 0
        while not receives_nothing(socket):
            told += 1
        assert 1 <= told <= took / 0.25 + 2


def test_who_may_not_see_the_floor_is_refused(port, session, capsys):
    with pytest.raises(InvalidStatus):
        connect_display(port, token_of("Cashiers", capsys), "/floor")
