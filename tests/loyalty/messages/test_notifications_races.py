"""Several runs of `send_notifications` at the same moment mail each notification once."""

import threading

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from loyalty.messages.services import notifications
from loyalty.models import Notification
from tests.at_once import at_once
from tests.loyalty.making import make_member

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def write_news(count: int) -> list[str]:
    """Notifications that are due; the addresses that they go to."""
    members = [make_member(email=f"m{number:02}@example.com") for number in range(count)]
    for member in members:
        Notification.objects.create(customer=member, title="t", message="m", next_attempt_at=timezone.now())
    return [member.email for member in members]


def recipients() -> list[str]:
    return sorted(message.to[0] for message in mail.outbox)


class SendsMeanwhile(EmailBackend):
    """While the first message is being sent, another run of the command begins and ends."""

    began = threading.Event()

    def send_messages(self, messages):
        try:
            if not self.began.is_set():
                self.began.set()
                call_command("send_notifications")
        finally:
            connection.close()
        return super().send_messages(messages)


def test_a_run_leaves_alone_what_another_run_has_sent_since_it_began(transactional_db, settings):
    SendsMeanwhile.began.clear()
    settings.EMAIL_BACKEND = f"{__name__}.SendsMeanwhile"
    addresses = write_news(3)
    call_command("send_notifications")
    assert SendsMeanwhile.began.is_set()
    assert recipients() == addresses
    assert set(Notification.objects.values_list("attempts", flat=True)) == {1}


def test_four_runs_at_once_share_the_work(transactional_db):
    addresses = write_news(12)
    counts = at_once([lambda: notifications.send_unsent(now=timezone.now())] * 4)
    assert recipients() == addresses
    assert sum(sent for sent, _failed in counts) == 12
    assert not any(failed for _sent, failed in counts)
