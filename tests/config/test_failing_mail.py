"""Mails that can't be sent: managers and the operator read so until one is sent."""

from datetime import UTC, datetime, timedelta
from smtplib import SMTPAuthenticationError, SMTPRecipientsRefused

import pytest
from django.core.mail.backends.locmem import EmailBackend
from rest_framework.test import APIClient

from config import doctor
from loyalty.messages.services import notifications
from loyalty.models import FailedMail, Member, Notification
from tests.conftest import make_user, signed_in
from tests.loyalty.making import make_member

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def member(clock) -> Member:
    clock(NOON)
    return make_member()


@pytest.fixture
def fail(monkeypatch):
    """`fail(error)`: so does the mail server from now on, or works with None."""
    works = EmailBackend.send_messages

    def fail(error: Exception | None) -> None:
        def send_messages(*arguments):
            if error:
                raise error
            return works(*arguments)

        monkeypatch.setattr(EmailBackend, "send_messages", send_messages)

    return fail


def ask_for_links(member: Member, times: int = 1) -> None:
    for _ in range(times):
        response = APIClient().post("/member-sign-in", {"email": member.email}, format="json")
        assert response.status_code in {200, 202}


def attention(client) -> list[tuple[str, str]]:
    needs = client.get("/attention").json()["needs"]
    return [(need["text"], need["url"]) for need in needs if need["kind"] == "mail"]


def test_managers_and_the_operator_are_told_of_several_until_one_is_sent(member, fail, clock):
    manager, waiter = signed_in(make_user("Managers")), signed_in(make_user("Floor"))
    fail(SMTPAuthenticationError(535, b"no"))
    ask_for_links(member, 2)
    assert attention(manager) == []
    clock(NOON + MINUTE)
    ask_for_links(member)
    assert attention(manager) == [("3 mails could not be sent since 12:00", "/setup#step-mail")]
    assert attention(waiter) == []
    [finding] = [finding for finding in doctor.findings() if "could not be sent" in finding]
    assert finding.startswith("3 mails could not be sent since 12:00 (SMTPAuthenticationError). Send a test mail at ")
    [step] = [step for step in manager.get("/setup").json()["steps"] if step["name"] == "mail"]
    assert step["done"] is False
    clock(NOON + timedelta(days=1))
    assert attention(manager) == [("3 mails could not be sent since 20 Nov, 12:00", "/setup#step-mail")]
    fail(None)
    ask_for_links(member)
    assert attention(manager) == []
    assert not [finding for finding in doctor.findings() if "could not be sent" in finding]


def test_a_notification_that_is_tried_for_long_is_one_mail(member, fail, clock):
    manager = signed_in(make_user("Managers"))
    fail(TimeoutError())
    Notification.objects.create(customer=member, title="Gold", message="Welcome")
    for minutes in (0, 5, 15):
        assert attention(manager) == []
        clock(NOON + minutes * MINUTE)
        assert notifications.send_unsent(now=NOON + minutes * MINUTE) == (0, 1)
    assert attention(manager) == [("1 mail could not be sent since 12:00", "/setup#step-mail")]
    fail(None)
    for minutes in (16, 30):
        notifications.send_unsent(now=NOON + minutes * MINUTE)
    assert attention(manager) == []


def test_an_address_that_the_mail_server_refuses_is_one_guests_trouble(member, fail):
    fail(SMTPRecipientsRefused({member.email: (550, b"unknown")}))
    ask_for_links(member, 3)
    assert not FailedMail.objects.exists()
