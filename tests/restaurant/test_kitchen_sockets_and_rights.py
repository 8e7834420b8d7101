"""A kitchen display whose right has ended is closed within five seconds."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection
from django.utils import timezone
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from config.models import StaffToken
from restaurant.models import TableSession
from tests.conftest import make_item, make_table, make_user, order_body, signed_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

NO_LONGER_ALLOWED = 4403
TRY_AGAIN_LATER = 4503
WITHIN = 5  # seconds


@pytest.fixture
def displays(transactional_db, sockets_port):
    """`displays(token=...)` or `displays(client=...)` connects one."""
    with ExitStack() as stack:

        def open_one(*, token: str = "", client=None) -> ClientConnection:
            cookie = {"Cookie": f"staff_session={client.cookies['staff_session'].value}"} if client else {}
            address = f"ws://127.0.0.1:{sockets_port}/{'?token=' + token if token else ''}"
            return stack.enter_context(connect(address, origin="http://127.0.0.1:8000", additional_headers=cookie))

        yield open_one


def token_of(username: str) -> tuple[User, str]:
    user = make_user("Floor", username)
    return user, StaffToken.objects.create(user=user)[1]


def session_of(username: str):
    user = make_user("Floor", username)
    return user, signed_in(user)


def ends(open_one) -> dict[str, tuple[ClientConnection, Callable[[], object]]]:
    """By name: a display, and what takes its right away."""
    _anna, browser = session_of("anna")
    deactivated, other_browser = session_of("bruno")
    changed, third_browser = session_of("carla")
    deleted, deleted_key = token_of("dora")
    expired, expired_key = token_of("emil")
    moved, moved_key = token_of("fred")
    idle, idle_key = token_of("gina")

    def change_password() -> None:
        changed.set_password("another long pass phrase")
        changed.save()

    def expire() -> None:
        StaffToken.objects.filter(user=expired).update(expiry=timezone.now() - timedelta(seconds=1))

    def deactivate(user: User) -> None:
        User.objects.filter(pk=user.pk).update(is_active=False)

    return {
        "signed out": (open_one(client=browser), lambda: browser.post("/sign-out")),
        "session's user deactivated": (open_one(client=other_browser), lambda: deactivate(deactivated)),
        "password changed": (open_one(client=third_browser), change_password),
        "token deleted": (open_one(token=deleted_key), lambda: StaffToken.objects.filter(user=deleted).delete()),
        "token expired": (open_one(token=expired_key), expire),
        "permission taken away": (open_one(token=moved_key), lambda: moved.groups.set(_cashiers())),
        "token's user deactivated": (open_one(token=idle_key), lambda: deactivate(idle)),
    }


def _cashiers():
    return Group.objects.filter(name="Cashiers")


def test_a_display_is_closed_once_its_right_has_ended_and_the_others_stay(displays):
    session, soup = TableSession.objects.create(table=make_table()), make_item()
    _user, key = token_of("zoe")
    stays, stays_too = displays(token=key), displays(token=key)
    ending = ends(displays)
    for _display, end in ending.values():
        end()
    deadline = time.monotonic() + WITHIN
    codes = {name: closed(display, deadline) for name, (display, _end) in ending.items()}
    assert codes == dict.fromkeys(ending, NO_LONGER_ALLOWED)
    signed_in(make_user("Floor")).post("/table/7/order", order_body(session, (soup, 1)), format="json")
    assert "new_order" in stays.recv(timeout=WITHIN)
    assert "new_order" in stays_too.recv(timeout=WITHIN)


def closed(display: ClientConnection, deadline: float) -> int | None:
    """The close code; None for a display that is still open."""
    try:
        display.recv(timeout=max(deadline - time.monotonic(), 0.01))
    except ConnectionClosed as end:
        return end.rcvd.code if end.rcvd else 0
    except TimeoutError:
        return None
    return -1


def test_of_two_displays_of_one_user_only_the_one_that_signed_out_is_closed(displays):
    user, at_the_pass = session_of("anna")
    at_the_bar = signed_in(user)
    one, other = displays(client=at_the_pass), displays(client=at_the_bar)
    at_the_pass.post("/sign-out")
    assert closed(one, time.monotonic() + WITHIN) == NO_LONGER_ALLOWED
    assert closed(other, time.monotonic() + WITHIN) is None


def test_a_display_whose_right_cannot_be_checked_is_sent_away(displays):
    _user, key = token_of("anna")
    display = displays(token=key)
    rename("config_stafftoken", "elsewhere")
    try:
        assert closed(display, time.monotonic() + WITHIN) == TRY_AGAIN_LATER
    finally:
        rename("elsewhere", "config_stafftoken")


def rename(old: str, new: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {old} RENAME TO {new}")
