"""A mail server that is slow holds nobody up, and one dead address does not delay the others."""

import threading
from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from loyalty import mail as mails
from loyalty.models import Notification
from tests.conftest import own_queries
from tests.loyalty.making import earn_body, make_location, make_member
from tests.servers import PATIENCE, wait_for

SEND_LATER = mails.send_later  # tests send at once instead


class SlowBackend(EmailBackend):
    """A mail server that takes its time until it may go on."""

    may_go_on = threading.Event()

    def send_messages(self, messages):
        assert self.may_go_on.wait(PATIENCE)
        return super().send_messages(messages)


@pytest.mark.django_db(transaction=True)
def test_an_award_does_not_wait_for_a_slow_mail_server_and_the_mail_arrives_once(till, settings):
    settings.EMAIL_BACKEND = f"{__name__}.SlowBackend"
    SlowBackend.may_go_on.clear()
    member = make_member()
    assert till.post("/earn", earn_body(member, make_location(), 900), format="json").json()["tier"] == "silver"
    call_command("send_notifications")  # leaves alone what is under way
    assert Notification.objects.get().sent_at is None
    SlowBackend.may_go_on.set()
    wait_for(lambda: Notification.objects.get().sent_at, "the slow mail")
    assert len(mail.outbox) == 1


def test_who_asks_for_a_link_waits_neither_for_composing_nor_for_sending_it():
    may_go_on, composed = threading.Event(), threading.Event()

    def compose() -> None:
        assert may_go_on.wait(PATIENCE)
        composed.set()

    SEND_LATER(compose)
    assert not composed.is_set()
    may_go_on.set()
    assert composed.wait(PATIENCE)


@pytest.mark.django_db
def test_as_much_is_done_for_an_address_without_a_card_before_the_response(api, monkeypatch):
    """Otherwise the time of the response would tell whether there is a card."""
    make_member(email="ada@example.com")
    later = []
    monkeypatch.setattr(mails, "send_later", lambda compose, **_language: later.append(compose))
    statements = []
    for email in ("first@example.com", "ada@example.com", "nobody@example.com"):
        with own_queries() as queries:
            response = api.post("/member-sign-in", {"email": email}, format="json")
        assert response.status_code == 202
        statements.append(queries)
    _first, known, unknown = statements  # the first one leases the permits of the address
    assert known == unknown
    assert [message and message.to for message in (compose() for compose in later)] == [None, ["ada@example.com"], None]
    assert mail.outbox == []


@pytest.fixture
def news(db) -> Notification:
    member = make_member(email="nobody@example.com")
    return Notification.objects.create(customer=member, title="t", message="m", next_attempt_at=timezone.now())


@pytest.fixture
def dead(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_PORT = 1  # nobody listens there


def test_an_address_that_stays_dead_is_tried_more_and_more_seldom(news, dead, clock):
    now = timezone.now()
    clock(now)
    for attempts, pause in ((1, timedelta(0)), (5, timedelta(minutes=64)), (15, timedelta(days=1))):
        Notification.objects.update(attempts=attempts, next_attempt_at=now)
        with pytest.raises(CommandError):
            call_command("send_notifications")
        assert Notification.objects.get().next_attempt_at - now == pause


def test_and_at_last_not_at_all_without_being_a_failure_of_the_command(news, dead, capsys):
    Notification.objects.update(attempts=20)
    call_command("send_notifications")
    assert "Sent: 0. Failed: 0." in capsys.readouterr().out
    assert Notification.objects.get().attempts == 20
