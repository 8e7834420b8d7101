"""PINs that are guessed at once, and one that is taken away meanwhile."""

import pytest
from django.db import connection

from config.models import Device
from config.services import devices
from tests.at_once import at_once, before_commit
from tests.config.sharing import enrol, give_pin, switch
from tests.conftest import make_user

pytestmark = [pytest.mark.race, pytest.mark.django_db(transaction=True)]


def copy_of(tablet):
    copied = type(tablet)()
    copied.cookies["shared_device"] = tablet.cookies["shared_device"].value
    return copied


def test_guesses_at_once_count_each():
    mia, ada = make_user("Managers", "mia"), give_pin(make_user("Floor", "ada"))
    tablet = enrol(mia)

    def guess() -> int:
        try:
            return switch(copy_of(tablet), "ada", "0000").status_code
        finally:
            connection.close()

    statuses = [*at_once([guess] * 12), guess()]
    assert statuses.count(403) <= 10
    for _ in range(10):
        guess()
    assert switch(tablet, ada.username).status_code == 429


@pytest.mark.parametrize("change", ["remove the PIN", "revoke the device"])
def test_whoever_signs_in_while_it_is_taken_away_is_not_in(change):
    mia, ada = make_user("Managers", "mia"), give_pin(make_user("Floor", "ada"))
    tablet = enrol(mia)

    def take_away() -> None:
        if change == "remove the PIN":
            devices.set_pin(user=ada, hashed=None)
        else:
            devices.revoke(device_id=Device.objects.get().pk)

    response = before_commit(take_away, lambda: switch(tablet, "ada"))
    assert response.status_code == 403
    assert tablet.get("/floor").status_code == 401
    assert Device.objects.get().user is None
