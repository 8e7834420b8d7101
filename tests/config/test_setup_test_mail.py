"""`/setup/mail`: a test mail, and what the mail server did with it in plain words."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import User
from django.core import mail

from config.models import Setup
from tests.conftest import PAGE, make_user, signed_in
from tests.servers import PATIENCE, free_port

pytestmark = pytest.mark.django_db

PASSWORD = "nobody-may-read-this"
ADDRESS = "owner@example.com"
AGREES = {"DATA": "354 go on", "EHLO": "250-me\r\n250 AUTH PLAIN"}


@contextmanager
def mail_server(**replies: str) -> Iterator[tuple[int, list[str]]]:
    """Its port, and the lines that it got. `replies` by the first word of a line; without one it agrees."""
    listener, lines = socket.create_server(("127.0.0.1", 0)), []

    def converse() -> None:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        with client, client.makefile("rwb") as stream:
            stream.write(b"220 ready\r\n")
            stream.flush()
            is_data = False
            for line in stream:
                lines.append(line.decode().rstrip())
                word = "." if lines[-1] == "." else lines[-1].partition(" ")[0].upper()
                if is_data and word != ".":
                    continue
                is_data = word == "DATA"
                reply = replies.get(
                    word, "354 go on" if is_data else "250-me\r\n250 AUTH PLAIN" if word == "EHLO" else "250 ok"
                )
                stream.write(reply.encode() + b"\r\n")
                stream.flush()

    thread = threading.Thread(target=converse, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1], lines
    finally:
        listener.close()


@pytest.fixture
def manager(db):
    return signed_in(make_user("Managers"))


@pytest.fixture
def smtp(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_TIMEOUT = "127.0.0.1", PATIENCE
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "house", PASSWORD
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    return settings


def send(client, to: str = ADDRESS):
    return client.post("/setup/mail", {"to": to}, format="json")


def sentence_of(client, smtp, **replies: str) -> str:
    with mail_server(**replies) as (port, _lines):
        smtp.EMAIL_PORT = port
        response = send(client)
    assert response.status_code == 409
    assert PASSWORD not in response.content.decode()
    assert not Setup.objects.exists()
    return response.json()["error"]


def test_a_mail_that_is_taken_is_a_step_that_is_done(manager, smtp):
    smtp.EMAIL_HOST_USER = ""
    with mail_server() as (smtp.EMAIL_PORT, lines):
        response = send(manager)
    assert (response.status_code, response.json()) == (200, {"success": True})
    assert f"rcpt TO:<{ADDRESS}>" in lines
    step = next(step for step in manager.get("/setup").json()["steps"] if step["name"] == "mail")
    assert step["done"]
    assert step["fact"].startswith("The mail server took a test mail on")


def test_without_a_mail_server_nothing_is_sent_and_the_reason_said(manager):
    response = send(manager)
    assert response.status_code == 409
    assert "Set EMAIL_URL" in response.json()["error"]
    assert mail.outbox == []


def test_what_the_server_refuses_is_said_in_plain_words_without_the_password(manager, smtp):
    assert "refuses the user name or the password" in sentence_of(manager, smtp, AUTH=f"535 no {PASSWORD}")
    smtp.EMAIL_HOST_USER = ""
    sentence = sentence_of(manager, smtp, RCPT=f"550 unknown\x07 {PASSWORD} here")
    assert sentence.endswith("does not take mail for this address. It says: 550 unknown … here")
    sentence = sentence_of(manager, smtp, MAIL="553 not yours")
    assert f"takes no mail from {smtp.DEFAULT_FROM_EMAIL}, see DEFAULT_FROM_EMAIL. It says: 553 not yours" in sentence
    assert "does not take the mail. It says: 554 spam" in sentence_of(manager, smtp, **{".": "554 spam"})
    assert len(sentence_of(manager, smtp, **{".": "554 " + "x" * 500})) < 300


def test_servers_that_are_not_there_are_told_apart(manager, smtp):
    smtp.EMAIL_PORT = free_port()
    assert "Nobody listens at" in send(manager).json()["error"]
    with socket.create_server(("127.0.0.1", 0)) as silent:
        smtp.EMAIL_PORT = silent.getsockname()[1]
        smtp.EMAIL_TIMEOUT = 0.1
        assert "has ended the connection" in send(manager).json()["error"]
    smtp.EMAIL_HOST = "no-such-host.invalid"
    assert "nobody knows this name" in send(manager).json()["error"]


def test_what_is_no_address_is_refused(manager):
    for to in ("", "owner", "a@b\r\nBcc: all@example.com", None, "x" * 250 + "@example.com"):
        assert list(send(manager, to).json()["fields"]) == ["to"], to


def test_a_manager_sends_a_few_an_hour_and_others_none(manager, settings, floor, api):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "test_mail": "2/hour"}
    assert [send(manager).status_code for _ in range(3)] == [409, 409, 429]
    assert (send(floor).status_code, send(api).status_code) == (403, 401)


def test_the_page_has_the_form_says_what_happened_and_keeps_the_address(manager, smtp):
    User.objects.filter(username="managers").update(email="own@example.com")
    manager.defaults["HTTP_ACCEPT"] = PAGE
    assert 'value="own@example.com"' in manager.get("/setup").content.decode()
    smtp.EMAIL_PORT = free_port()
    response = manager.post("/setup/mail", {"to": ADDRESS})
    assert response.status_code == 409
    assert f'value="{ADDRESS}"' in response.content.decode()
    assert "Nobody listens at" in response.content.decode()
    smtp.EMAIL_HOST_USER = ""
    with mail_server() as (smtp.EMAIL_PORT, _lines):
        response = manager.post("/setup/mail", {"to": ADDRESS})
    assert (response.status_code, response["Location"]) == (303, "/setup#main")
    assert f"has taken the mail to {ADDRESS}." in manager.get("/setup").content.decode()
