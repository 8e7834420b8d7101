"""A display whose right has ended is closed within seconds."""

from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection
from django.utils import timezone
from websockets.sync.client import ClientConnection, connect

from config.models import StaffToken
from tests.conftest import make_user, signed_in
from tests.restaurant.kitchen.displays import OWN_PAGES, close_code, connect_display, cookie_of, heard, token_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

NO_LONGER_ALLOWED = 4403
TRY_AGAIN_LATER = 4503


@pytest.fixture
def displays(transactional_db, sockets_port):
    """`displays(token=...)` or `displays(client=...)` connects one."""
    with ExitStack() as stack:

        def open_one(*, token: str = "", client=None) -> ClientConnection:
            if token:
                return stack.enter_context(connect_display(sockets_port, token))
            cookie = cookie_of(client)
            address = f"ws://127.0.0.1:{sockets_port}/"
            return stack.enter_context(connect(address, origin=OWN_PAGES, additional_headers=cookie))

        yield open_one


def ends(open_one, browser) -> dict[str, tuple[ClientConnection, Callable[[], object]]]:
    """By name: a display, and what takes its right away. One of them is this browser's."""
    deactivated, changed = make_user("Floor", "bruno"), make_user("Floor", "carla")
    deleted, deleted_key = token_of("Floor", "dora")
    expired, expired_key = token_of("Floor", "emil")
    moved, moved_key = token_of("Floor", "fred")
    idle, idle_key = token_of("Floor", "gina")

    def change_password() -> None:
        changed.set_password("another long pass phrase")
        changed.save()

    def expire() -> None:
        StaffToken.objects.filter(user=expired).update(expiry=timezone.now() - timedelta(seconds=1))

    def deactivate(user: User) -> None:
        User.objects.filter(pk=user.pk).update(is_active=False)

    return {
        "signed out": (open_one(client=browser), lambda: browser.post("/sign-out")),
        "session's user deactivated": (open_one(client=signed_in(deactivated)), lambda: deactivate(deactivated)),
        "password changed": (open_one(client=signed_in(changed)), change_password),
        "token deleted": (open_one(token=deleted_key), lambda: StaffToken.objects.filter(user=deleted).delete()),
        "token expired": (open_one(token=expired_key), expire),
        "permission taken away": (
            open_one(token=moved_key),
            lambda: moved.groups.set(Group.objects.filter(name="Cashiers")),
        ),
        "token's user deactivated": (open_one(token=idle_key), lambda: deactivate(idle)),
    }


def test_a_display_is_closed_once_its_right_has_ended_and_the_others_stay(displays):
    anna = make_user("Floor", "anna")
    at_the_pass, at_the_bar = signed_in(anna), signed_in(anna)
    _zoe, key = token_of("Floor", "zoe")
    last, last_key = token_of("Floor", "last")
    stay = [displays(token=key), displays(token=key), displays(client=at_the_bar)]
    late = displays(token=last_key)
    ending = ends(displays, at_the_pass)
    for _display, end in ending.values():
        end()
    codes = {name: close_code(display) for name, (display, _end) in ending.items()}
    assert codes == dict.fromkeys(ending, NO_LONGER_ALLOWED)
    StaffToken.objects.filter(user=last).delete()
    assert close_code(late) == NO_LONGER_ALLOWED  # so the rights of all others were checked once more
    assert [heard(display) for display in stay] == [[]] * 3


def test_a_display_whose_right_cannot_be_checked_is_sent_away(displays):
    _anna, key = token_of("Floor", "anna")
    display = displays(token=key)
    rename("config_stafftoken", "elsewhere")
    try:
        assert close_code(display) == TRY_AGAIN_LATER
    finally:
        rename("elsewhere", "config_stafftoken")


def rename(old: str, new: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {old} RENAME TO {new}")
