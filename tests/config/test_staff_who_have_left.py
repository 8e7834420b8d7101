"""Whoever is deactivated is nobody from the next request on: with a session, a token, a password or a socket."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from config.models import StaffToken
from tests.conftest import PAGE, make_user, signed_in
from tests.loyalty.making import make_member, with_token
from tests.restaurant.kitchen.test_kitchen_sockets import connect_display, cookie_of, refused

PASSWORD = "a long pass phrase"


def deactivate(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


@pytest.fixture
def anna(db) -> User:
    return make_user("Managers", "anna")


def test_neither_a_session_nor_a_token_opens_anything(anna, table):
    paths = ["/kitchen", "/floor", "/till", "/reports/restaurant", "/reports/loyalty"]

    def statuses() -> list[set[int]]:
        return [{client.get(path).status_code for path in paths} for client in clients]

    clients = [signed_in(anna), with_token(anna)]
    assert statuses() == [{200}] * 2
    deactivate(anna)
    assert statuses() == [{401}] * 2
    assert clients[1].get("/table/7").status_code == 401  # where a stranger would be served
    User.objects.filter(pk=anna.pk).update(is_active=True)
    assert statuses() == [{200}] * 2


@pytest.mark.django_db
def test_a_superuser_who_has_left_may_no_more_than_anybody():
    owner = User.objects.create_superuser("owner")
    client = signed_in(owner)
    assert (client.get("/kitchen").status_code, client.get("/admin/").status_code) == (200, 200)
    deactivate(owner)
    assert client.get("/kitchen").status_code == 401
    assert client.get("/admin/")["Location"] == "/admin/login/?next=/admin/"


def test_a_form_that_was_open_does_nothing(anna, table, session):
    client = signed_in(anna)
    deactivate(anna)
    assert client.post("/table/7/close", {"sessionId": str(session.pk)}, format="json").status_code == 401
    session.refresh_from_db()
    assert session.ended_at is None


def test_a_browser_is_led_to_the_sign_in_page_which_refuses_the_password(anna):
    browser = Client(headers={"Accept": PAGE})
    browser.force_login(anna, backend="web.authentication.StaffBackend")
    deactivate(anna)
    assert browser.get("/kitchen")["Location"] == "/sign-in?next=%2Fkitchen"
    for path in ("/sign-in", "/admin/login/"):
        assert browser.post(path, {"username": "anna", "password": PASSWORD}).status_code == 200
        assert browser.get("/kitchen").status_code == 302
    User.objects.update(is_active=True)
    assert browser.post("/sign-in", {"username": "anna", "password": PASSWORD}).status_code == 302
    assert browser.get("/kitchen").status_code == 200


def test_a_member_s_card_is_a_stranger_s_card(anna):
    member, client = make_member(email="ada@example.com"), signed_in(anna)
    assert client.get(f"/member/{member.pk}").json()["viewer"] == "staff"
    deactivate(anna)
    card = client.get(f"/member/{member.pk}").json()
    assert card["viewer"] == "guest"
    assert "activity" not in card


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_no_socket_opens_for_a_session_or_a_token(transactional_db, sockets_port):
    user = make_user("Floor", "bruno")
    cookie = cookie_of(signed_in(user))
    _stored, token = StaffToken.objects.create(user=user)
    own = {"origin": "http://127.0.0.1:8000", "additional_headers": cookie}
    with connect_display(sockets_port, token):
        pass
    assert not refused_now(sockets_port, **own)
    deactivate(user)
    assert refused(sockets_port, f"?token={token}")
    assert refused(sockets_port, **own)


def refused_now(port: int, **options) -> bool:
    """`refused` raises an error where the socket opens."""
    try:
        return refused(port, **options)
    except pytest.fail.Exception:
        return False
