"""What the log shows: a line for each problem, and nothing that opens a door."""

import io
import json
import logging
import traceback

import psycopg
import pytest
from django.core import mail
from django.db import OperationalError, connection
from django.test import Client
from rest_framework.test import APIClient

from loyalty.members.services import members
from tests.conftest import PAGE, browser_of, make_user, signed_in, unknown_id
from tests.loyalty.making import earn_body, enrol, make_location, make_member, make_reward, redeem, with_token
from web.log import JSONFormatter, LineFormatter, ProblemFilter

pytestmark = pytest.mark.django_db


@pytest.fixture
def console():
    [handler] = [handler for handler in logging.getLogger().handlers if handler.get_name() == "console"]
    return handler


@pytest.fixture
def log(console):
    """What the console handler writes, as if the process had just begun."""
    written, [kept] = io.StringIO(), list(console.filters)
    before, console.filters = console.setStream(written), [ProblemFilter()]
    yield written
    console.setStream(before)
    console.filters = [kept]


@pytest.fixture
def wordy(console):
    """With LOG_LEVEL=DEBUG."""
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.DEBUG)
    yield
    root.setLevel(level)


@pytest.fixture
def broken(monkeypatch):
    """`broken(error)`: every page of a member fails with it."""

    def fail_with(error: BaseException) -> APIClient:
        def fail(*args: object, **kwargs: object) -> None:
            raise error

        monkeypatch.setattr("loyalty.cards.views.members.member_by_id", fail)
        return APIClient(raise_request_exception=False)

    return fail_with


def lines(log) -> list[str]:
    return log.getvalue().splitlines()


# --- one line for a problem -----------------------------------------------------------------------


def test_an_ordinary_404_is_no_line(log):
    staff = with_token(make_user("Managers"))
    for path in ("/nothing-here", "/use/RWD-ABCDEF", "/table/99", "/orders/x", "/member/x"):
        assert staff.get(path).status_code == 404
    assert lines(log) == []


def test_what_guests_get_wrong_is_no_line(log, table, soup):
    phone, guest = APIClient(), APIClient()
    phone.get("/table/7", headers={"sec-purpose": "prefetch"})  # 503
    phone.post("/members", {}, format="json")
    guest.post("/earn", {}, format="json")
    guest.delete("/earn")
    assert lines(log) == []


def test_an_error_is_one_line_with_what_led_to_it(log, broken):
    assert broken(ZeroDivisionError("by nothing\nat all")).get(f"/member/{unknown_id()}").status_code == 500
    [line] = lines(log)
    assert " ERROR django.request: Internal Server Error: /member/<customer_id> | Traceback: " in line
    assert "loyalty/cards/views/members.py:" in line
    assert line.endswith(": ZeroDivisionError: by nothing at all")


def test_the_cause_of_an_error_is_on_its_line(log, broken):
    error = ValueError("later")
    error.__cause__ = KeyError("first")
    broken(error).get(f"/member/{unknown_id()}")
    [line] = lines(log)
    assert line.index("ValueError: later") < line.index("caused by") < line.index("KeyError: 'first'")


def test_the_same_error_again_is_counted_and_another_one_is_a_line(log, broken, monkeypatch):
    first = broken(ZeroDivisionError("once"))
    for _ in range(30):
        first.get(f"/member/{unknown_id()}")
    broken(LookupError("twice")).get(f"/member/{unknown_id()}")
    assert [line.rpartition(": ")[2] for line in lines(log)] == ["once", "twice"]
    monkeypatch.setattr("web.log.REPEATS_AFTER", 0)
    broken(ZeroDivisionError("once")).get(f"/member/{unknown_id()}")
    assert lines(log)[-1].endswith(" | and 29 more like it since the last line")


@pytest.mark.slow
def test_a_database_that_is_away_is_one_problem_whatever_was_asked_of_it(log, table, soup, monkeypatch):
    monkeypatch.setattr("web.database_errors._next_line", 0.0)
    gone = OperationalError("the connection is closed")
    gone.__cause__ = psycopg.OperationalError("the connection is closed")

    def refuse(*args: object) -> None:
        raise gone

    guest = APIClient(raise_request_exception=False)
    with connection.execute_wrapper(refuse):
        for _ in range(10):
            for path in ("/table/7", "/table/7/cart", f"/orders/{unknown_id()}", "/signup", f"/member/{unknown_id()}"):
                guest.get(path, headers={"accept": PAGE})
    [line] = lines(log)
    assert "the connection is closed" in line
    assert len(line) < 8000


@pytest.mark.parametrize("sqlstate_class", [psycopg.errors.DeadlockDetected, psycopg.errors.LockNotAvailable])
def test_a_deadlock_is_another_problem_than_a_database_that_is_away(log, sqlstate_class):
    for cause in (psycopg.OperationalError("gone"), sqlstate_class("waiting for each other")):
        error = OperationalError("failed")
        error.__cause__ = cause
        logging.getLogger("here").error("It failed", exc_info=error)
    assert len(lines(log)) == 2


def test_a_probe_is_never_a_line(log):
    Client().get("/readyz")
    Client().get("/healthz")
    assert lines(log) == []


# --- nothing that opens a door --------------------------------------------------------------------


def test_no_secret_is_in_the_log_even_at_its_wordiest(log, wordy, settings, monkeypatch):
    settings.EMAIL_BACKEND = "tests.web.refusing_mail.Backend"
    phone, member = enrol("ada.lovelace@example.com", "Ada Lovelace")
    till, reward = with_token(make_user("Managers", "otto")), make_reward(points=10)
    code = redeem(phone, member, reward).json()["redemptionCode"]
    link = members.sign_in_address(member=member).partition("8000")[2]
    order_id = unknown_id()
    for client in (phone, till, Client(headers={"accept": PAGE})):
        client.raise_request_exception = False
        for path in (f"/use/{code}", f"/use/{code.lower()}", f"/use/{code}x", link, link + "x",
                     link.replace("/", "//"), f"/orders/{order_id}", f"/x?token={'a' * 64}", f"/in{link}"):  # fmt: skip
            client.get(path)
            client.post(path)
    till.get("/orders/x", headers={"authorization": "Token 0123456789abcdef0123456789abcdef"})
    phone.post("/member-sign-in", {"email": "ada.lovelace@example.com"}, format="json")
    till.post("/earn", earn_body(member, make_location(), 5000), format="json")  # another tier: a mail that fails
    _fail_on_her_name(till, member, monkeypatch)
    text = log.getvalue().lower()
    assert "smtprecipientsrefused" in text
    assert "integrityerror" in text
    token = link.rpartition("/")[2].lower()
    for secret in (code, code[4:], token, token[:20], "ada.lovelace", "example.com", "lovelace", order_id, "a" * 64,
                   "0123456789abcdef0123456789abcdef", till._credentials["HTTP_AUTHORIZATION"][6:]):  # fmt: skip
        assert secret.lower() not in text, secret


def _fail_on_her_name(till, member, monkeypatch) -> None:
    """An error of the database that quotes the row."""

    def twice(**_: object) -> None:
        make_member(member.name, email=member.email.upper())

    monkeypatch.setattr("loyalty.points.services.enrolment.enrol", twice)
    till.raise_request_exception = False
    assert till.post("/members", {"email": "b@example.com", "name": "B"}, format="json").status_code == 500


SECRETS = [
    "https://menu.example/member-sign-in/eyJtZW1iZXIiOiJ4In0:1vX:abc",
    "RWD-A1B2C3",
    "rq_a-secret-that-nobody-may-read",
    "ada@example.com",
    "postgresql://regulars:hunter2@db",
    "/?token=short",
    "Authorization: Token 0f1e2d3c4b5a69780f1e2d3c4b5a6978",
    "0f1e2d3c4b5a69780f1e2d3c4b5a69780f1e2d3c4b5a69780f1e2d3c4b5a6978",
]


@pytest.mark.parametrize("formatter", [LineFormatter(), JSONFormatter()])
def test_a_secret_in_a_message_or_in_an_error_is_left_out(formatter):
    for secret in SECRETS:
        error = ValueError(f"can't use {secret}")
        record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "failed for %s", (secret,), (ValueError, error, None))
        line = formatter.format(record)
        assert secret not in line
        assert secret.rpartition("/")[2][-9:] not in line
        assert "failed for" in line


def test_a_file_that_breaks_off_is_one_line_of_the_server_without_what_is_secret(log, monkeypatch):
    make_member("Ada")

    def fail(*_: object) -> None:
        raise ValueError("can't write ada@example.com")

    monkeypatch.setattr("web.exports._csv_value", fail)
    manager = make_user("Managers")
    manager.is_staff = True
    manager.save()
    response = signed_in(manager).get("/admin/loyalty/member/export/")
    with pytest.raises(ValueError, match="can't write") as broken_off:  # it has no end, so the file is not whole
        list(response.streaming_content)
    logging.getLogger("config.serving").error("A response broke off.", exc_info=broken_off.value)  # as servers do
    traceback.clear_frames(broken_off.tb)  # which ends what was read, while there is a transaction
    [line] = lines(log)
    assert f"{response['X-Request-ID']} ERROR config.serving: A response broke off. | Traceback: " in line
    assert line.endswith(": ValueError: can't write …@…")


def test_a_message_can_not_begin_a_line_of_its_own(log):
    logging.getLogger("x").error("one\n2026-01-01 ERROR two\x1b[31m\u2028three")
    [line] = lines(log)
    assert line.endswith("x: one 2026-01-01 ERROR two [31m three")


def test_a_long_text_is_cut(log):
    logging.getLogger("x").error("%s", "a " * 500_000)
    assert 8000 <= len(log.getvalue()) < 9000


# --- JSON -----------------------------------------------------------------------------------------


def test_a_line_of_json_has_the_same_in_fields(log, console, broken, monkeypatch):
    monkeypatch.setattr(console, "formatter", JSONFormatter())
    response = broken(ZeroDivisionError("by nothing")).get(f"/member/{unknown_id()}")
    found = json.loads(log.getvalue())
    assert found["message"] == "Internal Server Error: /member/<customer_id>"
    assert (found["level"], found["logger"], found["error"]) == (
        "ERROR",
        "django.request",
        "ZeroDivisionError: by nothing",
    )
    assert found["requestId"] == response["X-Request-ID"]
    assert "loyalty/cards/views/members.py:" in found["traceback"]
    assert found["time"].endswith("+00:00")
    assert mail.outbox == []


# --- in the admin ---------------------------------------------------------------------------------


def test_a_refusal_is_one_line(log):
    waiter = browser_of(make_user("Floor"))
    assert waiter.get("/admin/restaurant/menuitem/").status_code == 403
    [line] = lines(log)
    assert line.endswith("django.request: Forbidden (Permission denied): /admin/restaurant/menuitem/")


def test_an_error_of_the_admin_is_logged_with_its_traceback(log, managers_browser, monkeypatch):
    def fail(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("django.contrib.admin.sites.AdminSite.each_context", fail)
    managers_browser.raise_request_exception = False
    assert managers_browser.get("/admin/").status_code == 500
    [line] = lines(log)
    assert "Internal Server Error: /admin/ | Traceback: " in line
