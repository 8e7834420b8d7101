"""Devices that several people share: enrolled by managers, and who signs in on them with a PIN."""

import re
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from config.models import Device, Presence, Venue
from restaurant.models import Order, Payment, TableCall
from tests.config.sharing import PIN, enrol, give_pin, on_tablet, switch
from tests.config.staff import add, change, listed
from tests.conftest import NOW, PAGE, make_user, order_body, signed_in, unknown_id
from tests.reading import read
from web import venue

pytestmark = pytest.mark.django_db


@pytest.fixture
def mia(db) -> User:
    return make_user("Managers", "mia")


@pytest.fixture
def ada(db) -> User:
    return give_pin(make_user("Floor", "ada"))


@pytest.fixture
def bo(db) -> User:
    return give_pin(make_user("Floor", "bo"), "8052")


# --- devices ----------------------------------------------------------------------------------------


def test_a_manager_enrols_this_browser_and_revokes_it(mia, ada):
    browser = signed_in(mia)
    answer = browser.post("/staff/devices", {"name": "Bar"}, format="json")
    assert (answer.status_code, answer.json()["name"], answer.json()["enrolledBy"]) == (201, "Bar", "mia")
    cookie = browser.cookies["shared_device"]
    assert (cookie["httponly"], cookie["max-age"], cookie["samesite"]) == (True, 365 * 24 * 3600, "Lax")
    again = browser.post("/staff/devices", {"name": "Pass"}, format="json")
    assert (again.status_code, again.json()["id"]) == (200, answer.json()["id"])
    listed = browser.get("/staff/devices").json()["devices"]
    assert [(device["name"], device["here"]) for device in listed] == [("Pass", True)]

    path = f"/staff/devices/{answer.json()['id']}"
    assert browser.post(path, {"revoked": False}, format="json").status_code == 400
    for _ in range(2):
        revoked = browser.post(path, {"revoked": True}, format="json")
        assert (revoked.status_code, "revokedAt" in revoked.json()) == (200, True)
    assert browser.get("/switch").status_code == 403
    assert switch(browser, "ada").status_code == 403
    assert browser.get("/staff/devices").json()["devices"][0]["name"] == "Pass"


def test_only_managers_enrol_and_only_enrolled_browsers_switch(ada, floor, api):
    for client, status in ((api, 401), (floor, 403)):
        assert client.post("/staff/devices", {"name": "Bar"}, format="json").status_code == status
    for value in ("", "x", "5f0c1a52-3d3e-4b7a-9c55-8e6f0d2b7a11"):
        api.cookies["shared_device"] = value
        assert api.get("/switch").status_code == 403
        assert switch(api, "ada").status_code == 403
        assert api.post("/switch/lock").status_code == 403


# --- signing in -------------------------------------------------------------------------------------


def test_whoever_is_working_is_listed_first_and_a_pin_switches(mia, ada, bo):
    tablet = enrol(mia)
    board = tablet.get("/switch").json()
    assert board == {"device": "Bar", "people": [{"username": "ada", "name": "ada"}, {"username": "bo", "name": "bo"}]}
    answer = switch(tablet, "bo", "8052")
    assert (answer.status_code, answer.json()) == (200, {"username": "bo", "locksIn": 300})
    board = tablet.get("/switch").json()
    assert [person["username"] for person in board["people"]] == ["bo", "ada"]
    assert board["current"]["username"] == "bo"
    assert 290 <= board["current"]["locksIn"] <= 300
    assert tablet.get("/floor").status_code == 200
    assert switch(tablet, "ada").status_code == 200
    assert tablet.get("/switch").json()["current"]["username"] == "ada"
    assert User.objects.get(username="ada").last_login is not None


def test_every_row_says_who_did_it_and_not_on_which_device(mia, ada, bo, session, soup):
    tablet = enrol(mia)
    statuses = []
    for username, pin in (("ada", PIN), ("bo", "8052")):
        switch(tablet, username, pin)
        call = TableCall.objects.create(session=session, kind="waiter")
        body = {"sessionId": str(session.pk), "amount": 1, "method": "card"}
        for path, sent in (
            ("/table/7/order", order_body(session, (soup, 1))),
            ("/table/7/payments", body),
            (f"/calls/{call.pk}/done", {}),
        ):
            statuses.append(tablet.post(path, sent, format="json").status_code)
    assert statuses == [200, 201, 200] * 2
    assert list(Order.objects.order_by("created_at").values_list("placed_by", flat=True)) == ["ada", "bo"]
    assert list(Payment.objects.order_by("created_at").values_list("taken_by_name", flat=True)) == ["ada", "bo"]
    assert list(TableCall.objects.order_by("created_at").values_list("done_by", flat=True)) == ["ada", "bo"]


def test_a_lock_ends_the_session_and_so_does_the_next_person(mia, ada, bo):
    tablet = on_tablet(mia, ada)
    stolen = tablet.cookies["staff_session"].value
    for _ in range(2):
        answer = tablet.post("/switch/lock")
        assert (answer.status_code, answer.json()) == (200, {"success": True})
    assert tablet.get("/floor").status_code == 401
    switch(tablet, "ada")
    copied = type(tablet)()
    copied.cookies["staff_session"] = tablet.cookies["staff_session"].value
    assert copied.get("/floor").status_code == 200
    switch(tablet, "bo", "8052")
    assert copied.get("/floor").status_code == 401
    copied.cookies["staff_session"] = stolen
    assert copied.get("/floor").status_code == 401


def test_it_locks_without_requests_of_the_person_and_polls_are_none(mia, ada, clock):
    Venue.objects.create(lock_after=3)
    venue.clear_cache()
    minute = timedelta(minutes=1)
    clock(NOW)
    tablet = on_tablet(mia, ada)
    clock(NOW + 2 * minute)
    assert tablet.get("/floor", headers={"accept": PAGE}).status_code == 200
    polls = [
        ("/kitchen", "application/json", {}),
        ("/floor", "text/html", {}),
        ("/floor", PAGE, {"sec-fetch-mode": "cors"}),
    ]
    clock(NOW + 4 * minute)
    for path, accept, headers in polls:
        assert tablet.get(path, headers={"accept": accept, **headers}).status_code == 200
    clock(NOW + 5 * minute)
    for path, accept, headers in polls:
        assert tablet.get(path, headers={"accept": accept, **headers}).status_code in {302, 401}
    page = tablet.get("/floor", headers={"accept": PAGE})
    assert (page.status_code, page["Location"]) == (302, "/switch?next=%2Ffloor")


def test_next_leads_to_own_pages_alone(mia, ada):
    tablet = enrol(mia)
    for path, where in (
        ("/floor?x=1", "/floor?x=1"),
        ("//evil.example", "/"),
        ("https://evil.example/", "/"),
        ("", "/"),
    ):
        answer = tablet.post("/switch", {"username": "ada", "pin": PIN, "next": path}, headers={"accept": PAGE})
        assert (answer.status_code, answer["Location"]) == (303, where)


def test_a_password_opens_the_rest_and_locks_with_the_device(mia, clock):
    clock(NOW)
    tablet = on_tablet(mia, give_pin(mia))
    assert "password" in tablet.get("/reports").json()["error"]
    page = read(tablet.get("/reports?x=1", headers={"accept": PAGE}))
    assert page.one("heading", "Your password, please")
    assert page.field("next")["value"] == "/reports?x=1"
    bill = "http://testserver/table/7/bill"
    refused = tablet.post(f"/payments/{unknown_id()}/refund", {}, headers={"accept": PAGE, "referer": bill})
    assert (refused.status_code, read(refused).one("main").field("next")["value"]) == (403, bill)
    locked = tablet.post("/switch/lock", {"next": bill}, headers={"accept": PAGE})
    assert locked["Location"] == "/switch?next=%2Ftable%2F7%2Fbill"
    switch(tablet, "mia")
    form = {"username": "mia", "password": "a long pass phrase", "next": "/reports", "keepShown": "yes"}
    assert tablet.post("/sign-in", form)["Location"] == "/reports"
    assert tablet.get("/reports").status_code == 200
    clock(NOW + timedelta(minutes=6))
    assert tablet.get("/reports").status_code == 401


# --- wrong PINs -------------------------------------------------------------------------------------


def test_ten_wrong_pins_lock_that_person_on_that_device_alone(mia, ada, bo, clock):
    clock(NOW)
    bar, terrace = enrol(mia), enrol(mia, "Terrace")
    assert [switch(bar, "ada", "0000").status_code for _ in range(9)] == [403] * 9
    assert switch(bar, "ada").status_code == 200  # a right one resets
    assert [switch(bar, "ada", "0000").status_code for _ in range(11)] == [403] * 10 + [429]
    refused = switch(bar, "ada")
    assert (refused.status_code, refused["Retry-After"]) == (429, "900")
    assert "Too many tries" in refused.json()["error"]
    assert switch(bar, "bo", "8052").status_code == 200
    assert switch(terrace, "ada").status_code == 200
    assert switch(bar, "nobody").status_code == 403
    clock(NOW + timedelta(minutes=16))
    assert switch(bar, "ada").status_code == 200


# --- who has one ------------------------------------------------------------------------------------


def test_a_manager_gives_a_pin_that_is_shown_once_and_takes_it_away(manager, mia):
    add(manager)
    tablet = enrol(mia)
    assert "hasPin" not in listed(manager)["ada"]
    answer = change(manager, "ada", resetPin=True)
    pin = answer.json()["pin"]
    assert re.fullmatch("[0-9]{6}", pin)
    assert answer["Cache-Control"] == "private, no-store"
    assert listed(manager)["ada"]["hasPin"]
    assert switch(tablet, "ada", pin).status_code == 200  # though the password is still the temporary one
    assert tablet.get("/floor").status_code == 200
    assert listed(manager)["ada"]["working"]["now"]
    assert "pin" not in change(manager, "ada", removePin=True).json()
    assert tablet.get("/floor").status_code == 401
    assert switch(tablet, "ada", pin).status_code == 403


def test_people_set_their_own_with_the_password(ada, api):
    assert api.get("/account/pin").status_code == 401
    browser, password = signed_in(ada), "a long pass phrase"

    def sets(pin, password=password):
        return browser.post("/account/pin", {"pin": pin, "password": password}, format="json")

    for pin in ("123", "123456789", "12a4", "1234", "98765", "0000", ""):
        assert list(sets(pin).json()["fields"]) == ["pin"], pin
    assert sets("2580", "another").status_code == 403
    assert sets("2580").status_code == 200
    assert browser.get("/account/pin").json()["setAt"]
    assert sets(None).json() == {"setAt": None}


@pytest.mark.parametrize("end", ["deactivated", "password", "device", "changed"])
def test_a_session_ends_with_what_it_hangs_on(manager, mia, ada, end):
    tablet = on_tablet(mia, ada)
    assert tablet.get("/floor").status_code == 200
    if end == "deactivated":
        change(manager, "ada", active=False)
    elif end == "password":
        change(manager, "ada", resetPassword=True)
    elif end == "changed":
        change(manager, "ada", resetPin=True)
    else:
        manager.post(f"/staff/devices/{Device.objects.get().pk}", {"revoked": True}, format="json")
    assert tablet.get("/floor").status_code == 401


# --- who is working ---------------------------------------------------------------------------------


def test_a_day_knows_who_was_first_and_last_seen_when(manager, mia, ada, clock):
    Venue.objects.create(day_ends_at="04:00")
    venue.clear_cache()
    evening = datetime(2026, 11, 20, 17, 2, tzinfo=NOW.tzinfo)
    clock(evening)
    tablet = on_tablet(mia, ada)
    for minutes in (1, 2, 3, 240, 480):  # after midnight it is the same day
        clock(evening + timedelta(minutes=minutes))
        switch(tablet, "ada")
    presence = Presence.objects.get()
    assert (presence.first_at, presence.last_at) == (evening, evening + timedelta(hours=8))
    manager = signed_in(User.objects.get(username="managers"))
    working = listed(manager)["ada"]["working"]
    assert (working["since"], working["now"]) == ("2026-11-20T17:02:00Z", True)
    clock(evening + timedelta(hours=9, minutes=30))
    assert not listed(signed_in(mia))["ada"]["working"]["now"]
    assert "workingSince" not in tablet.get("/switch").json()["people"][0]
    clock(evening + timedelta(hours=12))
    assert "working" not in listed(signed_in(mia))["ada"]
