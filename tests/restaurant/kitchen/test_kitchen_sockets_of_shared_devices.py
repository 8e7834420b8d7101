"""Sockets that somebody has opened with a PIN end with the session, within two seconds."""

import time
from contextlib import ExitStack

import pytest
from websockets.sync.client import connect

from config.models import Device
from tests.config.sharing import give_pin, on_tablet
from tests.config.staff import change
from tests.conftest import make_user, signed_in
from tests.restaurant.kitchen.displays import OWN_PAGES, close_code, cookie_of, heard

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

WITHIN = 2.0  # seconds


def test_a_lock_a_revoked_device_a_removed_pin_and_a_deactivation_close_sockets(transactional_db, sockets_port):
    mia = make_user("Managers", "mia")
    manager = signed_in(mia)
    people = [give_pin(make_user("Floor", name)) for name in ("ada", "bo", "cy", "di", "ed")]
    tablets = [on_tablet(mia, person) for person in people]
    ends = [
        lambda: tablets[0].post("/switch/lock"),
        lambda: manager.post(
            f"/staff/devices/{Device.objects.get(user=people[1]).pk}", {"revoked": True}, format="json"
        ),
        lambda: change(manager, "cy", removePin=True),
        lambda: change(manager, "di", active=False),
    ]
    with ExitStack() as stack:
        address = f"ws://127.0.0.1:{sockets_port}/"
        sockets = [
            stack.enter_context(connect(address, origin=OWN_PAGES, additional_headers=cookie_of(tablet)))
            for tablet in tablets
        ]
        for end, socket in zip(ends, sockets, strict=False):
            assert end().status_code == 200
            ended_at = time.monotonic()
            assert close_code(socket) == 4403
            assert time.monotonic() - ended_at < WITHIN
        assert heard(sockets[-1]) == []  # who is still at work goes on
