"""A mail server that is slow holds nobody up, and one dead address does not delay the others."""

import time
from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from loyalty.models import Notification
from tests.loyalty.making import earn_body, make_location, make_member
from tests.servers import wait_for


class SlowBackend(EmailBackend):
    """As a mail server that takes its time."""

    def send_messages(self, messages):
        time.sleep(4)
        return super().send_messages(messages)


@pytest.mark.django_db(transaction=True)
def test_an_award_does_not_wait_for_a_slow_mail_server_and_the_mail_arrives_once(till, settings):
    settings.EMAIL_BACKEND = "tests.loyalty.test_notifications_mail_failures.SlowBackend"
    member = make_member()
    began = time.monotonic()
    assert till.post("/earn", earn_body(member, make_location(), 900), format="json").json()["tier"] == "silver"
    assert time.monotonic() - began < 3.5
    call_command("send_notifications")  # leaves alone what is under way
    assert Notification.objects.get().sent_at is None
    wait_for(lambda: Notification.objects.get().sent_at, "the slow mail")
    assert len(mail.outbox) == 1


@pytest.fixture
def news(db) -> Notification:
    member = make_member(email="nobody@example.com")
    return Notification.objects.create(customer=member, title="t", message="m", next_attempt_at=timezone.now())


@pytest.fixture
def dead(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_PORT = 1  # nobody listens there


def failed_with(news: Notification, attempts: int) -> timedelta:
    """How long the next attempt is put off after one more failure."""
    Notification.objects.update(attempts=attempts, next_attempt_at=timezone.now())
    with pytest.raises(CommandError):
        call_command("send_notifications")
    return Notification.objects.get().next_attempt_at - timezone.now()


def test_an_address_that_stays_dead_is_tried_more_and_more_seldom(news, dead):
    assert failed_with(news, 1) <= timedelta(0)
    assert timedelta(minutes=60) < failed_with(news, 5) < timedelta(minutes=65)
    assert timedelta(hours=23) < failed_with(news, 15) <= timedelta(days=1)


def test_and_at_last_not_at_all_without_being_a_failure_of_the_command(news, dead, capsys):
    Notification.objects.update(attempts=20)
    call_command("send_notifications")
    assert "Sent: 0. Failed: 0." in capsys.readouterr().out
    assert Notification.objects.get().attempts == 20
