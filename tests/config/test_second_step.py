"""The second step of signing in: an app's codes and recovery codes, and who takes it away again."""

import re
from base64 import b32encode
from binascii import unhexlify

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests.config.staff import change, sign_in
from tests.conftest import PAGE, make_user
from tests.loyalty.making import with_token
from tests.reading import read
from web.credentials import BrowserSession

pytestmark = pytest.mark.django_db

PASSWORD = "a long pass phrase"
STEP = "/sign-in/second-step"
ADD = "/account/second-step"


@pytest.fixture
def mia(db) -> User:
    return make_user("Managers", "mia")


def code_of(key: str, *, steps: int = 0) -> str:
    """What an app shows, `steps` half minutes from now."""
    return f"{TOTP(unhexlify(key), t0=-30 * steps).token():06}"


def add_app(browser: Client) -> list[str]:
    """Add one, and return the recovery codes that are shown."""
    browser.get(ADD)
    sent = {"code": code_of(browser.session["second_step_key"]), "name": "My phone", "password": PASSWORD}
    return re.findall(r"<li>(\w{4}-\w{4}-\w{4})</li>", browser.post(ADD, sent).content.decode())


def app_of(user: User) -> TOTPDevice:
    return TOTPDevice.objects.get(user=user)


def history(user: User) -> list[str]:
    about = LogEntry.objects.filter(object_id=str(user.pk)).order_by("pk")
    return list(about.values_list("change_message", flat=True))


def test_nothing_is_asked_until_somebody_has_added_a_second_step(mia):
    browser = sign_in("mia", PASSWORD)
    page = read(browser.get("/account"))
    assert page.one("link", "Add an authenticator app")["href"] == ADD
    assert "Recovery codes" not in page.text
    assert browser.get("/staff").status_code == 200
    assert browser.get(STEP).status_code == 302
    waiter = sign_in(make_user("Floor").username, PASSWORD)
    assert "Second step" not in read(waiter.get("/account")).text


def test_a_code_of_the_app_is_asked_for_after_the_password_and_counts_once(mia):
    recovery = add_app(sign_in("mia", PASSWORD))
    assert len(set(recovery)) == 10
    browser = sign_in("mia", PASSWORD)
    assert browser.get("/reports")["Location"] == f"{STEP}?next=%2Freports"
    assert "signing in as mia" in read(browser.get(f"{STEP}?next=/reports")).text
    key, before = app_of(mia).key, browser.cookies["staff_session"].value
    for wrong in ("000000", "x", "", "9" * 5000, code_of(key)):  # the last one was used to add it
        refused = browser.post(STEP, {"code": wrong, "next": "/reports"})
        assert "This code is wrong, or was used before." in read(refused).text
        assert browser.get("/reports").status_code == 302
    shown = code_of(key, steps=1)
    assert browser.post(STEP, {"code": f"{shown[:3]} {shown[3:]}", "next": "/reports"})["Location"] == "/reports"
    assert browser.get("/reports").status_code == 200
    assert browser.cookies["staff_session"].value != before
    second = sign_in("mia", PASSWORD)
    assert second.post(STEP, {"code": shown}).status_code == 200
    assert second.post(STEP, {"code": recovery[0].upper(), "next": "https://evil.example"})["Location"] == "/"
    third = sign_in("mia", PASSWORD)
    assert third.post(STEP, {"code": recovery[0]}).status_code == 200
    assert third.post(STEP, {"code": recovery[1]}).status_code == 302
    assert "Recovery codes left: 8." in read(third.get("/account")).text


def test_a_session_that_has_only_the_password_opens_nothing_else(mia):
    browser = sign_in("mia", PASSWORD)
    assert BrowserSession(browser.cookies["staff_session"].value).user() == mia
    add_app(browser)
    assert browser.get("/staff").status_code == 200  # who has added it is signed in
    browser = sign_in("mia", PASSWORD)
    for path in ("/", "/admin/", "/account", ADD, "/password", "/floor", "/table/7", "/api/schema", "/nowhere"):
        assert browser.get(path)["Location"].startswith(STEP), path
        as_program = browser.get(path, headers={"accept": "application/json"})
        assert (as_program.status_code, as_program["Cache-Control"]) == (403, "private, no-store"), path
    assert browser.post("/staff/mia", {"active": "false"}).status_code == 403
    assert not BrowserSession(browser.cookies["staff_session"].value).user().is_authenticated
    assert browser.post("/sign-out").status_code == 302
    assert with_token(mia).get("/staff").status_code == 200


def test_it_is_asked_for_by_the_admins_own_sign_in_and_before_a_new_password(mia, manager):
    add_app(sign_in("mia", PASSWORD))
    browser = Client(headers={"accept": PAGE})
    browser.post("/admin/login/", {"username": "mia", "password": PASSWORD})
    assert browser.get("/admin/")["Location"].startswith(STEP)
    given = change(manager, "mia", resetPassword=True).json()["password"]
    browser = sign_in("mia", given)
    assert browser.get("/password")["Location"].startswith(STEP)
    browser.post(STEP, {"code": code_of(app_of(mia).key, steps=1)})
    assert browser.get("/")["Location"].startswith("/password")


def test_wrong_codes_are_limited_and_right_ones_are_not(mia, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "wrong_code": "3/hour"}
    recovery = add_app(sign_in("mia", PASSWORD))
    for code in recovery[:4]:
        assert sign_in("mia", PASSWORD).post(STEP, {"code": code}).status_code == 302
    browser = sign_in("mia", PASSWORD)
    assert [browser.post(STEP, {"code": "0"}).status_code for _ in range(4)] == [200, 200, 200, 429]
    assert browser.post(STEP, {"code": recovery[4]}).status_code == 429


def test_every_change_asks_for_the_password_and_concerns_oneself_alone(mia):
    browser = sign_in("mia", PASSWORD)
    browser.get(ADD)
    code = code_of(browser.session["second_step_key"])
    for wrong in ({"code": code}, {"code": code, "password": "wrong"}):
        assert "The password is wrong." in read(browser.post(ADD, wrong)).text
    first = add_app(browser)
    removal = f"{ADD}/{app_of(mia).persistent_id}"
    assert f'action="{removal}"' in browser.get("/account").content.decode()
    for wrong in ({}, {"password": "wrong"}):
        assert "The password is wrong." in read(browser.post(removal, wrong)).text
    other = sign_in(make_user("Managers", "noa").username, PASSWORD)
    other.post(removal, {"password": PASSWORD})
    assert app_of(mia)
    add_app(browser)  # a second one, with new codes
    browser.post(removal, {"password": PASSWORD})
    assert "Removed." in read(browser.get("/account")).text
    assert sign_in("mia", PASSWORD).post(STEP, {"code": first[0]}).status_code == 200
    browser.post(f"{ADD}/{app_of(mia).persistent_id}", {"password": PASSWORD})
    assert not StaticDevice.objects.exists()
    assert sign_in("mia", PASSWORD).get("/staff").status_code == 200


def test_an_app_that_shows_another_code_is_not_added(mia):
    browser = sign_in("mia", PASSWORD)
    assert browser.post(ADD, {"code": code_of(""), "password": PASSWORD}).status_code == 200  # before there is a key
    browser.get(ADD)
    key = browser.session["second_step_key"]
    refused = read(browser.post(ADD, {"code": code_of(key, steps=90), "name": "Mine", "password": PASSWORD}))
    assert "This code is wrong" in refused.text
    assert b32encode(unhexlify(key)).decode() in refused.one("link", "Open the app")["href"]
    assert browser.session["second_step_key"] == key
    assert not TOTPDevice.objects.exists()


def test_a_manager_takes_it_away_and_the_history_says_so(mia, manager):
    add_app(sign_in("mia", PASSWORD))
    waiting = sign_in("mia", PASSWORD)
    assert change(manager, "mia", removeSecondStep=True).status_code == 200
    assert waiting.get(f"{STEP}?next=/staff")["Location"] == "/staff"
    assert waiting.get("/staff").status_code == 200
    assert history(mia) == ["Second step added.", "Second step removed."]
    assert change(manager, "managers", removeSecondStep=True).status_code == 403  # their own, without the password


def test_whoever_runs_the_server_takes_an_owners_away(db):
    owner = User.objects.create_superuser("owner", password=PASSWORD)
    add_app(sign_in("owner", PASSWORD))
    call_command("remove_second_step", "owner")
    assert not TOTPDevice.objects.exists()
    assert sign_in("owner", PASSWORD).get("/staff").status_code == 200
    assert history(owner) == ["Second step added.", "Second step removed."]
